@a = alias i32, ptr @b
@b = alias i32, ptr @a
define i32 @main() {
  store i32 1, ptr @a
  ret i32 0
}
