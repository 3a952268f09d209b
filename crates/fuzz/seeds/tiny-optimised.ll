; ModuleID = 'tiny.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.s = type { i8, i64, [2 x i32] }

@z = dso_local local_unnamed_addr global %struct.s { i8 1, i64 2, [2 x i32] [i32 3, i32 4] }, align 8
@x = dso_local local_unnamed_addr global [3 x i32] zeroinitializer, align 4
@y = dso_local global i32 0, align 4

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable
define dso_local i32 @add(ptr nocapture noundef readonly byval(%struct.s) align 8 %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds i8, ptr %0, i64 20
  %4 = load i32, ptr %3, align 4, !tbaa !5
  %5 = add nsw i32 %4, %1
  ret i32 %5
}

; Function Attrs: nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable
define dso_local i32 @main() local_unnamed_addr #1 {
  br label %5

1:                                                ; preds = %13
  %2 = load i32, ptr getelementptr inbounds (i8, ptr @x, i64 8), align 4, !tbaa !5
  store atomic i32 %2, ptr @y release, align 4
  %3 = load atomic i32, ptr @y acquire, align 4
  %4 = icmp sgt i32 %3, 4
  br i1 %4, label %18, label %21

5:                                                ; preds = %0, %13
  %6 = phi i64 [ 0, %0 ], [ %16, %13 ]
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %13, label %8

8:                                                ; preds = %5
  %9 = add nsw i64 %6, -1
  %10 = getelementptr inbounds [3 x i32], ptr @x, i64 0, i64 %9
  %11 = load i32, ptr %10, align 4, !tbaa !5
  %12 = shl nsw i32 %11, 1
  br label %13

13:                                               ; preds = %5, %8
  %14 = phi i32 [ %12, %8 ], [ 1, %5 ]
  %15 = getelementptr inbounds [3 x i32], ptr @x, i64 0, i64 %6
  store i32 %14, ptr %15, align 4, !tbaa !5
  %16 = add nuw nsw i64 %6, 1
  %17 = icmp eq i64 %16, 3
  br i1 %17, label %1, label %5, !llvm.loop !9

18:                                               ; preds = %1
  %19 = load i32, ptr getelementptr inbounds (i8, ptr @z, i64 20), align 4, !tbaa !5
  %20 = add nsw i32 %19, %3
  br label %23

21:                                               ; preds = %1
  %22 = atomicrmw add ptr @y, i32 1 seq_cst, align 4
  br label %23

23:                                               ; preds = %21, %18
  %24 = phi i32 [ %20, %18 ], [ %22, %21 ]
  ret i32 %24
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable "min-legal-vector-width"="0" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree norecurse nounwind memory(readwrite, argmem: none, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"clang"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = distinct !{!9, !10, !11}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !{!"llvm.loop.unroll.disable"}
