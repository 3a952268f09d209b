use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of small numbers in `WORDS` words, on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Bits<WORDS> {
    pub const EMPTY: Self = Bits([0; WORDS]);

    /// The numbers from `start` up to `end`, which is not included.
    pub fn range(start: usize, end: usize) -> Self {
        let below = |word: usize, end: usize| match end.saturating_sub(word * 64) {
            0 => 0,
            bits if bits < 64 => (1 << bits) - 1,
            _ => u64::MAX,
        };
        Bits(std::array::from_fn(|word| below(word, end) & !below(word, start)))
    }

    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    pub fn contains(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn is_in(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The numbers, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

impl<const WORDS: usize> BitOr for Bits<WORDS> {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const WORDS: usize> BitOrAssign for Bits<WORDS> {
    fn bitor_assign(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
    }
}

impl<const WORDS: usize> BitAnd for Bits<WORDS> {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn a_range_has_the_numbers_from_its_start_up_to_its_end() {
        for (start, end) in [(0, 0), (0, 1), (3, 3), (5, 64), (0, 128), (63, 65), (64, 128), (70, 71)] {
            let numbers: Vec<usize> = Bits::<2>::range(start, end).iter().collect();
            assert_eq!(numbers, (start..end).collect::<Vec<_>>());
        }
    }

    #[test]
    fn sets_meet_and_contain_each_other_across_words() {
        let (low, high) = (Bits::<2>::range(1, 2), Bits::<2>::range(100, 101));
        assert!(!low.meets(&high) && low.meets(&(low | high)));
        assert!(low.is_in(&(low | high)) && !(low | high).is_in(&low));
        assert!((low & high).is_empty());
    }
}
