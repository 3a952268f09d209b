//! Which reads the values of a thread depend on: the dependency store of paper 001 Def. 3.9.

use std::ops::Range;

/// Sets of reads, as the bits of a word, for bytes of a thread's stack. A register has its set at its first byte. Few
/// bytes have one, and those are listed in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Marks(Vec<(u32, u64)>);

impl Marks {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn within(&self, bytes: &Range<u32>) -> Range<usize> {
        let at = |byte: u32| self.0.partition_point(|&(known, _)| known < byte);
        at(bytes.start)..at(bytes.end)
    }

    /// The marks of some bytes together.
    pub(crate) fn of(&self, bytes: Range<u32>) -> u64 {
        self.0[self.within(&bytes)].iter().fold(0, |all, &(_, marks)| all | marks)
    }

    pub(crate) fn set(&mut self, bytes: Range<u32>, marks: u64) {
        if marks == 0 && self.is_empty() {
            return;
        }
        let known = self.within(&bytes);
        if marks == 0 {
            self.0.drain(known);
        } else {
            self.0.splice(known, bytes.map(|byte| (byte, marks)));
        }
    }

    /// Of the register that is this word of the stack.
    pub(crate) fn of_word(&self, word: usize) -> u64 {
        self.of(word as u32 * 8..word as u32 * 8 + 1)
    }

    pub(crate) fn set_word(&mut self, word: usize, marks: u64) {
        self.set(word as u32 * 8..word as u32 * 8 + 1, marks);
    }

    /// Forgets what lies beyond the first words.
    pub(crate) fn truncate(&mut self, words: usize) {
        let end = self.0.partition_point(|&(byte, _)| (byte as usize) < words * 8);
        self.0.truncate(end);
    }
}
