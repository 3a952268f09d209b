; ModuleID = 'small.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%struct.node = type { ptr, i32, i16, [3 x i8], i8 }

@table = internal global [4 x i32] [i32 1, i32 -2, i32 3, i32 0], align 16, !dbg !0
@.str = private unnamed_addr constant [7 x i8] c"x != 9\00", align 1, !dbg !19
@.str.1 = private unnamed_addr constant [8 x i8] c"small.c\00", align 1, !dbg !25
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1, !dbg !30
@f = internal global double 1.500000e+00, align 8, !dbg !85
@top = internal global ptr null, align 8, !dbg !36
@m = internal global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !52
@mine = internal thread_local global i32 7, align 4, !dbg !83

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !99 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !103, !DIExpression(), !109)
    #dbg_declare(ptr %3, !110, !DIExpression(), !111)
  store i32 5, ptr %3, align 4, !dbg !111
    #dbg_declare(ptr %4, !112, !DIExpression(), !114)
  store i32 0, ptr %4, align 4, !dbg !114
  br label %7, !dbg !115

7:                                                ; preds = %15, %0
  %8 = load i32, ptr %4, align 4, !dbg !116
  %9 = icmp slt i32 %8, 2, !dbg !118
  br i1 %9, label %10, label %18, !dbg !119

10:                                               ; preds = %7
  %11 = load i32, ptr %4, align 4, !dbg !120
  %12 = sext i32 %11 to i64, !dbg !121
  %13 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %12, !dbg !121
  %14 = call i32 @pthread_create(ptr noundef %13, ptr noundef null, ptr noundef @work, ptr noundef %3) #7, !dbg !122
  br label %15, !dbg !122

15:                                               ; preds = %10
  %16 = load i32, ptr %4, align 4, !dbg !123
  %17 = add nsw i32 %16, 1, !dbg !123
  store i32 %17, ptr %4, align 4, !dbg !123
  br label %7, !dbg !124, !llvm.loop !125

18:                                               ; preds = %7
    #dbg_declare(ptr %5, !128, !DIExpression(), !130)
  store i32 0, ptr %5, align 4, !dbg !130
  br label %19, !dbg !131

19:                                               ; preds = %29, %18
  %20 = load i32, ptr %5, align 4, !dbg !132
  %21 = icmp slt i32 %20, 2, !dbg !134
  br i1 %21, label %22, label %32, !dbg !135

22:                                               ; preds = %19
    #dbg_declare(ptr %6, !136, !DIExpression(), !139)
  %23 = load i32, ptr %5, align 4, !dbg !140
  %24 = sext i32 %23 to i64, !dbg !141
  %25 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %24, !dbg !141
  %26 = load i64, ptr %25, align 8, !dbg !141
  %27 = call i32 @pthread_join(i64 noundef %26, ptr noundef %6), !dbg !142
  %28 = load ptr, ptr %6, align 8, !dbg !143
  call void @free(ptr noundef %28) #7, !dbg !144
  br label %29, !dbg !145

29:                                               ; preds = %22
  %30 = load i32, ptr %5, align 4, !dbg !146
  %31 = add nsw i32 %30, 1, !dbg !146
  store i32 %31, ptr %5, align 4, !dbg !146
  br label %19, !dbg !147, !llvm.loop !148

32:                                               ; preds = %19
  %33 = load i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 3), align 4, !dbg !150
  switch i32 %33, label %36 [
    i32 0, label %34
    i32 7, label %35
  ], !dbg !151

34:                                               ; preds = %32
  br label %39, !dbg !152

35:                                               ; preds = %32
  store i32 2, ptr %3, align 4, !dbg !154
  br label %39, !dbg !155

36:                                               ; preds = %32
  %37 = load i32, ptr %3, align 4, !dbg !156
  %38 = add nsw i32 %37, 1, !dbg !156
  store i32 %38, ptr %3, align 4, !dbg !156
  br label %39, !dbg !157

39:                                               ; preds = %36, %35, %34
  %40 = load i32, ptr %3, align 4, !dbg !158
  %41 = icmp ne i32 %40, 9, !dbg !158
  br i1 %41, label %42, label %43, !dbg !161

42:                                               ; preds = %39
  br label %44, !dbg !161

43:                                               ; preds = %39
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 31, ptr noundef @__PRETTY_FUNCTION__.main) #8, !dbg !158
  unreachable, !dbg !158

44:                                               ; preds = %42
  %45 = load double, ptr @f, align 8, !dbg !162
  %46 = fcmp ogt double %45, 1.000000e+02, !dbg !163
  %47 = zext i1 %46 to i32, !dbg !163
  ret i32 %47, !dbg !164
}

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define internal ptr @work(ptr noundef %0) #0 !dbg !165 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i8, align 1
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !168, !DIExpression(), !169)
    #dbg_declare(ptr %4, !170, !DIExpression(), !171)
  %8 = call noalias ptr @malloc(i64 noundef 24) #9, !dbg !172
  store ptr %8, ptr %4, align 8, !dbg !171
  %9 = load ptr, ptr %4, align 8, !dbg !173
  %10 = icmp ne ptr %9, null, !dbg !173
  br i1 %10, label %12, label %11, !dbg !175

11:                                               ; preds = %1
  store ptr null, ptr %2, align 8, !dbg !176
  br label %57, !dbg !176

12:                                               ; preds = %1
  %13 = load ptr, ptr %4, align 8, !dbg !177
  call void @llvm.memset.p0.i64(ptr align 8 %13, i8 0, i64 24, i1 false), !dbg !178
  %14 = load ptr, ptr %4, align 8, !dbg !179
  %15 = getelementptr inbounds %struct.node, ptr %14, i32 0, i32 4, !dbg !180
  %16 = load i8, ptr %15, align 1, !dbg !181
  %17 = and i8 %16, -32, !dbg !181
  %18 = or i8 %17, 3, !dbg !181
  store i8 %18, ptr %15, align 1, !dbg !181
  %19 = load atomic i64, ptr @top acquire, align 8, !dbg !182
  store i64 %19, ptr %5, align 8, !dbg !182
  %20 = load ptr, ptr %5, align 8, !dbg !182
  %21 = load ptr, ptr %4, align 8, !dbg !183
  %22 = getelementptr inbounds %struct.node, ptr %21, i32 0, i32 0, !dbg !184
  store ptr %20, ptr %22, align 8, !dbg !185
  br label %23, !dbg !186

23:                                               ; preds = %38, %12
  %24 = load ptr, ptr %4, align 8, !dbg !187
  %25 = getelementptr inbounds %struct.node, ptr %24, i32 0, i32 0, !dbg !187
  %26 = load ptr, ptr %4, align 8, !dbg !187
  store ptr %26, ptr %6, align 8, !dbg !187
  %27 = load i64, ptr %25, align 8, !dbg !187
  %28 = load i64, ptr %6, align 8, !dbg !187
  %29 = cmpxchg weak ptr @top, i64 %27, i64 %28 seq_cst seq_cst, align 8, !dbg !187
  %30 = extractvalue { i64, i1 } %29, 0, !dbg !187
  %31 = extractvalue { i64, i1 } %29, 1, !dbg !187
  br i1 %31, label %33, label %32, !dbg !187

32:                                               ; preds = %23
  store i64 %30, ptr %25, align 8, !dbg !187
  br label %33, !dbg !187

33:                                               ; preds = %32, %23
  %34 = zext i1 %31 to i8, !dbg !187
  store i8 %34, ptr %7, align 1, !dbg !187
  %35 = load i8, ptr %7, align 1, !dbg !187
  %36 = trunc i8 %35 to i1, !dbg !187
  %37 = xor i1 %36, true, !dbg !188
  br i1 %37, label %38, label %39, !dbg !186

38:                                               ; preds = %33
  br label %23, !dbg !186, !llvm.loop !189

39:                                               ; preds = %33
  %40 = call i32 @pthread_mutex_lock(ptr noundef @m) #7, !dbg !191
  %41 = load ptr, ptr %3, align 8, !dbg !192
  %42 = load i32, ptr %41, align 4, !dbg !193
  %43 = sdiv i32 %42, 3, !dbg !194
  %44 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine), !dbg !195
  %45 = load i32, ptr %44, align 4, !dbg !195
  %46 = and i32 %45, 3, !dbg !196
  %47 = sext i32 %46 to i64, !dbg !197
  %48 = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %47, !dbg !197
  %49 = load i32, ptr %48, align 4, !dbg !198
  %50 = add nsw i32 %49, %43, !dbg !198
  store i32 %50, ptr %48, align 4, !dbg !198
  %51 = call i32 @pthread_mutex_unlock(ptr noundef @m) #7, !dbg !199
  %52 = load i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 1), align 4, !dbg !200
  %53 = sitofp i32 %52 to double, !dbg !200
  %54 = load double, ptr @f, align 8, !dbg !201
  %55 = fmul double %54, %53, !dbg !201
  store double %55, ptr @f, align 8, !dbg !201
  %56 = load ptr, ptr %4, align 8, !dbg !202
  store ptr %56, ptr %2, align 8, !dbg !203
  br label %57, !dbg !203

57:                                               ; preds = %39, %11
  %58 = load ptr, ptr %2, align 8, !dbg !204
  ret ptr %58, !dbg !204
}

declare i32 @pthread_join(i64 noundef, ptr noundef) #2

; Function Attrs: nounwind
declare void @free(ptr noundef) #1

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) #3

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #5

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #6

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) #1

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind "frame-pointer"="all" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { "frame-pointer"="all" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { noreturn nounwind "frame-pointer"="all" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind allocsize(0) "frame-pointer"="all" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nounwind }
attributes #8 = { noreturn nounwind }
attributes #9 = { nounwind allocsize(0) }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!91, !92, !93, !94, !95, !96, !97}
!llvm.ident = !{!98}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !3, line: 9, type: !88, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !15, globals: !18, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "small.c", directory: ".", checksumkind: CSK_MD5, checksum: "cc50136cfb5c5dbc5583bb525f4e0acc")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "memory_order", file: !6, line: 68, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "/usr/lib/llvm-19/lib/clang/19/include/stdatomic.h", directory: "", checksumkind: CSK_MD5, checksum: "f17199a988fe91afffaf0f943ef87096")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10, !11, !12, !13, !14}
!9 = !DIEnumerator(name: "memory_order_relaxed", value: 0)
!10 = !DIEnumerator(name: "memory_order_consume", value: 1)
!11 = !DIEnumerator(name: "memory_order_acquire", value: 2)
!12 = !DIEnumerator(name: "memory_order_release", value: 3)
!13 = !DIEnumerator(name: "memory_order_acq_rel", value: 4)
!14 = !DIEnumerator(name: "memory_order_seq_cst", value: 5)
!15 = !{!16}
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!17 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!18 = !{!19, !25, !30, !36, !52, !83, !0, !85}
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(scope: null, file: !3, line: 31, type: !21, isLocal: true, isDefinition: true)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 56, elements: !23)
!22 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!23 = !{!24}
!24 = !DISubrange(count: 7)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(scope: null, file: !3, line: 31, type: !27, isLocal: true, isDefinition: true)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 64, elements: !28)
!28 = !{!29}
!29 = !DISubrange(count: 8)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(scope: null, file: !3, line: 31, type: !32, isLocal: true, isDefinition: true)
!32 = !DICompositeType(tag: DW_TAG_array_type, baseType: !33, size: 120, elements: !34)
!33 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !22)
!34 = !{!35}
!35 = !DISubrange(count: 15)
!36 = !DIGlobalVariableExpression(var: !37, expr: !DIExpression())
!37 = distinct !DIGlobalVariable(name: "top", scope: !2, file: !3, line: 7, type: !38, isLocal: true, isDefinition: true)
!38 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !39)
!39 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !40, size: 64)
!40 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", file: !3, line: 6, size: 192, elements: !41)
!41 = !{!42, !43, !45, !47, !51}
!42 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !40, file: !3, line: 6, baseType: !39, size: 64)
!43 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !40, file: !3, line: 6, baseType: !44, size: 32, offset: 64)
!44 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !17)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "s", scope: !40, file: !3, line: 6, baseType: !46, size: 16, offset: 96)
!46 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!47 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !40, file: !3, line: 6, baseType: !48, size: 24, offset: 112)
!48 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 24, elements: !49)
!49 = !{!50}
!50 = !DISubrange(count: 3)
!51 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !40, file: !3, line: 6, baseType: !7, size: 5, offset: 136, flags: DIFlagBitField, extraData: i64 136)
!52 = !DIGlobalVariableExpression(var: !53, expr: !DIExpression())
!53 = distinct !DIGlobalVariable(name: "m", scope: !2, file: !3, line: 10, type: !54, isLocal: true, isDefinition: true)
!54 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_mutex_t", file: !55, line: 72, baseType: !56)
!55 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!56 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !55, line: 67, size: 320, elements: !57)
!57 = !{!58, !77, !81}
!58 = !DIDerivedType(tag: DW_TAG_member, name: "__data", scope: !56, file: !55, line: 69, baseType: !59, size: 320)
!59 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_mutex_s", file: !60, line: 22, size: 320, elements: !61)
!60 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/struct_mutex.h", directory: "", checksumkind: CSK_MD5, checksum: "584baedd80e6041b81caae7f496091c0")
!61 = !{!62, !63, !64, !65, !66, !67, !68, !69}
!62 = !DIDerivedType(tag: DW_TAG_member, name: "__lock", scope: !59, file: !60, line: 24, baseType: !17, size: 32)
!63 = !DIDerivedType(tag: DW_TAG_member, name: "__count", scope: !59, file: !60, line: 25, baseType: !7, size: 32, offset: 32)
!64 = !DIDerivedType(tag: DW_TAG_member, name: "__owner", scope: !59, file: !60, line: 26, baseType: !17, size: 32, offset: 64)
!65 = !DIDerivedType(tag: DW_TAG_member, name: "__nusers", scope: !59, file: !60, line: 28, baseType: !7, size: 32, offset: 96)
!66 = !DIDerivedType(tag: DW_TAG_member, name: "__kind", scope: !59, file: !60, line: 32, baseType: !17, size: 32, offset: 128)
!67 = !DIDerivedType(tag: DW_TAG_member, name: "__spins", scope: !59, file: !60, line: 34, baseType: !46, size: 16, offset: 160)
!68 = !DIDerivedType(tag: DW_TAG_member, name: "__elision", scope: !59, file: !60, line: 35, baseType: !46, size: 16, offset: 176)
!69 = !DIDerivedType(tag: DW_TAG_member, name: "__list", scope: !59, file: !60, line: 36, baseType: !70, size: 128, offset: 192)
!70 = !DIDerivedType(tag: DW_TAG_typedef, name: "__pthread_list_t", file: !71, line: 55, baseType: !72)
!71 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/thread-shared-types.h", directory: "", checksumkind: CSK_MD5, checksum: "04c81e86d34dad9c99ad006d32e47a0d")
!72 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_internal_list", file: !71, line: 51, size: 128, elements: !73)
!73 = !{!74, !76}
!74 = !DIDerivedType(tag: DW_TAG_member, name: "__prev", scope: !72, file: !71, line: 53, baseType: !75, size: 64)
!75 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !72, size: 64)
!76 = !DIDerivedType(tag: DW_TAG_member, name: "__next", scope: !72, file: !71, line: 54, baseType: !75, size: 64, offset: 64)
!77 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !56, file: !55, line: 70, baseType: !78, size: 320)
!78 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, size: 320, elements: !79)
!79 = !{!80}
!80 = !DISubrange(count: 40)
!81 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !56, file: !55, line: 71, baseType: !82, size: 64)
!82 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!83 = !DIGlobalVariableExpression(var: !84, expr: !DIExpression())
!84 = distinct !DIGlobalVariable(name: "mine", scope: !2, file: !3, line: 8, type: !17, isLocal: true, isDefinition: true)
!85 = !DIGlobalVariableExpression(var: !86, expr: !DIExpression())
!86 = distinct !DIGlobalVariable(name: "f", scope: !2, file: !3, line: 11, type: !87, isLocal: true, isDefinition: true)
!87 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!88 = !DICompositeType(tag: DW_TAG_array_type, baseType: !17, size: 128, elements: !89)
!89 = !{!90}
!90 = !DISubrange(count: 4)
!91 = !{i32 7, !"Dwarf Version", i32 5}
!92 = !{i32 2, !"Debug Info Version", i32 3}
!93 = !{i32 1, !"wchar_size", i32 4}
!94 = !{i32 8, !"PIC Level", i32 2}
!95 = !{i32 7, !"PIE Level", i32 2}
!96 = !{i32 7, !"uwtable", i32 2}
!97 = !{i32 7, !"frame-pointer", i32 2}
!98 = !{!"clang"}
!99 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 25, type: !100, scopeLine: 25, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !102)
!100 = !DISubroutineType(types: !101)
!101 = !{!17}
!102 = !{}
!103 = !DILocalVariable(name: "t", scope: !99, file: !3, line: 26, type: !104)
!104 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, size: 128, elements: !107)
!105 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !55, line: 27, baseType: !106)
!106 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!107 = !{!108}
!108 = !DISubrange(count: 2)
!109 = !DILocation(line: 26, column: 13, scope: !99)
!110 = !DILocalVariable(name: "x", scope: !99, file: !3, line: 27, type: !17)
!111 = !DILocation(line: 27, column: 7, scope: !99)
!112 = !DILocalVariable(name: "i", scope: !113, file: !3, line: 28, type: !17)
!113 = distinct !DILexicalBlock(scope: !99, file: !3, line: 28, column: 3)
!114 = !DILocation(line: 28, column: 12, scope: !113)
!115 = !DILocation(line: 28, column: 8, scope: !113)
!116 = !DILocation(line: 28, column: 19, scope: !117)
!117 = distinct !DILexicalBlock(scope: !113, file: !3, line: 28, column: 3)
!118 = !DILocation(line: 28, column: 21, scope: !117)
!119 = !DILocation(line: 28, column: 3, scope: !113)
!120 = !DILocation(line: 28, column: 49, scope: !117)
!121 = !DILocation(line: 28, column: 47, scope: !117)
!122 = !DILocation(line: 28, column: 31, scope: !117)
!123 = !DILocation(line: 28, column: 27, scope: !117)
!124 = !DILocation(line: 28, column: 3, scope: !117)
!125 = distinct !{!125, !119, !126, !127}
!126 = !DILocation(line: 28, column: 64, scope: !113)
!127 = !{!"llvm.loop.mustprogress"}
!128 = !DILocalVariable(name: "i", scope: !129, file: !3, line: 29, type: !17)
!129 = distinct !DILexicalBlock(scope: !99, file: !3, line: 29, column: 3)
!130 = !DILocation(line: 29, column: 12, scope: !129)
!131 = !DILocation(line: 29, column: 8, scope: !129)
!132 = !DILocation(line: 29, column: 19, scope: !133)
!133 = distinct !DILexicalBlock(scope: !129, file: !3, line: 29, column: 3)
!134 = !DILocation(line: 29, column: 21, scope: !133)
!135 = !DILocation(line: 29, column: 3, scope: !129)
!136 = !DILocalVariable(name: "n", scope: !137, file: !3, line: 29, type: !138)
!137 = distinct !DILexicalBlock(scope: !133, file: !3, line: 29, column: 31)
!138 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!139 = !DILocation(line: 29, column: 39, scope: !137)
!140 = !DILocation(line: 29, column: 57, scope: !137)
!141 = !DILocation(line: 29, column: 55, scope: !137)
!142 = !DILocation(line: 29, column: 42, scope: !137)
!143 = !DILocation(line: 29, column: 71, scope: !137)
!144 = !DILocation(line: 29, column: 66, scope: !137)
!145 = !DILocation(line: 29, column: 75, scope: !137)
!146 = !DILocation(line: 29, column: 27, scope: !133)
!147 = !DILocation(line: 29, column: 3, scope: !133)
!148 = distinct !{!148, !135, !149, !127}
!149 = !DILocation(line: 29, column: 75, scope: !129)
!150 = !DILocation(line: 30, column: 11, scope: !99)
!151 = !DILocation(line: 30, column: 3, scope: !99)
!152 = !DILocation(line: 30, column: 31, scope: !153)
!153 = distinct !DILexicalBlock(scope: !99, file: !3, line: 30, column: 21)
!154 = !DILocation(line: 30, column: 48, scope: !153)
!155 = !DILocation(line: 30, column: 53, scope: !153)
!156 = !DILocation(line: 30, column: 70, scope: !153)
!157 = !DILocation(line: 30, column: 74, scope: !153)
!158 = !DILocation(line: 31, column: 3, scope: !159)
!159 = distinct !DILexicalBlock(scope: !160, file: !3, line: 31, column: 3)
!160 = distinct !DILexicalBlock(scope: !99, file: !3, line: 31, column: 3)
!161 = !DILocation(line: 31, column: 3, scope: !160)
!162 = !DILocation(line: 32, column: 10, scope: !99)
!163 = !DILocation(line: 32, column: 12, scope: !99)
!164 = !DILocation(line: 32, column: 3, scope: !99)
!165 = distinct !DISubprogram(name: "work", scope: !3, file: !3, line: 12, type: !166, scopeLine: 12, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !102)
!166 = !DISubroutineType(types: !167)
!167 = !{!138, !138}
!168 = !DILocalVariable(name: "p", arg: 1, scope: !165, file: !3, line: 12, type: !138)
!169 = !DILocation(line: 12, column: 25, scope: !165)
!170 = !DILocalVariable(name: "n", scope: !165, file: !3, line: 13, type: !39)
!171 = !DILocation(line: 13, column: 16, scope: !165)
!172 = !DILocation(line: 13, column: 20, scope: !165)
!173 = !DILocation(line: 14, column: 8, scope: !174)
!174 = distinct !DILexicalBlock(scope: !165, file: !3, line: 14, column: 7)
!175 = !DILocation(line: 14, column: 7, scope: !165)
!176 = !DILocation(line: 14, column: 11, scope: !174)
!177 = !DILocation(line: 15, column: 10, scope: !165)
!178 = !DILocation(line: 15, column: 3, scope: !165)
!179 = !DILocation(line: 16, column: 3, scope: !165)
!180 = !DILocation(line: 16, column: 6, scope: !165)
!181 = !DILocation(line: 16, column: 8, scope: !165)
!182 = !DILocation(line: 17, column: 13, scope: !165)
!183 = !DILocation(line: 17, column: 3, scope: !165)
!184 = !DILocation(line: 17, column: 6, scope: !165)
!185 = !DILocation(line: 17, column: 11, scope: !165)
!186 = !DILocation(line: 18, column: 3, scope: !165)
!187 = !DILocation(line: 18, column: 11, scope: !165)
!188 = !DILocation(line: 18, column: 10, scope: !165)
!189 = distinct !{!189, !186, !190, !127}
!190 = !DILocation(line: 18, column: 61, scope: !165)
!191 = !DILocation(line: 19, column: 3, scope: !165)
!192 = !DILocation(line: 20, column: 30, scope: !165)
!193 = !DILocation(line: 20, column: 22, scope: !165)
!194 = !DILocation(line: 20, column: 32, scope: !165)
!195 = !DILocation(line: 20, column: 9, scope: !165)
!196 = !DILocation(line: 20, column: 14, scope: !165)
!197 = !DILocation(line: 20, column: 3, scope: !165)
!198 = !DILocation(line: 20, column: 19, scope: !165)
!199 = !DILocation(line: 21, column: 3, scope: !165)
!200 = !DILocation(line: 22, column: 8, scope: !165)
!201 = !DILocation(line: 22, column: 5, scope: !165)
!202 = !DILocation(line: 23, column: 10, scope: !165)
!203 = !DILocation(line: 23, column: 3, scope: !165)
!204 = !DILocation(line: 24, column: 1, scope: !165)
