//! Values that nothing determines.

use fencepost_program::{Value as Word, memory};

use super::globals::Unsupported;
use crate::input::Nondet;

/// The values of one of the larger types. Registers hold them sign extended.
pub(super) fn nondet_range(name: &str, bits: u32, nondet: Nondet) -> Result<(Word, Word), Unsupported> {
    let (smallest, largest) = (memory::sign_extended(1 << (bits - 1), bits), Word::MAX >> (64 - bits));
    match nondet {
        Nondet::Every => Ok((smallest, largest)),
        Nondet::Within(..) if name.ends_with("float") || name.ends_with("double") => {
            Err(format!("`{name}`, which is no integer"))
        }
        Nondet::Within(lo, hi) => {
            let unsigned = name.starts_with("__VERIFIER_nondet_u") || name.ends_with("size_t");
            let (lo, hi) = (lo.max(if unsigned { 0 } else { smallest }), hi.min(largest));
            if lo <= hi { Ok((lo, hi)) } else { Err(format!("`{name}`, which has no value within `--nondet`")) }
        }
        Nondet::Refused => {
            Err(format!("`{name}`, which has too many values (`fencepost_choose` and `--nondet` take bounds)"))
        }
    }
}
