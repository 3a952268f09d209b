; ModuleID = 'tiny.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.s = type { i8, i64, [2 x i32] }

@z = dso_local global %struct.s { i8 1, i64 2, [2 x i32] [i32 3, i32 4] }, align 8, !dbg !0
@x = dso_local global [3 x i32] zeroinitializer, align 4, !dbg !7
@y = dso_local global i32 0, align 4, !dbg !13

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @add(ptr noundef byval(%struct.s) align 8 %0, i32 noundef %1) #0 !dbg !32 {
  %3 = alloca i32, align 4
    #dbg_declare(ptr %0, !36, !DIExpression(), !37)
  store i32 %1, ptr %3, align 4
    #dbg_declare(ptr %3, !38, !DIExpression(), !39)
  %4 = getelementptr inbounds %struct.s, ptr %0, i32 0, i32 2, !dbg !40
  %5 = getelementptr inbounds [2 x i32], ptr %4, i64 0, i64 1, !dbg !41
  %6 = load i32, ptr %5, align 4, !dbg !41
  %7 = load i32, ptr %3, align 4, !dbg !42
  %8 = add nsw i32 %6, %7, !dbg !43
  ret i32 %8, !dbg !44
}

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 !dbg !45 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i64, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 0, ptr %1, align 4
    #dbg_declare(ptr %2, !48, !DIExpression(), !49)
  store i32 3, ptr %2, align 4, !dbg !49
    #dbg_declare(ptr %3, !50, !DIExpression(), !51)
  %9 = load i32, ptr %2, align 4, !dbg !52
  %10 = sext i32 %9 to i64, !dbg !53
  %11 = mul nsw i64 %10, 7, !dbg !54
  %12 = srem i64 %11, 5, !dbg !55
  %13 = shl i64 %12, 2, !dbg !56
  store i64 %13, ptr %3, align 8, !dbg !51
    #dbg_declare(ptr %4, !57, !DIExpression(), !59)
  store i32 0, ptr %4, align 4, !dbg !59
  br label %14, !dbg !60

14:                                               ; preds = %34, %0
  %15 = load i32, ptr %4, align 4, !dbg !61
  %16 = load i32, ptr %2, align 4, !dbg !63
  %17 = icmp slt i32 %15, %16, !dbg !64
  br i1 %17, label %18, label %37, !dbg !65

18:                                               ; preds = %14
  %19 = load i32, ptr %4, align 4, !dbg !66
  %20 = icmp ne i32 %19, 0, !dbg !66
  br i1 %20, label %21, label %28, !dbg !66

21:                                               ; preds = %18
  %22 = load i32, ptr %4, align 4, !dbg !67
  %23 = sub nsw i32 %22, 1, !dbg !68
  %24 = sext i32 %23 to i64, !dbg !69
  %25 = getelementptr inbounds [3 x i32], ptr @x, i64 0, i64 %24, !dbg !69
  %26 = load i32, ptr %25, align 4, !dbg !69
  %27 = mul nsw i32 %26, 2, !dbg !70
  br label %29, !dbg !66

28:                                               ; preds = %18
  br label %29, !dbg !66

29:                                               ; preds = %28, %21
  %30 = phi i32 [ %27, %21 ], [ 1, %28 ], !dbg !66
  %31 = load i32, ptr %4, align 4, !dbg !71
  %32 = sext i32 %31 to i64, !dbg !72
  %33 = getelementptr inbounds [3 x i32], ptr @x, i64 0, i64 %32, !dbg !72
  store i32 %30, ptr %33, align 4, !dbg !73
  br label %34, !dbg !72

34:                                               ; preds = %29
  %35 = load i32, ptr %4, align 4, !dbg !74
  %36 = add nsw i32 %35, 1, !dbg !74
  store i32 %36, ptr %4, align 4, !dbg !74
  br label %14, !dbg !75, !llvm.loop !76

37:                                               ; preds = %14
  %38 = load i32, ptr getelementptr inbounds ([3 x i32], ptr @x, i64 0, i64 2), align 4, !dbg !79
  store i32 %38, ptr %5, align 4, !dbg !80
  %39 = load i32, ptr %5, align 4, !dbg !80
  store atomic i32 %39, ptr @y release, align 4, !dbg !80
  %40 = load atomic i32, ptr @y acquire, align 4, !dbg !81
  store i32 %40, ptr %6, align 4, !dbg !81
  %41 = load i32, ptr %6, align 4, !dbg !81
  %42 = sext i32 %41 to i64, !dbg !81
  %43 = load i64, ptr %3, align 8, !dbg !83
  %44 = icmp sgt i64 %42, %43, !dbg !84
  br i1 %44, label %45, label %48, !dbg !85

45:                                               ; preds = %37
  %46 = load i32, ptr @y, align 4, !dbg !86
  %47 = call i32 @add(ptr noundef byval(%struct.s) align 8 @z, i32 noundef %46), !dbg !87
  store i32 %47, ptr %1, align 4, !dbg !88
  br label %55, !dbg !88

48:                                               ; preds = %37
  store i32 1, ptr %7, align 4, !dbg !89
  %49 = load i32, ptr %7, align 4, !dbg !89
  %50 = atomicrmw add ptr @y, i32 %49 seq_cst, align 4, !dbg !89
  store i32 %50, ptr %8, align 4, !dbg !89
  %51 = load i32, ptr %8, align 4, !dbg !89
  %52 = load i32, ptr %2, align 4, !dbg !90
  %53 = sub nsw i32 %52, 2, !dbg !91
  %54 = sdiv i32 %51, %53, !dbg !92
  store i32 %54, ptr %1, align 4, !dbg !93
  br label %55, !dbg !93

55:                                               ; preds = %48, %45
  %56 = load i32, ptr %1, align 4, !dbg !94
  ret i32 %56, !dbg !94
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!24, !25, !26, !27, !28, !29, !30}
!llvm.ident = !{!31}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "z", scope: !2, file: !3, line: 2, type: !15, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "tiny.c", directory: ".", checksumkind: CSK_MD5, checksum: "6558f2ab726e4db6a0c8b1828511214d")
!4 = !{!5}
!5 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!6 = !{!0, !7, !13}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 1, type: !9, isLocal: false, isDefinition: true)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 96, elements: !11)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !{!12}
!12 = !DISubrange(count: 3)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "y", scope: !2, file: !3, line: 1, type: !10, isLocal: false, isDefinition: true)
!15 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !3, line: 2, size: 192, elements: !16)
!16 = !{!17, !19, !20}
!17 = !DIDerivedType(tag: DW_TAG_member, name: "c", scope: !15, file: !3, line: 2, baseType: !18, size: 8)
!18 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "l", scope: !15, file: !3, line: 2, baseType: !5, size: 64, offset: 64)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !15, file: !3, line: 2, baseType: !21, size: 64, offset: 128)
!21 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 64, elements: !22)
!22 = !{!23}
!23 = !DISubrange(count: 2)
!24 = !{i32 7, !"Dwarf Version", i32 5}
!25 = !{i32 2, !"Debug Info Version", i32 3}
!26 = !{i32 1, !"wchar_size", i32 4}
!27 = !{i32 8, !"PIC Level", i32 2}
!28 = !{i32 7, !"PIE Level", i32 2}
!29 = !{i32 7, !"uwtable", i32 2}
!30 = !{i32 7, !"frame-pointer", i32 2}
!31 = !{!"clang"}
!32 = distinct !DISubprogram(name: "add", scope: !3, file: !3, line: 3, type: !33, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !35)
!33 = !DISubroutineType(types: !34)
!34 = !{!10, !15, !10}
!35 = !{}
!36 = !DILocalVariable(name: "v", arg: 1, scope: !32, file: !3, line: 3, type: !15)
!37 = !DILocation(line: 3, column: 18, scope: !32)
!38 = !DILocalVariable(name: "n", arg: 2, scope: !32, file: !3, line: 3, type: !10)
!39 = !DILocation(line: 3, column: 25, scope: !32)
!40 = !DILocation(line: 3, column: 39, scope: !32)
!41 = !DILocation(line: 3, column: 37, scope: !32)
!42 = !DILocation(line: 3, column: 46, scope: !32)
!43 = !DILocation(line: 3, column: 44, scope: !32)
!44 = !DILocation(line: 3, column: 30, scope: !32)
!45 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 4, type: !46, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !35)
!46 = !DISubroutineType(types: !47)
!47 = !{!10}
!48 = !DILocalVariable(name: "n", scope: !45, file: !3, line: 5, type: !10)
!49 = !DILocation(line: 5, column: 7, scope: !45)
!50 = !DILocalVariable(name: "l", scope: !45, file: !3, line: 6, type: !5)
!51 = !DILocation(line: 6, column: 8, scope: !45)
!52 = !DILocation(line: 6, column: 18, scope: !45)
!53 = !DILocation(line: 6, column: 12, scope: !45)
!54 = !DILocation(line: 6, column: 20, scope: !45)
!55 = !DILocation(line: 6, column: 24, scope: !45)
!56 = !DILocation(line: 6, column: 28, scope: !45)
!57 = !DILocalVariable(name: "i", scope: !58, file: !3, line: 7, type: !10)
!58 = distinct !DILexicalBlock(scope: !45, file: !3, line: 7, column: 3)
!59 = !DILocation(line: 7, column: 12, scope: !58)
!60 = !DILocation(line: 7, column: 8, scope: !58)
!61 = !DILocation(line: 7, column: 19, scope: !62)
!62 = distinct !DILexicalBlock(scope: !58, file: !3, line: 7, column: 3)
!63 = !DILocation(line: 7, column: 23, scope: !62)
!64 = !DILocation(line: 7, column: 21, scope: !62)
!65 = !DILocation(line: 7, column: 3, scope: !58)
!66 = !DILocation(line: 7, column: 38, scope: !62)
!67 = !DILocation(line: 7, column: 44, scope: !62)
!68 = !DILocation(line: 7, column: 46, scope: !62)
!69 = !DILocation(line: 7, column: 42, scope: !62)
!70 = !DILocation(line: 7, column: 51, scope: !62)
!71 = !DILocation(line: 7, column: 33, scope: !62)
!72 = !DILocation(line: 7, column: 31, scope: !62)
!73 = !DILocation(line: 7, column: 36, scope: !62)
!74 = !DILocation(line: 7, column: 27, scope: !62)
!75 = !DILocation(line: 7, column: 3, scope: !62)
!76 = distinct !{!76, !65, !77, !78}
!77 = !DILocation(line: 7, column: 57, scope: !58)
!78 = !{!"llvm.loop.mustprogress"}
!79 = !DILocation(line: 8, column: 24, scope: !45)
!80 = !DILocation(line: 8, column: 3, scope: !45)
!81 = !DILocation(line: 9, column: 7, scope: !82)
!82 = distinct !DILexicalBlock(scope: !45, file: !3, line: 9, column: 7)
!83 = !DILocation(line: 9, column: 47, scope: !82)
!84 = !DILocation(line: 9, column: 45, scope: !82)
!85 = !DILocation(line: 9, column: 7, scope: !45)
!86 = !DILocation(line: 9, column: 64, scope: !82)
!87 = !DILocation(line: 9, column: 57, scope: !82)
!88 = !DILocation(line: 9, column: 50, scope: !82)
!89 = !DILocation(line: 10, column: 10, scope: !45)
!90 = !DILocation(line: 10, column: 57, scope: !45)
!91 = !DILocation(line: 10, column: 59, scope: !45)
!92 = !DILocation(line: 10, column: 54, scope: !45)
!93 = !DILocation(line: 10, column: 3, scope: !45)
!94 = !DILocation(line: 11, column: 1, scope: !45)
