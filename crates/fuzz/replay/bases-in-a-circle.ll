@x = global i32 0, !dbg !0
define i32 @main() {
  ret i32 0
}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", file: !2, line: 1, type: !3)
!2 = !DIFile(filename: "a.cc", directory: "/")
!3 = !DICompositeType(tag: DW_TAG_class_type, name: "A", size: 32, elements: !4)
!4 = !{!5, !5, !5}
!5 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !3, baseType: !3, size: 0, offset: 9223372036854775807)
