; Orderings, scopes, weak CAS and all updates, as clang 19 prints them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, ptr, i16 }
%"class.std::atomic" = type { %struct.base }
%struct.base = type { i32 }
%struct.opaque = type opaque

@x = dso_local global i32 0, align 4, !dbg !0
@table = internal global [3 x ptr] [ptr @x, ptr null, ptr getelementptr inbounds (i8, ptr @x, i64 24)], align 16
@text = private unnamed_addr constant [4 x i8] c"a\0A\5C\00", align 1
@own = dso_local thread_local(initialexec) global i32 4, align 4
@elsewhere = external global i32, align 4
@pair = global { i32, [4 x i8], double } { i32 1, [4 x i8] undef, double 1.500000e+00 }, align 8
@difference = global i64 sub (i64 ptrtoint (ptr @table to i64), i64 ptrtoint (ptr @x to i64))
@also_x = alias i32, ptr @x

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @update(ptr noundef %p, i32 noundef range(i32 0, 8) %v) #0 !dbg !6 {
entry:
  %slot = alloca i32, align 4
    #dbg_declare(ptr %slot, !8, !DIExpression(), !9)
  %0 = load atomic i32, ptr %p acquire, align 4, !dbg !9
  store atomic volatile i32 %v, ptr %p syncscope("singlethread") release, align 4
  fence syncscope("singlethread") seq_cst
  fence acq_rel
  %1 = cmpxchg weak ptr %p, i32 0, i32 %v acq_rel monotonic, align 4
  %2 = extractvalue { i32, i1 } %1, 1
  %3 = atomicrmw nand ptr %p, i32 %v seq_cst, align 4
  %4 = atomicrmw umax ptr %p, i32 %v monotonic, align 4
  %5 = atomicrmw fadd ptr @pair, double 1.0 monotonic, align 8
  br i1 %2, label %then, label %"other way"

then:                                             ; preds = %entry
  switch i32 %v, label %"other way" [
    i32 1, label %then2
    i32 -5, label %then2
  ], !dbg !9

then2:
  call void asm sideeffect "", "~{memory},~{dirflag},~{fpsr},~{flags}"() #8, !srcloc !10
  %call = call i32 (ptr, ...) @printf(ptr noundef @text, double noundef 0x3FF8000000000000), !dbg !9
  br label %"other way"

"other way":
  %merged = phi i32 [ %0, %entry ], [ 7, %then ], [ %3, %then2 ], !dbg !9
  ret i32 %merged, !dbg !9
}

declare i32 @printf(ptr noundef, ...) #6

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" }

!llvm.dbg.cu = !{!2}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", scope: !2, file: !3, line: 8, type: !4, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, globals: !5)
!3 = !DIFile(filename: "lock.c", directory: "/src", checksumkind: CSK_MD5, checksum: "1bd7e29d04b400dd269c38cf4e7ebf7a")
!4 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!5 = !{!0}
!6 = distinct !DISubprogram(name: "update", scope: !3, file: !3, line: 12, type: !7, flags: DIFlagPrototyped | DIFlagPublic, unit: !2)
!7 = !DISubroutineType(types: !5)
!8 = !DILocalVariable(name: "v", arg: 1, scope: !11, file: !3, line: 12, type: !4)
!9 = !DILocation(line: 13, column: 7, scope: !11)
!10 = !{i64 1109}
!11 = distinct !DILexicalBlock(scope: !6, file: !3, line: 13, column: 27)
