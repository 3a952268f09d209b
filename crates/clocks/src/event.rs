/// An event of a thread: the thread's slot, and the number of the event among those of the slot. One word, because
/// there are very many of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event(u64);

const SLOT_SHIFT: u32 = 48;

impl Event {
    /// An event that no thread knows.
    pub(crate) const NONE: Event = Event(u64::MAX);

    #[inline(always)]
    pub(crate) const fn new(slot: u16, number: u64) -> Event {
        Event((slot as u64) << SLOT_SHIFT | number & ((1 << SLOT_SHIFT) - 1))
    }

    #[inline(always)]
    pub(crate) fn slot(self) -> u16 {
        (self.0 >> SLOT_SHIFT) as u16
    }

    #[inline(always)]
    pub(crate) fn number(self) -> u64 {
        self.0 & ((1 << SLOT_SHIFT) - 1)
    }

    #[inline(always)]
    pub(crate) fn to_bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn from_bits(bits: u64) -> Event {
        Event(bits)
    }
}
