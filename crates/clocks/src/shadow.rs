//! Races of plain accesses (paper 000, appendix B), found by the epochs of FastTrack in shadow memory.
//!
//! Eight bytes of the program have a granule of four words. A word is one access: which interval of which thread
//! ([`crate::intervals`]), which of the eight bytes, whether it wrote, whether it was atomic. Threads read and replace
//! words without locks; two that do so at once can lose a word and so miss a race, but not invent one.
//!
//! A word is replaced by a later access that it happens before, if whatever would race with the first would race with
//! the second. Words that cannot be replaced fill the granule; a fifth one evicts another, so a race may be missed if
//! there are more than four accesses of eight bytes of which none makes another redundant.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::location::prefetch;

/// The shadow of eight bytes that begin at a multiple of eight. All zeros: nothing is known of them.
#[repr(C, align(16))]
pub struct Granule([AtomicU64; 2]);

/// Which bytes of a granule an access touches, a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(u8);

/// How memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
}

/// Two accesses that conflict and of which neither happens before the other. The later one is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The slot of the thread that made the earlier access, and the thread's name if that is still the last thread of
    /// the slot.
    pub slot: u16,
    pub thread: Option<u32>,
    /// The earlier access was made after this event of its thread, and before the next one that released.
    pub after: u64,
    pub earlier: Touch,
    pub extent: Extent,
}

pub(crate) const WRITE: u32 = 1;
pub(crate) const ATOMIC: u32 = 2;
const BYTES_SHIFT: u32 = 2;
pub(crate) const BYTES: u32 = 0xff << BYTES_SHIFT;
pub(crate) const INTERVAL_SHIFT: u32 = 10;

impl Extent {
    pub const WHOLE: Extent = Extent(0xff);

    /// `size` bytes at an address: 1, 2, 4 or 8 bytes, aligned to their size. `None` otherwise: split the access.
    #[inline(always)]
    pub fn of(address: usize, size: usize) -> Option<Extent> {
        if size > 8 || !size.is_power_of_two() || address & (size - 1) != 0 {
            return None;
        }
        Some(Extent((((1u32 << size) - 1) << (address & 7)) as u8))
    }

    /// From one to eight bytes of a granule, from an offset on.
    #[inline(always)]
    pub fn within(offset: usize, length: usize) -> Extent {
        Extent((((1u32 << length) - 1) << offset) as u8)
    }

    /// The first of the bytes, and how many there are.
    pub fn range(self) -> (usize, usize) {
        (self.0.trailing_zeros() as usize, self.0.count_ones() as usize)
    }

    /// A bit for each byte of the granule.
    #[inline(always)]
    pub fn bytes(self) -> u8 {
        self.0
    }

    /// The extent and touch of a shadow word.
    #[inline(always)]
    pub(crate) fn word(self, touch: Touch) -> u32 {
        (self.0 as u32) << BYTES_SHIFT | touch.bits()
    }

    pub(crate) fn of_word(word: u32) -> Extent {
        Extent((word >> BYTES_SHIFT) as u8)
    }
}

impl Touch {
    #[inline]
    fn bits(self) -> u32 {
        match self {
            Touch::Read => 0,
            Touch::Write => WRITE,
            Touch::AtomicRead => ATOMIC,
            Touch::AtomicWrite => ATOMIC | WRITE,
        }
    }

    pub(crate) fn of(word: u32) -> Touch {
        match (word & ATOMIC != 0, word & WRITE != 0) {
            (false, false) => Touch::Read,
            (false, true) => Touch::Write,
            (true, false) => Touch::AtomicRead,
            (true, true) => Touch::AtomicWrite,
        }
    }
}

impl Granule {
    pub const fn new() -> Granule {
        Granule([AtomicU64::new(0), AtomicU64::new(0)])
    }

    #[inline(always)]
    pub(crate) fn halves(&self) -> [u64; 2] {
        [self.0[0].load(Ordering::Acquire), self.0[1].load(Ordering::Acquire)]
    }

    /// Whether one of the words is either of the two.
    #[inline(always)]
    pub(crate) fn holds(&self, one: u32, other: u32) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::*;
            // SAFETY: every x86_64 has SSE2; a granule is aligned. The halves need not be of the same moment.
            unsafe {
                let words: __m128i;
                core::arch::asm!("movdqa {}, xmmword ptr [{}]", out(xmm_reg) words, in(reg) self.0.as_ptr(),
                                 options(pure, readonly, nostack, preserves_flags));
                let is_one = _mm_cmpeq_epi32(words, _mm_set1_epi32(one as i32));
                let is_other = _mm_cmpeq_epi32(words, _mm_set1_epi32(other as i32));
                _mm_movemask_epi8(_mm_or_si128(is_one, is_other)) != 0
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let words = words(self.halves());
            words.contains(&one) || words.contains(&other)
        }
    }

    /// Puts a word at one place and clears others, a bit for each. All four are stored at once: a load of all of them
    /// would have to wait for a smaller store. What another thread puts there meanwhile is lost.
    #[inline(always)]
    pub(crate) fn replace(&self, halves: [u64; 2], cleared: u32, chosen: u32, word: u32) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::*;
            // SAFETY: every x86_64 has SSE2; a granule is aligned. Each word is stored at once, and that is enough.
            unsafe {
                let (gone, here) = (lane(cleared | chosen), lane(chosen));
                let old = _mm_set_epi64x(halves[1] as i64, halves[0] as i64);
                let new = _mm_and_si128(here, _mm_set1_epi32(word as i32));
                let words = _mm_or_si128(_mm_andnot_si128(gone, old), new);
                core::arch::asm!("movdqa xmmword ptr [{}], {}", in(reg) self.0.as_ptr(), in(xmm_reg) words,
                                 options(nostack, preserves_flags));
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        for half in 0..2 {
            let lane = |i: u32, old: u32| match (chosen >> i & 1, cleared >> i & 1) {
                (1, _) => word,
                (_, 1) => 0,
                _ => old,
            };
            let (low, high) = (
                lane(half * 2, halves[half as usize] as u32),
                lane(half * 2 + 1, (halves[half as usize] >> 32) as u32),
            );
            self.0[half as usize].store(u64::from(low) | u64::from(high) << 32, Ordering::Release);
        }
    }

    /// Remembers an access, if all words that overlap with it are of its interval or of four others, which happen
    /// before it. Otherwise nothing is done, and the answer is no. All words are looked at at once.
    #[inline(always)]
    pub(crate) fn remember_among(&self, word: u32, met: &[AtomicU32; 4]) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::*;
            // SAFETY: every x86_64 has SSE2; a granule is aligned, and so are the numbers. Each of the words is loaded
            // and stored at once, and that is enough.
            unsafe {
                let load = |from: *const AtomicU32| {
                    let words: __m128i;
                    core::arch::asm!("movdqa {}, xmmword ptr [{}]", out(xmm_reg) words, in(reg) from,
                                     options(pure, readonly, nostack, preserves_flags));
                    words
                };
                let all = |bits: u32| _mm_set1_epi32(bits as i32);
                let is_zero = |words| _mm_cmpeq_epi32(words, _mm_setzero_si128());
                let lanes = |masks| _mm_movemask_ps(_mm_castsi128_ps(masks)) as u32;
                let (words, new, met) = (load(self.0.as_ptr().cast()), all(word), load(met.as_ptr()));
                let numbers = _mm_srli_epi32::<{ INTERVAL_SHIFT as i32 }>(words);
                let present = _mm_srli_epi32::<{ INTERVAL_SHIFT as i32 }>(new);
                let first = _mm_cmpeq_epi32(numbers, _mm_shuffle_epi32::<0x00>(met));
                let second = _mm_cmpeq_epi32(numbers, _mm_shuffle_epi32::<0x55>(met));
                let third = _mm_cmpeq_epi32(numbers, _mm_shuffle_epi32::<0xaa>(met));
                let fourth = _mm_cmpeq_epi32(numbers, _mm_shuffle_epi32::<0xff>(met));
                let is_met = _mm_or_si128(_mm_or_si128(first, second), _mm_or_si128(third, fourth));
                let is_met = _mm_or_si128(is_met, _mm_cmpeq_epi32(numbers, present));
                let is_apart = is_zero(_mm_and_si128(words, all(word & BYTES)));
                if lanes(_mm_or_si128(is_apart, is_met)) != 15 {
                    return false;
                }
                // The new access touches as much, writes if the old one did, and is plain if the old one was.
                let lost = _mm_and_si128(_mm_andnot_si128(new, words), all(BYTES | WRITE));
                let weaker = _mm_andnot_si128(words, all(word & ATOMIC));
                let replaced = _mm_andnot_si128(is_apart, is_zero(_mm_or_si128(lost, weaker)));
                let (replaceable, empty) = (lanes(replaced), lanes(is_zero(words)));
                let room = place(word, replaceable, empty, lanes(is_apart) ^ 15);
                let here = lane(room);
                let kept = _mm_andnot_si128(_mm_or_si128(replaced, here), words);
                let words = _mm_or_si128(kept, _mm_and_si128(here, new));
                core::arch::asm!("movdqa xmmword ptr [{}], {}", in(reg) self.0.as_ptr(), in(xmm_reg) words,
                                 options(nostack, preserves_flags));
                true
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (word, met);
            false
        }
    }

    /// Asks for it, to be changed soon.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(core::ptr::from_ref(self));
    }

    /// Forgets all accesses, as when memory is freed and used again.
    pub fn clear(&self) {
        self.0.iter().for_each(|half| half.store(0, Ordering::Release));
    }
}

/// All bits of each of four words that has its bit.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn lane(bits: u32) -> core::arch::x86_64::__m128i {
    use core::arch::x86_64::*;
    // SAFETY: every x86_64 has SSE2.
    unsafe {
        let each = _mm_set_epi32(8, 4, 2, 1);
        _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(bits as i32), each), each)
    }
}

/// Where a word goes: it replaces another, or goes where there is room, or else where it loses least. A bit for each of
/// four.
#[inline(always)]
pub(crate) fn place(word: u32, replaced: u32, empty: u32, ordered_before: u32) -> u32 {
    let preferred = if replaced != 0 {
        replaced
    } else if empty != 0 {
        empty
    } else if ordered_before != 0 {
        ordered_before
    } else {
        // Neighbours, and the accesses of different threads, evict different words.
        1 << (((word & BYTES).trailing_zeros() + (word >> INTERVAL_SHIFT)) & 3)
    };
    preferred & preferred.wrapping_neg()
}

#[inline(always)]
pub(crate) fn word_at(halves: [u64; 2], i: u32) -> u32 {
    let half = if i < 2 { halves[0] } else { halves[1] };
    (half >> (i % 2 * 32)) as u32
}

#[inline(always)]
pub(crate) fn words([low, high]: [u64; 2]) -> [u32; 4] {
    [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32]
}

/// One bit for each of four words: those that have some of these bits, and those that are 0.
#[inline(always)]
pub(crate) fn with_and_empty(halves: [u64; 2], bits: u32) -> (u32, u32) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::*;
        // SAFETY: every x86_64 has SSE2.
        unsafe {
            let words = _mm_set_epi64x(halves[1] as i64, halves[0] as i64);
            let zero = _mm_setzero_si128();
            let lanes = |equal| _mm_movemask_ps(_mm_castsi128_ps(equal)) as u32;
            let without = lanes(_mm_cmpeq_epi32(_mm_and_si128(words, _mm_set1_epi32(bits as i32)), zero));
            (without ^ 15, lanes(_mm_cmpeq_epi32(words, zero)))
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let (mut with, mut empty) = (0, 0);
        for (i, word) in words(halves).into_iter().enumerate() {
            with |= u32::from(word & bits != 0) << i;
            empty |= u32::from(word == 0) << i;
        }
        (with, empty)
    }
}

impl Default for Granule {
    fn default() -> Granule {
        Granule::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    /// What [`Granule::remember_among`] does, word by word.
    fn remembered(words: [u32; 4], new: u32, met: [u32; 4]) -> Option<[u32; 4]> {
        let overlaps = |old: u32| old & new & BYTES != 0;
        let is_met = |old: u32| {
            let interval = old >> INTERVAL_SHIFT;
            interval == new >> INTERVAL_SHIFT || met.contains(&interval)
        };
        if words.into_iter().any(|old| overlaps(old) && !is_met(old)) {
            return None;
        }
        let is_replaced = |old: u32| {
            let touches_as_much = old & BYTES & !new == 0;
            let writes_if_it_did = old & WRITE == 0 || new & WRITE != 0;
            let plain_if_it_was = old & ATOMIC != 0 || new & ATOMIC == 0;
            overlaps(old) && touches_as_much && writes_if_it_did && plain_if_it_was
        };
        let first = |fits: &dyn Fn(u32) -> bool| words.iter().position(|&old| fits(old));
        let evicted = || (((new & BYTES).trailing_zeros() + (new >> INTERVAL_SHIFT)) % 4) as usize;
        let place = first(&is_replaced).or_else(|| first(&|old| old == 0)).or_else(|| first(&overlaps));
        let mut after = words.map(|old| if is_replaced(old) { 0 } else { old });
        after[place.unwrap_or_else(evicted)] = new;
        Some(after)
    }

    fn random_word(random: &mut Rng) -> u32 {
        let extent = Extent::of(random.usize(..8) & !1, 1 << random.usize(..2)).unwrap_or(Extent::WHOLE);
        random.u32(1..7) << INTERVAL_SHIFT | (extent.0 as u32) << BYTES_SHIFT | random.u32(..4)
    }

    #[test]
    fn all_words_at_once_are_the_same_as_one_after_the_other() {
        let mut random = Rng::with_seed(5);
        let mut refused = 0;
        for _ in 0..50_000 {
            let old: [u32; 4] =
                core::array::from_fn(|_| if random.u8(..4) == 0 { 0 } else { random_word(&mut random) });
            let met: [u32; 4] = core::array::from_fn(|_| random.u32(..7));
            let new = random_word(&mut random);
            let granule = Granule::new();
            for (i, half) in granule.0.iter().enumerate() {
                half.store(u64::from(old[i * 2]) | u64::from(old[i * 2 + 1]) << 32, Ordering::Relaxed);
            }
            #[repr(align(16))]
            struct Numbers([AtomicU32; 4]);
            let is_done = granule.remember_among(new, &Numbers(met.map(AtomicU32::new)).0);
            let expected = remembered(old, new, met);
            if cfg!(target_arch = "x86_64") {
                assert_eq!(is_done, expected.is_some(), "{old:x?} {new:x} {met:x?}");
            }
            assert_eq!(words(granule.halves()), expected.filter(|_| is_done).unwrap_or(old), "{new:x} {met:x?}");
            refused += usize::from(!is_done);
        }
        assert!(!cfg!(target_arch = "x86_64") || (5_000..45_000).contains(&refused), "{refused}");
    }
}
