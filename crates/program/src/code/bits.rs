//! Sets of small numbers, and relations over them, as rows of bits.

/// A subset of `0..size`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty subset of `0..size`.
    pub fn new(size: usize) -> BitSet {
        BitSet { words: vec![0; size.div_ceil(64)] }
    }

    /// All of `0..size`.
    pub fn full(size: usize) -> BitSet {
        let mut set = BitSet::new(size);
        (0..size).for_each(|i| set.insert(i));
        set
    }

    /// The subset of `0..size` with these members.
    pub fn of(size: usize, members: impl Iterator<Item = usize>) -> BitSet {
        let mut set = BitSet::new(size);
        members.for_each(|i| set.insert(i));
        set
    }

    pub fn insert(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Adds all of a row of a [`BitMatrix`] or of a [`crate::code::Liveness`].
    pub(crate) fn insert_words(&mut self, row: &[u64]) {
        self.words.iter_mut().zip(row).for_each(|(a, b)| *a |= b);
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    pub fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub fn intersect(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
    }

    pub fn union(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Its members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        members(&self.words)
    }
}

fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(w, &word)| {
        std::iter::successors(Some(word).filter(|&x| x != 0), |&x| Some(x & (x - 1)).filter(|&x| x != 0))
            .map(move |x| w * 64 + x.trailing_zeros() as usize)
    })
}

/// A relation between `0..rows` and `0..columns`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitMatrix {
    size: usize,
    stride: usize,
    words: Vec<u64>,
}

/// Whether a row of bits has a member.
pub(crate) fn row_contains(row: &[u64], i: usize) -> bool {
    row[i / 64] >> (i % 64) & 1 == 1
}

impl BitMatrix {
    /// The empty relation over `0..size`.
    pub fn new(size: usize) -> BitMatrix {
        BitMatrix::with(size, size)
    }

    /// The empty relation between `0..rows` and `0..columns`.
    pub fn with(rows: usize, columns: usize) -> BitMatrix {
        let stride = columns.div_ceil(64);
        BitMatrix { size: rows, stride, words: vec![0; stride * rows] }
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn row(&self, a: usize) -> &[u64] {
        &self.words[a * self.stride..(a + 1) * self.stride]
    }

    pub(crate) fn row_mut(&mut self, a: usize) -> &mut [u64] {
        &mut self.words[a * self.stride..(a + 1) * self.stride]
    }

    /// What one element is related to, in ascending order.
    pub fn iter_row(&self, a: usize) -> impl Iterator<Item = usize> + '_ {
        members(self.row(a))
    }

    pub fn remove(&mut self, a: usize, b: usize) {
        self.words[a * self.stride + b / 64] &= !(1 << (b % 64));
    }

    pub fn contains(&self, a: usize, b: usize) -> bool {
        self.words[a * self.stride + b / 64] >> (b % 64) & 1 == 1
    }

    pub fn insert(&mut self, a: usize, b: usize) {
        self.words[a * self.stride + b / 64] |= 1 << (b % 64);
    }

    /// Adds a row of bits to what one element is related to.
    pub(crate) fn insert_words(&mut self, to: usize, row: &[u64]) {
        self.row_mut(to).iter_mut().zip(row).for_each(|(a, b)| *a |= b);
    }

    /// Adds each pair of a relation over `0..size` the other way round.
    pub(crate) fn make_symmetric(&mut self) {
        for a in 0..self.size {
            for w in 0..self.stride {
                let mut word = self.words[a * self.stride + w];
                while word != 0 {
                    self.insert(w * 64 + word.trailing_zeros() as usize, a);
                    word &= word - 1;
                }
            }
        }
    }

    /// Adds what one element is related to.
    pub fn add_row(&self, from: usize, to: &mut BitSet) {
        to.insert_words(self.row(from));
    }

    /// Adds everything related to `from` to what is related to `to`.
    pub fn union_row(&mut self, to: usize, from: usize) -> bool {
        let mut changed = false;
        for w in 0..self.stride {
            let row = self.words[from * self.stride + w];
            let word = &mut self.words[to * self.stride + w];
            changed |= row & !*word != 0;
            *word |= row;
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const SIZE: usize = 130;

    fn number(rng: &mut fastrand::Rng) -> usize {
        *rng.choice(&[0, 1, 63, 64, 127, 128, SIZE - 1, rng.clone().usize(..SIZE)]).expect("some")
    }

    fn subset(rng: &mut fastrand::Rng) -> BTreeSet<usize> {
        (0..rng.usize(..6)).map(|_| number(rng)).collect()
    }

    #[test]
    fn a_set_of_bits_is_a_set() {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut bits, mut set) = (BitSet::new(SIZE), BTreeSet::new());
        for _ in 0..20_000 {
            let (i, other) = (number(&mut rng), subset(&mut rng));
            let other_bits = BitSet::of(SIZE, other.iter().copied());
            match rng.u8(..6) {
                0 | 1 => {
                    bits.insert(i);
                    set.insert(i);
                }
                2 => {
                    bits.remove(i);
                    set.remove(&i);
                }
                3 => {
                    bits.union(&other_bits);
                    set.extend(other);
                }
                4 => {
                    bits.intersect(&other_bits);
                    set.retain(|i| other.contains(i));
                }
                _ if rng.u8(..20) == 0 => {
                    bits.clear();
                    set.clear();
                }
                _ => {}
            }
            assert_eq!(bits.contains(i), set.contains(&i));
            assert_eq!(bits.is_empty(), set.is_empty());
            assert!(bits.iter().eq(set.iter().copied()));
        }
        assert!(BitSet::full(SIZE).iter().eq(0..SIZE));
    }

    #[test]
    fn a_matrix_of_bits_is_a_relation() {
        let mut rng = fastrand::Rng::with_seed(2);
        let (mut bits, mut pairs) = (BitMatrix::new(SIZE), BTreeSet::new());
        let row = |pairs: &BTreeSet<(usize, usize)>, a| -> BTreeSet<usize> {
            pairs.iter().filter(|pair| pair.0 == a).map(|pair| pair.1).collect()
        };
        for _ in 0..5_000 {
            let (a, b) = (number(&mut rng), number(&mut rng));
            match rng.u8(..8) {
                0..4 => {
                    bits.insert(a, b);
                    pairs.insert((a, b));
                }
                4 | 5 => {
                    bits.remove(a, b);
                    pairs.remove(&(a, b));
                }
                6 => {
                    let added: Vec<_> = row(&pairs, b).into_iter().map(|c| (a, c)).collect();
                    let is_new = added.iter().any(|pair| !pairs.contains(pair));
                    assert_eq!(bits.union_row(a, b), is_new);
                    pairs.extend(added);
                }
                _ if rng.u8(..30) == 0 => {
                    bits.make_symmetric();
                    let mirrored: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
                    pairs.extend(mirrored);
                }
                _ => pairs.iter().next().into_iter().for_each(|&(a, b)| assert!(bits.contains(a, b))),
            }
            assert_eq!(bits.contains(a, b), pairs.contains(&(a, b)));
            assert!(bits.iter_row(a).eq(row(&pairs, a)));
            let (mut with, other) = (BitSet::new(SIZE), subset(&mut rng));
            other.iter().for_each(|&i| with.insert(i));
            bits.add_row(a, &mut with);
            assert!(with.iter().eq(&row(&pairs, a) | &other));
        }
    }

    #[test]
    fn rows_and_columns_may_differ_in_number() {
        let mut bits = BitMatrix::with(2, 100);
        bits.insert(1, 99);
        assert!(bits.contains(1, 99) && !bits.contains(0, 99) && bits.size() == 2);
    }
}
