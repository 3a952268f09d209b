; ModuleID = 'small.c'
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { ptr, ptr }
%struct.node = type { ptr, i32, i16, [3 x i8], i8 }

@table = internal global [4 x i32] [i32 1, i32 -2, i32 3, i32 0], align 16
@.str = private unnamed_addr constant [7 x i8] c"x != 9\00", align 1
@.str.1 = private unnamed_addr constant [8 x i8] c"small.c\00", align 1
@__PRETTY_FUNCTION__.main = private unnamed_addr constant [15 x i8] c"int main(void)\00", align 1
@f = internal global double 1.500000e+00, align 8
@top = internal global ptr null, align 8
@m = internal global %union.pthread_mutex_t zeroinitializer, align 8
@mine = internal thread_local global i32 7, align 4

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  store i32 0, ptr %1, align 4
  store i32 5, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %7

7:                                                ; preds = %15, %0
  %8 = load i32, ptr %4, align 4
  %9 = icmp slt i32 %8, 2
  br i1 %9, label %10, label %18

10:                                               ; preds = %7
  %11 = load i32, ptr %4, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %12
  %14 = call i32 @pthread_create(ptr noundef %13, ptr noundef null, ptr noundef @work, ptr noundef %3) #7
  br label %15

15:                                               ; preds = %10
  %16 = load i32, ptr %4, align 4
  %17 = add nsw i32 %16, 1
  store i32 %17, ptr %4, align 4
  br label %7, !llvm.loop !6

18:                                               ; preds = %7
  store i32 0, ptr %5, align 4
  br label %19

19:                                               ; preds = %29, %18
  %20 = load i32, ptr %5, align 4
  %21 = icmp slt i32 %20, 2
  br i1 %21, label %22, label %32

22:                                               ; preds = %19
  %23 = load i32, ptr %5, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 %24
  %26 = load i64, ptr %25, align 8
  %27 = call i32 @pthread_join(i64 noundef %26, ptr noundef %6)
  %28 = load ptr, ptr %6, align 8
  call void @free(ptr noundef %28) #7
  br label %29

29:                                               ; preds = %22
  %30 = load i32, ptr %5, align 4
  %31 = add nsw i32 %30, 1
  store i32 %31, ptr %5, align 4
  br label %19, !llvm.loop !8

32:                                               ; preds = %19
  %33 = load i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 3), align 4
  switch i32 %33, label %36 [
    i32 0, label %34
    i32 7, label %35
  ]

34:                                               ; preds = %32
  br label %39

35:                                               ; preds = %32
  store i32 2, ptr %3, align 4
  br label %39

36:                                               ; preds = %32
  %37 = load i32, ptr %3, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %3, align 4
  br label %39

39:                                               ; preds = %36, %35, %34
  %40 = load i32, ptr %3, align 4
  %41 = icmp ne i32 %40, 9
  br i1 %41, label %42, label %43

42:                                               ; preds = %39
  br label %44

43:                                               ; preds = %39
  call void @__assert_fail(ptr noundef @.str, ptr noundef @.str.1, i32 noundef 31, ptr noundef @__PRETTY_FUNCTION__.main) #8
  unreachable

44:                                               ; preds = %42
  %45 = load double, ptr @f, align 8
  %46 = fcmp ogt double %45, 1.000000e+02
  %47 = zext i1 %46 to i32
  ret i32 %47
}

; Function Attrs: nounwind
declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) #1

; Function Attrs: noinline nounwind optnone uwtable
define internal ptr @work(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i8, align 1
  store ptr %0, ptr %3, align 8
  %8 = call noalias ptr @malloc(i64 noundef 24) #9
  store ptr %8, ptr %4, align 8
  %9 = load ptr, ptr %4, align 8
  %10 = icmp ne ptr %9, null
  br i1 %10, label %12, label %11

11:                                               ; preds = %1
  store ptr null, ptr %2, align 8
  br label %57

12:                                               ; preds = %1
  %13 = load ptr, ptr %4, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %13, i8 0, i64 24, i1 false)
  %14 = load ptr, ptr %4, align 8
  %15 = getelementptr inbounds %struct.node, ptr %14, i32 0, i32 4
  %16 = load i8, ptr %15, align 1
  %17 = and i8 %16, -32
  %18 = or i8 %17, 3
  store i8 %18, ptr %15, align 1
  %19 = load atomic i64, ptr @top acquire, align 8
  store i64 %19, ptr %5, align 8
  %20 = load ptr, ptr %5, align 8
  %21 = load ptr, ptr %4, align 8
  %22 = getelementptr inbounds %struct.node, ptr %21, i32 0, i32 0
  store ptr %20, ptr %22, align 8
  br label %23

23:                                               ; preds = %38, %12
  %24 = load ptr, ptr %4, align 8
  %25 = getelementptr inbounds %struct.node, ptr %24, i32 0, i32 0
  %26 = load ptr, ptr %4, align 8
  store ptr %26, ptr %6, align 8
  %27 = load i64, ptr %25, align 8
  %28 = load i64, ptr %6, align 8
  %29 = cmpxchg weak ptr @top, i64 %27, i64 %28 seq_cst seq_cst, align 8
  %30 = extractvalue { i64, i1 } %29, 0
  %31 = extractvalue { i64, i1 } %29, 1
  br i1 %31, label %33, label %32

32:                                               ; preds = %23
  store i64 %30, ptr %25, align 8
  br label %33

33:                                               ; preds = %32, %23
  %34 = zext i1 %31 to i8
  store i8 %34, ptr %7, align 1
  %35 = load i8, ptr %7, align 1
  %36 = trunc i8 %35 to i1
  %37 = xor i1 %36, true
  br i1 %37, label %38, label %39

38:                                               ; preds = %33
  br label %23, !llvm.loop !9

39:                                               ; preds = %33
  %40 = call i32 @pthread_mutex_lock(ptr noundef @m) #7
  %41 = load ptr, ptr %3, align 8
  %42 = load i32, ptr %41, align 4
  %43 = sdiv i32 %42, 3
  %44 = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @mine)
  %45 = load i32, ptr %44, align 4
  %46 = and i32 %45, 3
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [4 x i32], ptr @table, i64 0, i64 %47
  %49 = load i32, ptr %48, align 4
  %50 = add nsw i32 %49, %43
  store i32 %50, ptr %48, align 4
  %51 = call i32 @pthread_mutex_unlock(ptr noundef @m) #7
  %52 = load i32, ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 1), align 4
  %53 = sitofp i32 %52 to double
  %54 = load double, ptr @f, align 8
  %55 = fmul double %54, %53
  store double %55, ptr @f, align 8
  %56 = load ptr, ptr %4, align 8
  store ptr %56, ptr %2, align 8
  br label %57

57:                                               ; preds = %39, %11
  %58 = load ptr, ptr %2, align 8
  ret ptr %58
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

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"clang"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
!8 = distinct !{!8, !7}
!9 = distinct !{!9, !7}
