//! Tests for the Linux kernel memory model look alike, and are refused as a whole.

use crate::diagnostic::Diagnostic;
use crate::tokens::{TokenKind, Tokens};

const NAMES: &[&str] = &["READ_ONCE", "WRITE_ONCE", "ACCESS_ONCE", "xchg", "cmpxchg", "atomic_t", "spinlock_t"];

const PREFIXES: &[&str] = &[
    "smp_",
    "rcu_",
    "srcu_",
    "synchronize_",
    "spin_",
    "xchg_",
    "cmpxchg_",
    "atomic_read",
    "atomic_set",
    "atomic_add",
    "atomic_sub",
    "atomic_inc",
    "atomic_dec",
    "atomic_xchg",
    "atomic_cmpxchg",
    "atomic_try",
    "__atomic_",
    "__load",
    "__store",
    "__fence",
    "__xchg",
    "__cmpxchg",
    "__srcu",
];

/// Points at the first primitive of the kernel.
pub(super) fn refuse(text: &str, tokens: &Tokens) -> Result<(), Diagnostic> {
    let words = tokens.tokens.iter().filter(|token| token.kind == TokenKind::Identifier);
    for token in words {
        let word = token.range.of(text);
        if NAMES.contains(&word) || PREFIXES.iter().any(|prefix| word.starts_with(prefix)) {
            let message = format!("this is a test for the Linux kernel memory model: it uses `{word}`");
            return Err(Diagnostic::new(message, token.range, "expected the atomics of C11, from <stdatomic.h>"));
        }
    }
    Ok(())
}
