@b = global [4611686018427387904 x i8] zeroinitializer
define i32 @main() {
  ret i32 0
}
