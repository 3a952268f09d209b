//! Private memory to which nothing was written.

use std::ops::Range;

/// The marks of a register that holds a copy of such memory, one for each byte. No read has them.
pub(crate) const UNWRITTEN: u64 = 0xff << FIRST;
const FIRST: u32 = 56;

/// The mark of a byte of a register.
pub(crate) fn unwritten_byte(byte: u32) -> u64 {
    1 << (FIRST + byte)
}

/// Ranges of bytes of a thread's stack, apart and in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Unwritten(Vec<(u32, u32)>);

impl Unwritten {
    /// Whether nothing was written to any of the bytes.
    pub(crate) fn has_all(&self, bytes: &Range<u32>) -> bool {
        let before = self.0.partition_point(|&(start, _)| start <= bytes.start);
        before.checked_sub(1).is_some_and(|range| bytes.end <= self.0[range].1)
    }

    /// Of up to eight bytes, a mark for each to which nothing was written. A register that names more has no marks.
    pub(crate) fn marks(&self, bytes: &Range<u32>) -> u64 {
        if self.0.is_empty() || bytes.len() > 8 {
            return 0;
        }
        let mut found = 0;
        for byte in bytes.clone().filter(|&byte| self.has_all(&(byte..byte + 1))) {
            found |= unwritten_byte(byte - bytes.start);
        }
        found
    }

    /// Bytes of a register are written, some of which may be copies of such memory.
    pub(crate) fn write(&mut self, bytes: &Range<u32>, marks: u64) {
        if !self.0.is_empty() {
            self.remove(bytes);
        }
        for byte in bytes.clone().take(8).filter(|&byte| marks & unwritten_byte(byte - bytes.start) != 0) {
            self.insert(&(byte..byte + 1));
        }
    }

    /// Something is written.
    fn remove(&mut self, bytes: &Range<u32>) {
        let from = self.0.partition_point(|&(_, end)| end <= bytes.start);
        let to = self.0.partition_point(|&(start, _)| start < bytes.end);
        if from >= to {
            return;
        }
        let (first, last) = (self.0[from].0, self.0[to - 1].1);
        let rest = [(first, bytes.start), (bytes.end, last)].into_iter().filter(|&(start, end)| start < end);
        self.0.splice(from..to, rest);
    }

    /// Memory begins.
    pub(crate) fn insert(&mut self, bytes: &Range<u32>) {
        let from = self.0.partition_point(|&(_, end)| end < bytes.start);
        let to = self.0.partition_point(|&(start, _)| start <= bytes.end);
        let start = self.0[from..to].first().map_or(bytes.start, |range| range.0.min(bytes.start));
        let end = self.0[from..to].last().map_or(bytes.end, |range| range.1.max(bytes.end));
        self.0.splice(from..to, [(start, end)]);
    }

    /// Forgets what lies beyond the first words.
    pub(crate) fn truncate(&mut self, words: usize) {
        while self.0.last().is_some_and(|&(start, _)| start as usize >= words * 8) {
            self.0.pop();
        }
        if let Some(last) = self.0.last_mut() {
            last.1 = last.1.min((words * 8) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_the_sets_of_bytes_that_they_stand_for() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..2_000 {
            let (mut ranges, mut bytes) = (Unwritten::default(), [false; 64]);
            for _ in 0..20 {
                let start = random.u32(..63);
                let range = start..random.u32(start + 1..=64);
                let slice = range.start as usize..range.end as usize;
                assert_eq!(ranges.has_all(&range), bytes[slice.clone()].iter().all(|&unwritten| unwritten));
                let word = start..(start + 8).min(64);
                let marked = |byte: u32| ranges.marks(&word) & unwritten_byte(byte - start) != 0;
                assert!(word.clone().all(|byte| marked(byte) == bytes[byte as usize]));
                match random.u8(..5) {
                    0 | 1 => {
                        ranges.insert(&range);
                        bytes[slice].fill(true);
                    }
                    2 if range.len() <= 8 => {
                        let marks = random.u64(..) & UNWRITTEN;
                        ranges.write(&range, marks);
                        for byte in range {
                            bytes[byte as usize] = marks & unwritten_byte(byte - start) != 0;
                        }
                    }
                    2 | 3 => {
                        ranges.remove(&range);
                        bytes[slice].fill(false);
                    }
                    _ => {
                        ranges.truncate(slice.start);
                        bytes[(slice.start * 8).min(64)..].fill(false);
                    }
                }
                assert!(ranges.0.windows(2).all(|pair| pair[0].1 < pair[1].0), "{ranges:?}");
            }
        }
    }
}
