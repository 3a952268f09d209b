; ModuleID = 'small.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }

@table.1 = internal unnamed_addr global i32 0, align 16
@.str = private unnamed_addr constant [7 x i8] c"x != 9\00", align 1
@.str.1 = private unnamed_addr constant [8 x i8] c"small.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@f = internal unnamed_addr global double 1.500000e+00, align 8
@top = internal global ptr null, align 8
@m = internal global %union.pthread_mutex_t zeroinitializer, align 8

; Function Attrs: nounwind uwtable
define dso_local range(i32 0, 2) i32 @main() local_unnamed_addr #0 {
  %1 = alloca [2 x i64], align 16
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %1) #8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %2) #8
  store i32 5, ptr %2, align 4, !tbaa !5
  br label %4

4:                                                ; preds = %0, %4
  %5 = phi i64 [ 0, %0 ], [ %8, %4 ]
  %6 = getelementptr inbounds [2 x i64], ptr %1, i64 0, i64 %5
  %7 = call i32 @pthread_create(ptr noundef nonnull %6, ptr noundef null, ptr noundef nonnull @work, ptr noundef nonnull %2) #8
  %8 = add nuw nsw i64 %5, 1
  %9 = icmp eq i64 %5, 0
  br i1 %9, label %4, label %12, !llvm.loop !9

10:                                               ; preds = %12
  %11 = load i32, ptr @table.1, align 16, !tbaa !5
  switch i32 %11, label %21 [
    i32 0, label %24
    i32 7, label %20
  ]

12:                                               ; preds = %4, %12
  %13 = phi i64 [ %18, %12 ], [ 0, %4 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3) #8
  %14 = getelementptr inbounds [2 x i64], ptr %1, i64 0, i64 %13
  %15 = load i64, ptr %14, align 8, !tbaa !12
  %16 = call i32 @pthread_join(i64 noundef %15, ptr noundef nonnull %3) #8
  %17 = load ptr, ptr %3, align 8, !tbaa !14
  call void @free(ptr noundef %17) #8
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3) #8
  %18 = add nuw nsw i64 %13, 1
  %19 = icmp eq i64 %13, 0
  br i1 %19, label %12, label %10, !llvm.loop !16

20:                                               ; preds = %10
  store i32 2, ptr %2, align 4, !tbaa !5
  br label %24

21:                                               ; preds = %10
  %22 = load i32, ptr %2, align 4, !tbaa !5
  %23 = add nsw i32 %22, 1
  store i32 %23, ptr %2, align 4, !tbaa !5
  br label %24

24:                                               ; preds = %21, %20, %10
  %25 = load i32, ptr %2, align 4, !tbaa !5
  %26 = icmp eq i32 %25, 9
  br i1 %26, label %27, label %28

27:                                               ; preds = %24
  call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 31, ptr noundef nonnull @__PRETTY_FUNCTION__.main) #9
  unreachable

28:                                               ; preds = %24
  %29 = load double, ptr @f, align 8, !tbaa !17
  %30 = fcmp ogt double %29, 1.000000e+02
  %31 = zext i1 %30 to i32
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %2) #8
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %1) #8
  ret i32 %31
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind uwtable
define internal noundef ptr @work(ptr nocapture noundef readonly %0) #0 {
  %2 = tail call noalias dereferenceable_or_null(24) ptr @malloc(i64 noundef 24) #10
  %3 = icmp eq ptr %2, null
  br i1 %3, label %29, label %4

4:                                                ; preds = %1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %2, i8 0, i64 24, i1 false)
  %5 = getelementptr inbounds i8, ptr %2, i64 17
  %6 = load i8, ptr %5, align 1
  %7 = and i8 %6, -32
  %8 = or disjoint i8 %7, 3
  store i8 %8, ptr %5, align 1
  %9 = load atomic i64, ptr @top acquire, align 8
  %10 = ptrtoint ptr %2 to i64
  %11 = inttoptr i64 %9 to ptr
  store ptr %11, ptr %2, align 8
  %12 = cmpxchg weak ptr @top, i64 %9, i64 %10 seq_cst seq_cst, align 8
  %13 = extractvalue { i64, i1 } %12, 1
  br i1 %13, label %20, label %14

14:                                               ; preds = %4, %14
  %15 = phi { i64, i1 } [ %18, %14 ], [ %12, %4 ]
  %16 = extractvalue { i64, i1 } %15, 0
  %17 = inttoptr i64 %16 to ptr
  store ptr %17, ptr %2, align 8
  %18 = cmpxchg weak ptr @top, i64 %16, i64 %10 seq_cst seq_cst, align 8
  %19 = extractvalue { i64, i1 } %18, 1
  br i1 %19, label %20, label %14, !llvm.loop !19

20:                                               ; preds = %14, %4
  %21 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @m) #8
  %22 = load i32, ptr %0, align 4, !tbaa !5
  %23 = sdiv i32 %22, 3
  %24 = load i32, ptr @table.1, align 16, !tbaa !5
  %25 = add nsw i32 %24, %23
  store i32 %25, ptr @table.1, align 16, !tbaa !5
  %26 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @m) #8
  %27 = load double, ptr @f, align 8, !tbaa !17
  %28 = fmul double %27, -2.000000e+00
  store double %28, ptr @f, align 8, !tbaa !17
  br label %29

29:                                               ; preds = %1, %20
  %30 = phi ptr [ %2, %20 ], [ null, %1 ]
  ret ptr %30
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #3

; Function Attrs: mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @free(ptr allocptr nocapture noundef) local_unnamed_addr #4

; Function Attrs: noreturn nounwind
declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #6

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #7

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #2

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { noreturn nounwind "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #8 = { nounwind }
attributes #9 = { noreturn nounwind }
attributes #10 = { nounwind allocsize(0) }

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
!12 = !{!13, !13, i64 0}
!13 = !{!"long", !7, i64 0}
!14 = !{!15, !15, i64 0}
!15 = !{!"any pointer", !7, i64 0}
!16 = distinct !{!16, !10, !11}
!17 = !{!18, !18, i64 0}
!18 = !{!"double", !7, i64 0}
!19 = distinct !{!19, !10, !11}
