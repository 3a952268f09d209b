//! Parts of a module have what they need, and nothing else.

use fencepost_llvm::{Outline, read};

const MODULE: &str = r#"; ModuleID = 'm'
source_filename = "m"
target datalayout = "e-m:e-p270:32:32-i64:64-n8:16:32:64-S128"

%pair = type { i32, ptr }
$shared = comdat any

@counter = internal global i32 7, align 4
@table = dso_local constant [2 x ptr] [ptr @one, ptr @two], align 8
@text = private constant [6 x i8] c"@three", align 1
@elsewhere = external global i32
@"odd name" = global %pair { i32 1, ptr @counter }
@other = global i32 0
@set = global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }]
@also_one = alias void (), ptr @one

define void @one() #0 {
  store i32 1, ptr @counter, align 4, !dbg !3
  call void @outside(ptr @elsewhere)
  ret void
}

define linkonce_odr void @two() comdat($shared) {
entry:
  switch i32 0, label %end [
    i32 1, label %end
  ]

end:                                              ; preds = @one
  call void @"odd function"()
  ret void
}

define void @"odd function"() {
  ret void
}

define void @three() {
  %1 = load ptr, ptr @text
  ret void
}

define internal void @begin() {
  store i32 1, ptr @set
  call void @three()
  ret void
}

define i32 @uses_set() {
  %1 = load i32, ptr @set
  ret i32 %1
}

declare void @outside(ptr)
attributes #0 = { noinline }
!3 = !{}
"#;

/// The names that a part defines, those that it lacks, and whether it can be read.
fn part(names: &[&str]) -> (Vec<String>, Vec<String>) {
    let outline = Outline::new(MODULE.to_owned());
    let mut part = outline.part();
    for name in names {
        assert!(part.add(name), "{name}");
        assert!(!part.add(name), "{name} again");
    }
    let module = read(&part.text()).unwrap_or_else(|error| panic!("{error}: {}", part.text()));
    let functions = module.functions.iter().filter(|f| f.is_defined()).map(|f| f.name);
    let globals = module.globals.iter().filter(|g| g.init.is_some()).map(|g| g.name);
    let aliases = module.aliases.iter().map(|alias| alias.name);
    let mut defined: Vec<String> =
        functions.chain(globals).chain(aliases).map(|name| module.name(name).to_owned()).collect();
    let mut missing: Vec<String> = part.missing().map(str::to_owned).collect();
    defined.sort();
    missing.sort();
    (defined, missing)
}

#[test]
fn a_part_has_what_it_mentions() {
    let outside = vec!["elsewhere".to_owned(), "outside".to_owned()];
    assert_eq!(part(&["one"]), (vec!["counter".to_owned(), "one".to_owned()], outside.clone()));
    let all = ["counter", "odd function", "one", "table", "two"].map(str::to_owned).to_vec();
    assert_eq!(part(&["table"]), (all, outside.clone()));
    assert_eq!(part(&["also_one"]), (["also_one", "counter", "one"].map(str::to_owned).to_vec(), outside));
    assert_eq!(part(&["odd name"]).0, ["counter", "odd name"]);
    // A string may look like a name. Too much is not wrong.
    assert_eq!(part(&["three"]).0, ["text", "three"]);
    assert_eq!(part(&["other"]), (vec!["other".to_owned()], Vec::new()));
}

#[test]
fn constructors_are_there_if_they_set_what_is_used() {
    let expected = ["begin", "llvm.global_ctors", "set", "text", "three", "uses_set"];
    assert_eq!(part(&["uses_set"]).0, expected);
}

#[test]
fn what_is_only_declared_is_in_no_part() {
    let outline = Outline::new(MODULE.to_owned());
    let mut part = outline.part();
    assert!(!part.add("outside") && !part.add("elsewhere") && !part.add("nowhere"));
    assert!(part.is_empty());
    assert!(outline.definitions().any(|name| name == "odd function"));
    assert!(!outline.definitions().any(|name| name == "outside"));
}
