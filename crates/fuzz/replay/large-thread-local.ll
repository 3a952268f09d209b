@b = thread_local global [1099511627776 x i8] zeroinitializer
define i32 @main() {
  ret i32 0
}
