//! Values of 16 bytes as words.
//!
//! Programs, models and engines compute with words of 64 bits. A cell of 16 bytes holds a word that *names* its value:
//! equal names are equal values, which is all that memory asks. 0 names zero, as everywhere. Any other name is a hash
//! of the value, so that it does not depend on which thread or which run comes to the value first. Should two values
//! have one hash, the second gets another name: a name never has two values.

use std::sync::{OnceLock, PoisonError, RwLock};

use hashbrown::HashMap;

use crate::Value;

/// Bytes of a cell whose word is a name.
pub const SIZE: u8 = 16;

/// Names and their values, in parts that threads use at the same time.
struct Table([RwLock<HashMap<u64, u128>>; PARTS]);

const PARTS: usize = 16;

impl Table {
    fn new() -> Table {
        Table(Default::default())
    }

    fn part(&self, name: u64) -> &RwLock<HashMap<u64, u128>> {
        &self.0[name as usize % PARTS]
    }

    /// The name of a value that is not 0. `hash` is the name that it has unless another value has it already.
    fn name(&self, value: u128, hash: u64) -> u64 {
        // Names that are tried are in the part of the first, so that one lock decides.
        let tried = (0..).map(|i: u64| hash.wrapping_add(i.wrapping_mul(PARTS as u64))).filter(|&name| name != 0);
        let part = self.part(hash);
        for name in tried.clone() {
            match part.read().unwrap_or_else(PoisonError::into_inner).get(&name) {
                Some(&known) if known == value => return name,
                Some(_) => {}
                None => break,
            }
        }
        let mut names = part.write().unwrap_or_else(PoisonError::into_inner);
        for name in tried {
            if *names.entry(name).or_insert(value) == value {
                return name;
            }
        }
        unreachable!("there are more names than values in memory")
    }

    fn value(&self, name: u64) -> Option<u128> {
        self.part(name).read().unwrap_or_else(PoisonError::into_inner).get(&name).copied()
    }
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::new)
}

/// The word that names a value.
pub fn name(value: u128) -> Value {
    match value {
        0 => 0,
        _ => table().name(value, hash(value)) as Value,
    }
}

/// The value that a word names. A word that is no name comes from code that no thread reaches.
pub fn value(name: Value) -> u128 {
    match name {
        0 => 0,
        _ => table().value(name as u64).unwrap_or(0),
    }
}

/// The word that names two halves, the low one first.
pub fn join(low: Value, high: Value) -> Value {
    name(u128::from(low as u64) | u128::from(high as u64) << 64)
}

/// The halves of what a word names.
pub fn halves(name: Value) -> [Value; 2] {
    let value = value(name);
    [value as Value, (value >> 64) as Value]
}

fn hash(value: u128) -> u64 {
    mixed(value as u64 ^ mixed((value >> 64) as u64))
}

/// The last steps of SplitMix64, after one step of its counter.
fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of which many differ in a few bits only.
    fn random_value(random: &mut fastrand::Rng) -> u128 {
        match random.u8(..4) {
            0 => random.u128(..),
            1 => random.u128(..300),
            2 => random.u128(..20) << 64 | random.u128(..20),
            _ => 1 << random.u32(..128),
        }
    }

    #[test]
    fn names_are_equal_exactly_if_values_are() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut values: HashMap<Value, u128> = HashMap::new();
        for _ in 0..50_000 {
            let word = random_value(&mut random);
            let known = *values.entry(name(word)).or_insert(word);
            assert_eq!(known, word);
            assert_eq!(value(name(word)), word);
            let [low, high] = halves(name(word));
            assert_eq!(join(low, high), name(word));
        }
        assert_eq!((name(0), value(0), halves(0), join(0, 0)), (0, 0, [0, 0], 0));
    }

    #[test]
    fn values_of_one_hash_have_names_of_their_own() {
        for hash in [5, 0, u64::MAX, u64::MAX - 16] {
            let table = Table::new();
            let names: Vec<u64> = (1..20).map(|value| table.name(value, hash)).collect();
            for (value, &name) in (1..20).zip(&names) {
                assert!(name != 0 && table.value(name) == Some(value) && table.name(value, hash) == name);
            }
            assert_eq!(names.iter().filter(|&&name| name == names[0]).count(), 1);
        }
    }

    #[test]
    fn the_name_of_a_value_does_not_depend_on_who_comes_first() {
        let named = |values: &[u128]| {
            let table = Table::new();
            values.iter().map(|&value| (value, table.name(value, hash(value)))).collect::<HashMap<_, _>>()
        };
        let mut random = fastrand::Rng::with_seed(2);
        let mut values: Vec<u128> = (0..1_000).map(|_| random_value(&mut random).max(1)).collect();
        let first = named(&values);
        random.shuffle(&mut values);
        assert_eq!(named(&values), first);
    }

    #[test]
    fn threads_that_meet_agree_on_names() {
        let table = Table::new();
        // All have one of a few hashes.
        let names = || (1..2_000u128).map(|value| table.name(value, value as u64 % 7)).collect::<Vec<_>>();
        let found: Vec<Vec<u64>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(names)).collect();
            threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
        });
        assert!(found.iter().all(|names| *names == found[0]));
        for (value, &name) in (1..2_000).zip(&found[0]) {
            assert_eq!(table.value(name), Some(value));
        }
    }
}
