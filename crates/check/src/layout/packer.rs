//! Fields of bits, and how they are put into words.

use std::marker::PhantomData;

use crate::index::Index;

/// Some bits of one word, which hold a number of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<I = u32> {
    pub word: u16,
    pub shift: u8,
    /// Not shifted. 0 for a field that has only one value.
    pub mask: u64,
    kind: PhantomData<I>,
}

impl<I: Index> Field<I> {
    #[inline(always)]
    pub(crate) fn get(self, state: &[u64]) -> I {
        I::from_u32((state[self.word as usize] >> self.shift & self.mask) as u32)
    }

    #[inline(always)]
    pub(crate) fn set(self, state: &mut [u64], value: I) {
        let word = &mut state[self.word as usize];
        *word = *word & !(self.mask << self.shift) | (value.to_u32() as u64) << self.shift;
    }

    /// Whether numbers up to `count` fit.
    pub(crate) fn has_room(self, count: usize) -> bool {
        count as u64 - 1 <= self.mask
    }
}

/// Puts fields into words, each into the first that has room.
pub(super) struct Packer {
    /// By word, the number of bits that are taken.
    used: Vec<u32>,
    /// By number of bits, the first word that may have room for them. Words only fill up, so earlier ones never will.
    first: [usize; 65],
}

impl Packer {
    pub(super) fn new() -> Packer {
        Packer { used: Vec::new(), first: [0; 65] }
    }

    /// Whether there are more words than a field can number.
    pub(super) fn is_too_large(&self) -> bool {
        self.used.len() > usize::from(u16::MAX)
    }

    pub(super) fn allocate<I>(&mut self, bits: u32) -> Field<I> {
        let first = self.first[bits as usize];
        let word = first + self.used[first..].iter().take_while(|&&used| used + bits > 64).count();
        self.first[bits as usize] = word;
        if word == self.used.len() {
            self.used.push(0);
        }
        let shift = if bits == 0 { 0 } else { self.used[word] };
        self.used[word] += bits;
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        Field { word: word as u16, shift: shift as u8, mask, kind: PhantomData }
    }

    /// Number of words.
    pub(super) fn words(&self) -> usize {
        self.used.len()
    }

    /// Leaves the words as they are: the next field begins a new one.
    pub(super) fn begin_word(&mut self) {
        self.used.iter_mut().for_each(|used| *used = 64);
    }

    /// The fields of a view, 64 bits to a field.
    pub(super) fn row(&mut self, bits: u32) -> Vec<Field> {
        let full = (0..bits / 64).map(|_| 64);
        let rest = Some(bits % 64).filter(|&bits| bits > 0);
        full.chain(rest).map(|bits| self.allocate(bits)).collect()
    }
}

/// The bits of a field that holds one of `count` numbers, with room to grow unless all are known.
pub(super) fn bits_for(count: usize, closed: bool) -> u32 {
    let bits = usize::BITS - count.saturating_sub(1).leading_zeros();
    if closed { bits } else { (bits + 2).min(32) }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use fencepost_testing::seeds;

    use super::*;

    /// Fields of random widths.
    fn pack<I>(random: &mut Rng, widest: u32) -> (Vec<(u32, Field<I>)>, usize) {
        let mut packer = Packer::new();
        let mut field = |bits| (bits, packer.allocate(bits));
        let fields = (0..random.usize(1..60)).map(|_| field(random.u32(..=widest))).collect();
        (fields, packer.words())
    }

    #[test]
    fn fields_have_their_width_and_never_overlap() {
        for seed in seeds(500) {
            let (fields, words) = pack::<u32>(&mut Rng::with_seed(seed), 64);
            let mut taken = vec![0_u64; words.max(1)];
            for (bits, field) in fields {
                assert_eq!((field.mask.count_ones(), field.mask.trailing_ones()), (bits, bits), "seed {seed}");
                assert!(u32::from(field.shift) + bits <= 64, "seed {seed}: {field:?} crosses its word");
                let word = &mut taken[usize::from(field.word)];
                assert_eq!(*word & field.mask << field.shift, 0, "seed {seed}: {field:?} overlaps another field");
                *word |= field.mask << field.shift;
            }
        }
    }

    #[test]
    fn no_word_has_room_for_the_first_field_of_a_later_one() {
        for seed in seeds(200) {
            let (fields, words) = pack::<u32>(&mut Rng::with_seed(seed), 64);
            let mut used = vec![0; words];
            for (bits, field) in fields.into_iter().filter(|&(bits, _)| bits > 0) {
                let word = usize::from(field.word);
                assert!(used[..word].iter().all(|used| used + bits > 64), "seed {seed}: {field:?} fits earlier");
                used[word] += bits;
            }
        }
    }

    #[test]
    fn a_field_keeps_its_value_when_others_are_set() {
        for seed in seeds(200) {
            let mut random = Rng::with_seed(seed);
            let (fields, words) = pack::<u32>(&mut random, 32);
            let mut state = vec![0; words.max(1)];
            let mut values = vec![0_u32; fields.len()];
            for _ in 0..300 {
                let which = random.usize(..fields.len());
                let (_, field) = fields[which];
                values[which] = random.u32(..) & field.mask as u32;
                field.set(&mut state, values[which]);
                let read: Vec<u32> = fields.iter().map(|(_, field)| field.get(&state)).collect();
                assert_eq!(read, values, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_field_has_room_for_what_its_bits_were_computed_from() {
        for count in (1..200).chain([1 << 16, (1 << 16) + 1, (1 << 20) - 1]) {
            let field = |bits| Packer::new().allocate::<u32>(bits);
            let bits = bits_for(count, true);
            assert!(field(bits).has_room(count), "{count}");
            assert!(bits == 0 || !field(bits - 1).has_room(count), "{count} needs fewer than {bits} bits");
            assert!(field(bits_for(count, false)).has_room(2 * count), "{count} has no room to grow");
        }
    }

    #[test]
    fn a_row_has_all_bits_of_a_view_64_to_a_field() {
        for bits in 0..300 {
            let mut packer = Packer::new();
            packer.allocate::<u32>(7);
            let row = packer.row(bits);
            assert_eq!(row.iter().map(|field| field.mask.count_ones()).sum::<u32>(), bits);
            assert!(row.iter().rev().skip(1).all(|field| field.mask == u64::MAX), "{bits} bits: {row:?}");
        }
    }
}
