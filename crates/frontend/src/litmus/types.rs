//! The C types that a litmus test may use: integers, atomic or not, and pointers to them.

use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::text::TextRange;
use fencepost_program::Ty;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CType {
    pub range: TextRange,
    pub ty: Ty,
    pub atomic: bool,
    /// Any value but 0 becomes 1.
    pub boolean: bool,
    /// How many `*`s.
    pub pointers: u32,
    pub void: bool,
}

const fn range(lo: i64, hi: i64) -> Ty {
    Ty::Range { lo, hi }
}

/// 64-bit types of either sign are words: nothing in a litmus test tells them apart.
const TYPES: &[(&str, Ty)] = &[
    ("char", range(i8::MIN as i64, i8::MAX as i64)),
    ("short", range(i16::MIN as i64, i16::MAX as i64)),
    ("int", range(i32::MIN as i64, i32::MAX as i64)),
    ("long", Ty::Int),
    ("bool", range(0, 1)),
    ("_Bool", range(0, 1)),
    ("int8_t", range(i8::MIN as i64, i8::MAX as i64)),
    ("int16_t", range(i16::MIN as i64, i16::MAX as i64)),
    ("int32_t", range(i32::MIN as i64, i32::MAX as i64)),
    ("int64_t", Ty::Int),
    ("intptr_t", Ty::Int),
    ("uint8_t", range(0, u8::MAX as i64)),
    ("uint16_t", range(0, u16::MAX as i64)),
    ("uint32_t", range(0, u32::MAX as i64)),
    ("uint64_t", Ty::Int),
    ("uintptr_t", Ty::Int),
    ("size_t", Ty::Int),
    ("uchar", range(0, u8::MAX as i64)),
    ("ushort", range(0, u16::MAX as i64)),
    ("uint", range(0, u32::MAX as i64)),
    ("ulong", Ty::Int),
    ("llong", Ty::Int),
    ("ullong", Ty::Int),
    // Of the Linux kernel.
    ("atomic_t", range(i32::MIN as i64, i32::MAX as i64)),
    ("atomic64_t", Ty::Int),
    ("atomic_long_t", Ty::Int),
    ("spinlock_t", range(i32::MIN as i64, i32::MAX as i64)),
];

/// `int`.
pub(super) const INT: Ty = range(i32::MIN as i64, i32::MAX as i64);

/// Words that are only half a type.
const MODIFIERS: &[&str] = &["const", "volatile", "_Atomic", "unsigned", "signed", "void"];

fn named(word: &str) -> Option<Ty> {
    TYPES.iter().find(|(name, _)| *name == word).map(|(_, ty)| *ty)
}

/// The type without `atomic_` before it, unless that is part of its name.
fn plain(word: &str) -> &str {
    match word.strip_prefix("atomic_") {
        Some(plain) if named(word).is_none() => plain,
        _ => word,
    }
}

/// Whether a word can only be part of a type.
pub(super) fn is_type_word(word: &str) -> bool {
    MODIFIERS.contains(&word) || named(plain(word)).is_some()
}

/// Reads a type with its `*`s.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<CType, Diagnostic> {
    let start = cursor.peek().range;
    let mut result = CType { range: start, ty: Ty::Int, atomic: false, boolean: false, pointers: 0, void: false };
    let mut base: Option<Ty> = None;
    let mut unsigned = None;
    let mut closing = 0;
    loop {
        if closing > 0 && cursor.eat(")") {
            closing -= 1;
            continue;
        }
        let Some(word) = cursor.word_at(0).filter(|word| is_type_word(word)) else { break };
        let range = cursor.advance().range;
        match word {
            "const" | "volatile" => {}
            "_Atomic" => {
                result.atomic = true;
                if cursor.eat("(") {
                    closing += 1;
                }
            }
            "unsigned" => unsigned = Some(true),
            "signed" => unsigned = Some(false),
            "void" => result.void = true,
            // `long int`, `short int`, `long long`.
            "int" if base.is_some() => {}
            _ => {
                let plain = plain(word);
                if base.is_some_and(|base| base != Ty::Int && word != "short") {
                    return Err(Diagnostic::new(format!("`{word}` after another type"), range, "expected a name"));
                }
                result.atomic |= plain != word;
                result.boolean = matches!(plain, "bool" | "_Bool");
                base = named(plain);
            }
        }
    }
    if closing > 0 {
        return Err(cursor.missing("`)`"));
    }
    if base.is_none() && unsigned.is_none() && !result.void {
        return Err(match cursor.word_at(0) {
            Some(word) => Diagnostic::new(format!("no type `{word}`"), cursor.peek().range, "expected an integer type")
                .help("litmus tests may use `int`, `atomic_int`, `long`, `int32_t` and the like"),
            None => cursor.expected("a type"),
        });
    }
    result.ty = signed(base.unwrap_or(range(i32::MIN as i64, i32::MAX as i64)), unsigned == Some(true));
    while cursor.eat("*") {
        result.pointers += 1;
        while cursor.eat_word("const") || cursor.eat_word("volatile") {}
    }
    result.range = start.to(cursor.previous());
    Ok(result)
}

fn signed(ty: Ty, unsigned: bool) -> Ty {
    match ty {
        Ty::Range { lo, hi } if unsigned && lo < 0 => range(0, hi - lo),
        other => other,
    }
}
