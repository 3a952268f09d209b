//! How much a test tries. Three variables, for all tests:
//!
//! - `FENCEPOST_TEST`: `quick` tries a tenth of the random programs and a part of the large corpora, `long` also what
//!   takes minutes.
//! - `FENCEPOST_PROGRAMS`: the number of random programs of each test.
//! - `FENCEPOST_SEED`: the first seed, where a test takes its programs from consecutive seeds.

use std::env;
use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    Quick,
    Usual,
    Long,
}

impl Effort {
    pub fn get() -> Effort {
        match env::var("FENCEPOST_TEST").as_deref() {
            Ok("quick") => Effort::Quick,
            Ok("long") => Effort::Long,
            Ok(other) if !other.is_empty() => panic!("FENCEPOST_TEST={other}: expected `quick` or `long`"),
            _ => Effort::Usual,
        }
    }
}

/// The number of random programs, of which a test usually tries `usual`.
pub fn trials(usual: u64) -> u64 {
    // With fewer, some kinds of programs would be missing.
    let quick = (usual / 10).max(20).min(usual);
    number("FENCEPOST_PROGRAMS").unwrap_or(if is_quick() { quick } else { usual })
}

/// A lower bound on what `trials(usual)` programs show, if `usual` programs show more than `at_least`. Random programs
/// differ, so a smaller sample is only asked for half of its share.
pub fn at_least(at_least: u64, usual: u64) -> u64 {
    let tried = trials(usual);
    if tried >= usual { at_least } else { (u128::from(at_least) * u128::from(tried) / u128::from(2 * usual)) as u64 }
}

/// The programs of a corpus that a test tries: all, but only every eighth in a quick run.
pub fn sample<T>(all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if is_quick() { 8 } else { 1 })
}

pub fn is_quick() -> bool {
    Effort::get() == Effort::Quick
}

/// The first seed.
pub fn seed() -> u64 {
    number("FENCEPOST_SEED").unwrap_or(0)
}

/// The seeds of a number of programs.
pub fn seeds(programs: u64) -> Range<u64> {
    seed()..seed() + programs
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text}: expected a number")))
}
