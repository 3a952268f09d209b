define i32 @main() {
  %x = alloca [1099511627776 x i8]
  store i8 1, ptr %x
  %y = load [1099511627776 x i8], ptr %x
  %z = getelementptr [1099511627776 x i8], ptr %x, i64 4611686018427387904, i64 9223372036854775807
  store i8 1, ptr %z
  %n = alloca i64, i64 9223372036854775807
  store i64 1, ptr %n
  ret i32 0
}
