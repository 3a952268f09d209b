; ModuleID = 'library.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.sem_t = type { i64, [24 x i8] }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%union.pthread_cond_t = type { %struct.__pthread_cond_s }
%struct.__pthread_cond_s = type { %union.__atomic_wide_counter, %union.__atomic_wide_counter, [2 x i32], [2 x i32], i32, i32, [2 x i32] }
%union.__atomic_wide_counter = type { i64 }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@s = internal global %union.sem_t zeroinitializer, align 8, !dbg !0
@m = internal global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !23
@ready = internal global i32 0, align 4, !dbg !16
@c = internal global %union.pthread_cond_t zeroinitializer, align 8, !dbg !55
@.str = private unnamed_addr constant [7 x i8] c"%d %s\0A\00", align 1, !dbg !5
@.str.1 = private unnamed_addr constant [5 x i8] c"text\00", align 1, !dbg !11
@once = internal global i32 0, align 4, !dbg !19

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #0 !dbg !107 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i64, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i64, align 8
  %9 = alloca ptr, align 8
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4
    #dbg_declare(ptr %4, !113, !DIExpression(), !114)
  store ptr %1, ptr %5, align 8
    #dbg_declare(ptr %5, !115, !DIExpression(), !116)
    #dbg_declare(ptr %6, !117, !DIExpression(), !120)
  %10 = load i32, ptr %4, align 4, !dbg !121
  %11 = add nsw i32 %10, 2, !dbg !122
  %12 = zext i32 %11 to i64, !dbg !123
  %13 = call ptr @llvm.stacksave.p0(), !dbg !123
  store ptr %13, ptr %7, align 8, !dbg !123
  %14 = alloca i32, i64 %12, align 16, !dbg !123
  store i64 %12, ptr %8, align 8, !dbg !123
    #dbg_declare(ptr %8, !124, !DIExpression(), !125)
    #dbg_declare(ptr %14, !126, !DIExpression(), !130)
    #dbg_declare(ptr %9, !131, !DIExpression(), !135)
  store ptr @sum, ptr %9, align 8, !dbg !135
  %15 = call i32 @sem_init(ptr noundef @s, i32 noundef 0, i32 noundef 0) #4, !dbg !136
  %16 = call i32 @pthread_create(ptr noundef %6, ptr noundef null, ptr noundef @wait_for, ptr noundef %14) #4, !dbg !137
  %17 = call i32 @pthread_mutex_lock(ptr noundef @m) #4, !dbg !138
  store i32 1, ptr @ready, align 4, !dbg !139
  %18 = call i32 @pthread_cond_signal(ptr noundef @c) #4, !dbg !140
  %19 = call i32 @pthread_mutex_unlock(ptr noundef @m) #4, !dbg !141
  %20 = call i32 @sem_wait(ptr noundef @s), !dbg !142
  %21 = load i64, ptr %6, align 8, !dbg !143
  %22 = call i32 @pthread_join(i64 noundef %21, ptr noundef null), !dbg !144
  %23 = call i32 (i32, ...) @sum(i32 noundef 3, i32 noundef 1, i32 noundef 2, i32 noundef 3), !dbg !145
  %24 = getelementptr inbounds i32, ptr %14, i64 0, !dbg !146
  store i32 %23, ptr %24, align 16, !dbg !147
  %25 = getelementptr inbounds i32, ptr %14, i64 0, !dbg !148
  %26 = load i32, ptr %25, align 16, !dbg !148
  %27 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %26, ptr noundef @.str.1), !dbg !149
  %28 = load ptr, ptr %9, align 8, !dbg !150
  %29 = icmp eq ptr %28, null, !dbg !151
  %30 = zext i1 %29 to i32, !dbg !151
  store i32 %30, ptr %3, align 4, !dbg !152
  %31 = load ptr, ptr %7, align 8, !dbg !153
  call void @llvm.stackrestore.p0(ptr %31), !dbg !153
  %32 = load i32, ptr %3, align 4, !dbg !153
  ret i32 %32, !dbg !153
}

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare ptr @llvm.stacksave.p0() #1

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @sum(i32 noundef %0, ...) #0 !dbg !154 {
  %2 = alloca i32, align 4
  %3 = alloca [1 x %struct.__va_list_tag], align 16
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !155, !DIExpression(), !156)
    #dbg_declare(ptr %3, !157, !DIExpression(), !169)
    #dbg_declare(ptr %4, !170, !DIExpression(), !171)
  store i32 0, ptr %4, align 4, !dbg !171
  %5 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0, !dbg !172
  call void @llvm.va_start.p0(ptr %5), !dbg !172
  br label %6, !dbg !173

6:                                                ; preds = %24, %1
  %7 = load i32, ptr %2, align 4, !dbg !174
  %8 = add nsw i32 %7, -1, !dbg !174
  store i32 %8, ptr %2, align 4, !dbg !174
  %9 = icmp ne i32 %7, 0, !dbg !173
  br i1 %9, label %10, label %29, !dbg !173

10:                                               ; preds = %6
  %11 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0, !dbg !175
  %12 = getelementptr inbounds %struct.__va_list_tag, ptr %11, i32 0, i32 0, !dbg !175
  %13 = load i32, ptr %12, align 16, !dbg !175
  %14 = icmp ule i32 %13, 40, !dbg !175
  br i1 %14, label %15, label %20, !dbg !175

15:                                               ; preds = %10
  %16 = getelementptr inbounds %struct.__va_list_tag, ptr %11, i32 0, i32 3, !dbg !175
  %17 = load ptr, ptr %16, align 16, !dbg !175
  %18 = getelementptr i8, ptr %17, i32 %13, !dbg !175
  %19 = add i32 %13, 8, !dbg !175
  store i32 %19, ptr %12, align 16, !dbg !175
  br label %24, !dbg !175

20:                                               ; preds = %10
  %21 = getelementptr inbounds %struct.__va_list_tag, ptr %11, i32 0, i32 2, !dbg !175
  %22 = load ptr, ptr %21, align 8, !dbg !175
  %23 = getelementptr i8, ptr %22, i32 8, !dbg !175
  store ptr %23, ptr %21, align 8, !dbg !175
  br label %24, !dbg !175

24:                                               ; preds = %20, %15
  %25 = phi ptr [ %18, %15 ], [ %22, %20 ], !dbg !175
  %26 = load i32, ptr %25, align 4, !dbg !175
  %27 = load i32, ptr %4, align 4, !dbg !176
  %28 = add nsw i32 %27, %26, !dbg !176
  store i32 %28, ptr %4, align 4, !dbg !176
  br label %6, !dbg !173, !llvm.loop !177

29:                                               ; preds = %6
  %30 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0, !dbg !180
  call void @llvm.va_end.p0(ptr %30), !dbg !180
  %31 = load i32, ptr %4, align 4, !dbg !181
  ret i32 %31, !dbg !182
}

; Function Attrs: nounwind
declare i32 @sem_init(ptr noundef, i32 noundef, i32 noundef) #2

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #2

; Function Attrs: noinline nounwind optnone uwtable
define internal ptr @wait_for(ptr noundef %0) #0 !dbg !183 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !186, !DIExpression(), !187)
  %3 = call i32 @pthread_once(ptr noundef @once, ptr noundef @begin), !dbg !188
  %4 = call i32 @pthread_mutex_lock(ptr noundef @m) #4, !dbg !189
  br label %5, !dbg !190

5:                                                ; preds = %9, %1
  %6 = load i32, ptr @ready, align 4, !dbg !191
  %7 = icmp ne i32 %6, 0, !dbg !192
  %8 = xor i1 %7, true, !dbg !192
  br i1 %8, label %9, label %11, !dbg !190

9:                                                ; preds = %5
  %10 = call i32 @pthread_cond_wait(ptr noundef @c, ptr noundef @m), !dbg !193
  br label %5, !dbg !190, !llvm.loop !194

11:                                               ; preds = %5
  %12 = call i32 @pthread_mutex_unlock(ptr noundef @m) #4, !dbg !196
  %13 = call i32 @sem_post(ptr noundef @s) #4, !dbg !197
  %14 = load ptr, ptr %2, align 8, !dbg !198
  ret ptr %14, !dbg !199
}

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) #2

; Function Attrs: nounwind
declare i32 @pthread_cond_signal(ptr noundef) #2

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) #2

declare i32 @sem_wait(ptr noundef) #3

declare i32 @pthread_join(i64 noundef, ptr noundef) #3

declare i32 @printf(ptr noundef, ...) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.stackrestore.p0(ptr) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_start.p0(ptr) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn
declare void @llvm.va_end.p0(ptr) #1

declare i32 @pthread_once(ptr noundef, ptr noundef) #3

; Function Attrs: noinline nounwind optnone uwtable
define internal void @begin() #0 !dbg !200 {
  store i32 0, ptr @ready, align 4, !dbg !203
  ret void, !dbg !204
}

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) #3

; Function Attrs: nounwind
declare i32 @sem_post(ptr noundef) #2

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind willreturn }
attributes #2 = { nounwind "frame-pointer"="all" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "frame-pointer"="all" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!99, !100, !101, !102, !103, !104, !105}
!llvm.ident = !{!106}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "s", scope: !2, file: !3, line: 6, type: !90, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "library.c", directory: ".", checksumkind: CSK_MD5, checksum: "8d35b806631821c8e6538c1f330981d0")
!4 = !{!5, !11, !0, !16, !19, !23, !55}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(scope: null, file: !3, line: 42, type: !7, isLocal: true, isDefinition: true)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 56, elements: !9)
!8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!9 = !{!10}
!10 = !DISubrange(count: 7)
!11 = !DIGlobalVariableExpression(var: !12, expr: !DIExpression())
!12 = distinct !DIGlobalVariable(scope: null, file: !3, line: 42, type: !13, isLocal: true, isDefinition: true)
!13 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 40, elements: !14)
!14 = !{!15}
!15 = !DISubrange(count: 5)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "ready", scope: !2, file: !3, line: 11, type: !18, isLocal: true, isDefinition: true)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(name: "once", scope: !2, file: !3, line: 10, type: !21, isLocal: true, isDefinition: true)
!21 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_once_t", file: !22, line: 53, baseType: !18)
!22 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!23 = !DIGlobalVariableExpression(var: !24, expr: !DIExpression())
!24 = distinct !DIGlobalVariable(name: "m", scope: !2, file: !3, line: 8, type: !25, isLocal: true, isDefinition: true)
!25 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_mutex_t", file: !22, line: 72, baseType: !26)
!26 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !22, line: 67, size: 320, elements: !27)
!27 = !{!28, !49, !53}
!28 = !DIDerivedType(tag: DW_TAG_member, name: "__data", scope: !26, file: !22, line: 69, baseType: !29, size: 320)
!29 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_mutex_s", file: !30, line: 22, size: 320, elements: !31)
!30 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/struct_mutex.h", directory: "", checksumkind: CSK_MD5, checksum: "584baedd80e6041b81caae7f496091c0")
!31 = !{!32, !33, !35, !36, !37, !38, !40, !41}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "__lock", scope: !29, file: !30, line: 24, baseType: !18, size: 32)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "__count", scope: !29, file: !30, line: 25, baseType: !34, size: 32, offset: 32)
!34 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "__owner", scope: !29, file: !30, line: 26, baseType: !18, size: 32, offset: 64)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "__nusers", scope: !29, file: !30, line: 28, baseType: !34, size: 32, offset: 96)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "__kind", scope: !29, file: !30, line: 32, baseType: !18, size: 32, offset: 128)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "__spins", scope: !29, file: !30, line: 34, baseType: !39, size: 16, offset: 160)
!39 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "__elision", scope: !29, file: !30, line: 35, baseType: !39, size: 16, offset: 176)
!41 = !DIDerivedType(tag: DW_TAG_member, name: "__list", scope: !29, file: !30, line: 36, baseType: !42, size: 128, offset: 192)
!42 = !DIDerivedType(tag: DW_TAG_typedef, name: "__pthread_list_t", file: !43, line: 55, baseType: !44)
!43 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h", directory: "", checksumkind: CSK_MD5, checksum: "04c81e86d34dad9c99ad006d32e47a0d")
!44 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_internal_list", file: !43, line: 51, size: 128, elements: !45)
!45 = !{!46, !48}
!46 = !DIDerivedType(tag: DW_TAG_member, name: "__prev", scope: !44, file: !43, line: 53, baseType: !47, size: 64)
!47 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !44, size: 64)
!48 = !DIDerivedType(tag: DW_TAG_member, name: "__next", scope: !44, file: !43, line: 54, baseType: !47, size: 64, offset: 64)
!49 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !26, file: !22, line: 70, baseType: !50, size: 320)
!50 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 320, elements: !51)
!51 = !{!52}
!52 = !DISubrange(count: 40)
!53 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !26, file: !22, line: 71, baseType: !54, size: 64)
!54 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!55 = !DIGlobalVariableExpression(var: !56, expr: !DIExpression())
!56 = distinct !DIGlobalVariable(name: "c", scope: !2, file: !3, line: 7, type: !57, isLocal: true, isDefinition: true)
!57 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_cond_t", file: !22, line: 80, baseType: !58)
!58 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !22, line: 75, size: 384, elements: !59)
!59 = !{!60, !84, !88}
!60 = !DIDerivedType(tag: DW_TAG_member, name: "__data", scope: !58, file: !22, line: 77, baseType: !61, size: 384)
!61 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_cond_s", file: !43, line: 94, size: 384, elements: !62)
!62 = !{!63, !75, !76, !80, !81, !82, !83}
!63 = !DIDerivedType(tag: DW_TAG_member, name: "__wseq", scope: !61, file: !43, line: 96, baseType: !64, size: 64)
!64 = !DIDerivedType(tag: DW_TAG_typedef, name: "__atomic_wide_counter", file: !65, line: 33, baseType: !66)
!65 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/atomic_wide_counter.h", directory: "", checksumkind: CSK_MD5, checksum: "2708e6e61e266abad2d765ccef838dbe")
!66 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !65, line: 25, size: 64, elements: !67)
!67 = !{!68, !70}
!68 = !DIDerivedType(tag: DW_TAG_member, name: "__value64", scope: !66, file: !65, line: 27, baseType: !69, size: 64)
!69 = !DIBasicType(name: "unsigned long long", size: 64, encoding: DW_ATE_unsigned)
!70 = !DIDerivedType(tag: DW_TAG_member, name: "__value32", scope: !66, file: !65, line: 32, baseType: !71, size: 64)
!71 = distinct !DICompositeType(tag: DW_TAG_structure_type, scope: !66, file: !65, line: 28, size: 64, elements: !72)
!72 = !{!73, !74}
!73 = !DIDerivedType(tag: DW_TAG_member, name: "__low", scope: !71, file: !65, line: 30, baseType: !34, size: 32)
!74 = !DIDerivedType(tag: DW_TAG_member, name: "__high", scope: !71, file: !65, line: 31, baseType: !34, size: 32, offset: 32)
!75 = !DIDerivedType(tag: DW_TAG_member, name: "__g1_start", scope: !61, file: !43, line: 97, baseType: !64, size: 64, offset: 64)
!76 = !DIDerivedType(tag: DW_TAG_member, name: "__g_refs", scope: !61, file: !43, line: 98, baseType: !77, size: 64, offset: 128)
!77 = !DICompositeType(tag: DW_TAG_array_type, baseType: !34, size: 64, elements: !78)
!78 = !{!79}
!79 = !DISubrange(count: 2)
!80 = !DIDerivedType(tag: DW_TAG_member, name: "__g_size", scope: !61, file: !43, line: 99, baseType: !77, size: 64, offset: 192)
!81 = !DIDerivedType(tag: DW_TAG_member, name: "__g1_orig_size", scope: !61, file: !43, line: 100, baseType: !34, size: 32, offset: 256)
!82 = !DIDerivedType(tag: DW_TAG_member, name: "__wrefs", scope: !61, file: !43, line: 101, baseType: !34, size: 32, offset: 288)
!83 = !DIDerivedType(tag: DW_TAG_member, name: "__g_signals", scope: !61, file: !43, line: 102, baseType: !77, size: 64, offset: 320)
!84 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !58, file: !22, line: 78, baseType: !85, size: 384)
!85 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 384, elements: !86)
!86 = !{!87}
!87 = !DISubrange(count: 48)
!88 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !58, file: !22, line: 79, baseType: !89, size: 64)
!89 = !DIBasicType(name: "long long", size: 64, encoding: DW_ATE_signed)
!90 = !DIDerivedType(tag: DW_TAG_typedef, name: "sem_t", file: !91, line: 39, baseType: !92)
!91 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/semaphore.h", directory: "", checksumkind: CSK_MD5, checksum: "f0ec69aef73516c696d526041269f8fd")
!92 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !91, line: 35, size: 256, elements: !93)
!93 = !{!94, !98}
!94 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !92, file: !91, line: 37, baseType: !95, size: 256)
!95 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, size: 256, elements: !96)
!96 = !{!97}
!97 = !DISubrange(count: 32)
!98 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !92, file: !91, line: 38, baseType: !54, size: 64)
!99 = !{i32 7, !"Dwarf Version", i32 5}
!100 = !{i32 2, !"Debug Info Version", i32 3}
!101 = !{i32 1, !"wchar_size", i32 4}
!102 = !{i32 8, !"PIC Level", i32 2}
!103 = !{i32 7, !"PIE Level", i32 2}
!104 = !{i32 7, !"uwtable", i32 2}
!105 = !{i32 7, !"frame-pointer", i32 2}
!106 = !{!"clang"}
!107 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 29, type: !108, scopeLine: 29, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !112)
!108 = !DISubroutineType(types: !109)
!109 = !{!18, !18, !110}
!110 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !111, size: 64)
!111 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!112 = !{}
!113 = !DILocalVariable(name: "argc", arg: 1, scope: !107, file: !3, line: 29, type: !18)
!114 = !DILocation(line: 29, column: 14, scope: !107)
!115 = !DILocalVariable(name: "argv", arg: 2, scope: !107, file: !3, line: 29, type: !110)
!116 = !DILocation(line: 29, column: 27, scope: !107)
!117 = !DILocalVariable(name: "t", scope: !107, file: !3, line: 30, type: !118)
!118 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !22, line: 27, baseType: !119)
!119 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!120 = !DILocation(line: 30, column: 13, scope: !107)
!121 = !DILocation(line: 31, column: 11, scope: !107)
!122 = !DILocation(line: 31, column: 16, scope: !107)
!123 = !DILocation(line: 31, column: 3, scope: !107)
!124 = !DILocalVariable(name: "__vla_expr0", scope: !107, type: !119, flags: DIFlagArtificial)
!125 = !DILocation(line: 0, scope: !107)
!126 = !DILocalVariable(name: "vla", scope: !107, file: !3, line: 31, type: !127)
!127 = !DICompositeType(tag: DW_TAG_array_type, baseType: !18, elements: !128)
!128 = !{!129}
!129 = !DISubrange(count: !124)
!130 = !DILocation(line: 31, column: 7, scope: !107)
!131 = !DILocalVariable(name: "call", scope: !107, file: !3, line: 32, type: !132)
!132 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !133, size: 64)
!133 = !DISubroutineType(types: !134)
!134 = !{!18, !18, null}
!135 = !DILocation(line: 32, column: 9, scope: !107)
!136 = !DILocation(line: 33, column: 3, scope: !107)
!137 = !DILocation(line: 34, column: 3, scope: !107)
!138 = !DILocation(line: 35, column: 3, scope: !107)
!139 = !DILocation(line: 36, column: 9, scope: !107)
!140 = !DILocation(line: 37, column: 3, scope: !107)
!141 = !DILocation(line: 38, column: 3, scope: !107)
!142 = !DILocation(line: 39, column: 3, scope: !107)
!143 = !DILocation(line: 40, column: 16, scope: !107)
!144 = !DILocation(line: 40, column: 3, scope: !107)
!145 = !DILocation(line: 41, column: 12, scope: !107)
!146 = !DILocation(line: 41, column: 3, scope: !107)
!147 = !DILocation(line: 41, column: 10, scope: !107)
!148 = !DILocation(line: 42, column: 21, scope: !107)
!149 = !DILocation(line: 42, column: 3, scope: !107)
!150 = !DILocation(line: 43, column: 10, scope: !107)
!151 = !DILocation(line: 43, column: 15, scope: !107)
!152 = !DILocation(line: 43, column: 3, scope: !107)
!153 = !DILocation(line: 44, column: 1, scope: !107)
!154 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 13, type: !133, scopeLine: 13, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !112)
!155 = !DILocalVariable(name: "n", arg: 1, scope: !154, file: !3, line: 13, type: !18)
!156 = !DILocation(line: 13, column: 20, scope: !154)
!157 = !DILocalVariable(name: "l", scope: !154, file: !3, line: 14, type: !158)
!158 = !DIDerivedType(tag: DW_TAG_typedef, name: "__builtin_va_list", file: !3, baseType: !159)
!159 = !DICompositeType(tag: DW_TAG_array_type, baseType: !160, size: 192, elements: !167)
!160 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__va_list_tag", size: 192, elements: !161)
!161 = !{!162, !163, !164, !166}
!162 = !DIDerivedType(tag: DW_TAG_member, name: "gp_offset", scope: !160, file: !3, line: 14, baseType: !34, size: 32)
!163 = !DIDerivedType(tag: DW_TAG_member, name: "fp_offset", scope: !160, file: !3, line: 14, baseType: !34, size: 32, offset: 32)
!164 = !DIDerivedType(tag: DW_TAG_member, name: "overflow_arg_area", scope: !160, file: !3, line: 14, baseType: !165, size: 64, offset: 64)
!165 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!166 = !DIDerivedType(tag: DW_TAG_member, name: "reg_save_area", scope: !160, file: !3, line: 14, baseType: !165, size: 64, offset: 128)
!167 = !{!168}
!168 = !DISubrange(count: 1)
!169 = !DILocation(line: 14, column: 21, scope: !154)
!170 = !DILocalVariable(name: "r", scope: !154, file: !3, line: 15, type: !18)
!171 = !DILocation(line: 15, column: 7, scope: !154)
!172 = !DILocation(line: 16, column: 3, scope: !154)
!173 = !DILocation(line: 17, column: 3, scope: !154)
!174 = !DILocation(line: 17, column: 11, scope: !154)
!175 = !DILocation(line: 17, column: 20, scope: !154)
!176 = !DILocation(line: 17, column: 17, scope: !154)
!177 = distinct !{!177, !173, !178, !179}
!178 = !DILocation(line: 17, column: 43, scope: !154)
!179 = !{!"llvm.loop.mustprogress"}
!180 = !DILocation(line: 18, column: 3, scope: !154)
!181 = !DILocation(line: 19, column: 10, scope: !154)
!182 = !DILocation(line: 19, column: 3, scope: !154)
!183 = distinct !DISubprogram(name: "wait_for", scope: !3, file: !3, line: 21, type: !184, scopeLine: 21, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !112)
!184 = !DISubroutineType(types: !185)
!185 = !{!165, !165}
!186 = !DILocalVariable(name: "p", arg: 1, scope: !183, file: !3, line: 21, type: !165)
!187 = !DILocation(line: 21, column: 29, scope: !183)
!188 = !DILocation(line: 22, column: 3, scope: !183)
!189 = !DILocation(line: 23, column: 3, scope: !183)
!190 = !DILocation(line: 24, column: 3, scope: !183)
!191 = !DILocation(line: 24, column: 11, scope: !183)
!192 = !DILocation(line: 24, column: 10, scope: !183)
!193 = !DILocation(line: 24, column: 18, scope: !183)
!194 = distinct !{!194, !190, !195, !179}
!195 = !DILocation(line: 24, column: 42, scope: !183)
!196 = !DILocation(line: 25, column: 3, scope: !183)
!197 = !DILocation(line: 26, column: 3, scope: !183)
!198 = !DILocation(line: 27, column: 10, scope: !183)
!199 = !DILocation(line: 27, column: 3, scope: !183)
!200 = distinct !DISubprogram(name: "begin", scope: !3, file: !3, line: 12, type: !201, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2)
!201 = !DISubroutineType(types: !202)
!202 = !{null}
!203 = !DILocation(line: 12, column: 33, scope: !200)
!204 = !DILocation(line: 12, column: 38, scope: !200)
