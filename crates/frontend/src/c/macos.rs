//! LLVM IR that was made for macOS: names of its C library, and what its headers initialise locks with.

use std::borrow::Cow;

/// What stands before a name that the compiler must not change: `@"\01_pthread_join"`.
const VERBATIM: &str = "@\"\\01_";

/// Names with another spelling there.
const NAMES: [(&str, &str); 6] = [
    ("@_pthread_", "@pthread_"),
    ("@___error", "@__error"),
    ("@___assert_rtn", "@__assert_rtn"),
    ("@__stdinp", "@stdin"),
    ("@__stdoutp", "@stdout"),
    ("@__stderrp", "@stderr"),
];

/// Locks and the like start with a number that says what they are, and our own with 0.
const INITIALISERS: [(&str, &str); 4] = [
    ("{ i64 850045863, [56 x i8]", "{ i64 0, [56 x i8]"),
    ("{ i64 1018212795, [40 x i8]", "{ i64 0, [40 x i8]"),
    ("{ i64 766030772, [192 x i8]", "{ i64 0, [192 x i8]"),
    ("{ i64 816954554, [8 x i8]", "{ i64 0, [8 x i8]"),
];
/// Mutexes that know their owner: the number, and the kind, which ours have in the fifth word.
const KINDS: [(&str, u8); 2] = [("850045858", 1), ("850045857", 2)];

/// Whether a module was made for macOS.
pub(super) fn is_of(ir: &str) -> bool {
    let triple = ir.lines().find_map(|line| line.strip_prefix("target triple = "));
    triple.is_some_and(|triple| triple.contains("apple") || triple.contains("macos"))
}

/// The same module in terms of our library.
pub(super) fn in_our_terms(ir: &str) -> Cow<'_, str> {
    if !is_of(ir) {
        return Cow::Borrowed(ir);
    }
    let mut out = String::with_capacity(ir.len());
    let mut rest = ir;
    while let Some((before, after)) = rest.split_once(VERBATIM) {
        out += before;
        // A suffix says which version of a function it is.
        let (name, after) = after.split_once('"').unwrap_or((after, ""));
        out += "@\"";
        out += name.split('$').next().unwrap_or(name);
        out += "\"";
        rest = after;
    }
    out += rest;
    for (theirs, ours) in NAMES.iter().chain(&INITIALISERS) {
        if out.contains(theirs) {
            out = out.replace(theirs, ours);
        }
    }
    for (number, kind) in KINDS {
        let theirs = format!("{{ i64 {number}, [56 x i8] zeroinitializer");
        if out.contains(&theirs) {
            let zeros = |count: usize| "\\00".repeat(count);
            out = out.replace(&theirs, &format!("{{ i64 0, [56 x i8] c\"{}\\0{kind}{}\"", zeros(8), zeros(47)));
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::in_our_terms;

    #[test]
    fn names_and_initialisers_become_ours_for_macos_only() {
        let text = |triple: &str| {
            format!(
                "target triple = \"{triple}\"\n@m = global %m {{ i64 850045863, [56 x i8] zeroinitializer }}\n\
                 declare i32 @\"\\01_pthread_join$UNIX2003\"()\ndeclare ptr @__error()\nload ptr, ptr @__stdoutp\n"
            )
        };
        let linux = text("x86_64-pc-linux-gnu");
        assert_eq!(in_our_terms(&linux), linux);
        let macos = text("arm64-apple-macosx14.0.0");
        let found = in_our_terms(&macos);
        for expected in ["{ i64 0, [56 x i8]", "@\"pthread_join\"()", "@__error()", "ptr @stdout"] {
            assert!(found.contains(expected), "{expected}: {found}");
        }
        assert_eq!(found.lines().count(), macos.lines().count());
    }
}
