@x = global i32 0, !dbg !0
define i32 @main() {
  ret i32 0
}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "x", file: !2, line: 1, type: !3)
!2 = !DIFile(filename: "a.cc", directory: "/")
!3 = !DICompositeType(tag: DW_TAG_structure_type, name: "A", size: 9223372036854775807, elements: !4)
!4 = !{!5, !5, !6}
!5 = !DIDerivedType(tag: DW_TAG_member, name: "m", scope: !3, baseType: !3, size: 32, offset: 9223372036854775807)
!6 = !DIDerivedType(tag: DW_TAG_member, name: "n", scope: !3, baseType: !7, size: 32, offset: 9223372036854775807)
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !3, size: 64, elements: !8)
!8 = !{!9, !9}
!9 = !DISubrange(count: 9223372036854775807)
