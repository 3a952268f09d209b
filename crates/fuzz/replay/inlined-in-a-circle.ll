define i32 @main() !dbg !3 {
  store i32 1, ptr @x, !dbg !4
  ret i32 0, !dbg !4
}
@x = global i32 0
!1 = !DIFile(filename: "/usr/include/a.h", directory: "/")
!3 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1)
!4 = !DILocation(line: 4294967295, column: 4294967295, scope: !3, inlinedAt: !5)
!5 = !DILocation(line: 2, column: 1, scope: !3, inlinedAt: !4)
