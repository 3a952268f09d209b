; Typed pointers, values without names, and the intrinsic that declares variables: LLVM 14 and 15.
target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

%struct.node = type { i32, %struct.node* }

@head = global %struct.node* null, align 8

define i32 @walk(%struct.node* %0, i32 (i8*, ...)* %1) !dbg !4 {
  %3 = alloca %struct.node*, align 8
  store %struct.node* %0, %struct.node** %3, align 8
  call void @llvm.dbg.declare(metadata %struct.node** %3, metadata !5, metadata !DIExpression()), !dbg !6
  %4 = load %struct.node*, %struct.node** %3, align 8
  %5 = icmp ne %struct.node* %4, null
  br i1 %5, label %6, label %10

6:                                                ; preds = %2
  %7 = getelementptr inbounds %struct.node, %struct.node* %4, i32 0, i32 0
  %8 = load i32, i32* %7, align 8
  %9 = add nsw i32 %8, 1
  br label %10

10:                                               ; preds = %6, %2
  %11 = phi i32 [ %9, %6 ], [ 0, %2 ]
  ret i32 %11
}

declare void @llvm.dbg.declare(metadata, metadata, metadata)

!3 = !DIFile(filename: "list.c", directory: "/src")
!4 = distinct !DISubprogram(name: "walk", scope: !3, file: !3, line: 1)
!5 = !DILocalVariable(name: "n", arg: 1, scope: !4, file: !3, line: 1)
!6 = !DILocation(line: 2, column: 3, scope: !4)
