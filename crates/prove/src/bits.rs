//! Sets of small numbers, and relations over them, as rows of bits.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub(crate) fn new(size: usize) -> BitSet {
        BitSet { words: vec![0; size.div_ceil(64)] }
    }

    pub(crate) fn full(size: usize) -> BitSet {
        let mut set = BitSet::new(size);
        (0..size).for_each(|i| set.insert(i));
        set
    }

    pub(crate) fn of(size: usize, members: impl Iterator<Item = usize>) -> BitSet {
        let mut set = BitSet::new(size);
        members.for_each(|i| set.insert(i));
        set
    }

    pub(crate) fn insert(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
    }

    pub(crate) fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    pub(crate) fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    pub(crate) fn intersect(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
    }

    pub(crate) fn union(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &word)| {
            std::iter::successors(Some(word).filter(|&x| x != 0), |&x| Some(x & (x - 1)).filter(|&x| x != 0))
                .map(move |x| w * 64 + x.trailing_zeros() as usize)
        })
    }
}

/// A relation over `0..size`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitMatrix {
    size: usize,
    stride: usize,
    words: Vec<u64>,
}

impl BitMatrix {
    pub(crate) fn new(size: usize) -> BitMatrix {
        let stride = size.div_ceil(64);
        BitMatrix { size, stride, words: vec![0; stride * size] }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn contains(&self, a: usize, b: usize) -> bool {
        self.words[a * self.stride + b / 64] >> (b % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, a: usize, b: usize) {
        self.words[a * self.stride + b / 64] |= 1 << (b % 64);
    }

    /// Adds what one element is related to.
    pub(crate) fn add_row(&self, from: usize, to: &mut BitSet) {
        let row = &self.words[from * self.stride..(from + 1) * self.stride];
        to.words.iter_mut().zip(row).for_each(|(a, b)| *a |= b);
    }

    /// Adds everything related to `from` to what is related to `to`.
    pub(crate) fn union_row(&mut self, to: usize, from: usize) -> bool {
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

    #[test]
    fn a_set_lists_what_was_put_in() {
        let mut set = BitSet::new(200);
        for i in [0, 63, 64, 199] {
            set.insert(i);
        }
        set.remove(64);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 199]);
        assert!(set.contains(63) && !set.contains(64));
    }
}
