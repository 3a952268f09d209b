%a = type { %b, %b }
%b = type { %a }
@x = global %a zeroinitializer
define i32 @main() {
  ret i32 0
}
