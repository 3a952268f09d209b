; What C++ and Rust add: calls that may unwind, aggregates as values, attributes of all kinds.
source_filename = "k.e0dee7a8-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

$linkonce = comdat any

@vtable.0 = private unnamed_addr constant <{ ptr, [16 x i8], ptr }> <{ ptr @drop, [16 x i8] c"\08\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @drop }>, align 8

; Function Attrs: inlinehint nonlazybind uwtable
define internal { i64, i64 } @pair(i64 noundef %a, ptr noalias noundef readonly align 8 captures(none) dereferenceable(16) %b) unnamed_addr #0 comdat($linkonce) personality ptr @rust_eh_personality {
start:
  %_3 = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 1)
  %_3.0 = extractvalue { i64, i1 } %_3, 0
  %0 = insertvalue { i64, i64 } poison, i64 %_3.0, 0
  invoke void @drop(ptr byval({ i64, i64 }) align 8 %b)
          to label %bb1 unwind label %cleanup

cleanup:
  %pad = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  resume { ptr, i32 } %pad

bb1:
  %1 = insertvalue { i64, i64 } %0, i64 add (i64 1, i64 2), 1
  %lanes = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 0
  %next = va_arg ptr %b, i32
  ret { i64, i64 } %1
}

declare void @drop(ptr)
declare i32 @rust_eh_personality(i32, i32 noundef, i64, ptr, ptr)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
