//! What the bits of a view stand for: stale values of a location in classes, and the last accesses to it.

use fencepost_monitor::Cell;

/// Stale values of one location in classes, one bit each: critical values have a class each, all others share one.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    first: u32,
    /// By the number of the value; all further values are in the last class.
    of_value: Vec<u32>,
    pub count: u32,
}

impl Classes {
    pub(crate) fn new(first: u32, values: &[i64], critical: &[i64], all_critical: bool, closed: bool) -> Classes {
        if all_critical {
            let count = if closed { values.len() } else { values.len().next_power_of_two() * 2 } as u32;
            return Classes { first, of_value: (0..count).collect(), count };
        }
        let known = critical.iter().filter(|v| values.contains(v)).count() as u32;
        let others = !closed || known < values.len() as u32;
        let mut next = 0;
        let mut of_value: Vec<u32> = values
            .iter()
            .map(|v| {
                if !critical.contains(v) {
                    return u32::MAX;
                }
                next += 1;
                next - 1
            })
            .collect();
        // A critical value that nothing writes yet gets its class when it turns up, by a new layout.
        let other = next;
        of_value.iter_mut().filter(|c| **c == u32::MAX).for_each(|c| *c = other);
        Classes { first, of_value, count: next + others as u32 }
    }

    pub fn all(&self) -> impl Iterator<Item = u32> + use<> {
        self.first..self.first + self.count
    }

    /// The bit of a value, by its number.
    pub fn bit(&self, value: u32) -> Option<u32> {
        let last = self.count.checked_sub(1)?;
        Some(self.first + self.of_value.get(value as usize).copied().unwrap_or(last))
    }
}

/// The classes of a monitored location.
#[derive(Clone, Debug, Default)]
pub struct Stale {
    /// V of the papers: what a read may return.
    pub reads: Classes,
    /// V_RMW: what a write or an RMW may follow.
    pub updates: Classes,
    /// The bit in the views of SC-happens-before; `None` if no step can go stale here.
    pub sc_bit: Option<u32>,
}

/// The race cells of a location that has non-atomic accesses: the last access of each class. Accesses of one class
/// are hb-ordered, unless there was a race before.
#[derive(Clone, Debug, Default)]
pub struct RaceCells {
    pub plain_write: Option<Cell>,
    pub plain_reads: Vec<Option<Cell>>,
    pub atomic_reads: Vec<Option<Cell>>,
    pub atomic_writes: Vec<Option<Cell>>,
}

impl RaceCells {
    /// The cells that an access must be aware of, and the one that it touches itself.
    pub fn of_access(&self, thread: usize, writes: bool, atomic: bool) -> (Vec<Cell>, Option<Cell>) {
        let mut conflicts: Vec<Cell> = self.plain_write.into_iter().collect();
        if writes {
            conflicts.extend(self.plain_reads.iter().flatten());
        }
        if !atomic {
            conflicts.extend(self.atomic_writes.iter().flatten());
            if writes {
                conflicts.extend(self.atomic_reads.iter().flatten());
            }
        }
        let touched = match (atomic, writes) {
            (false, true) => self.plain_write,
            (false, false) => self.plain_reads[thread],
            (true, true) => self.atomic_writes[thread],
            (true, false) => self.atomic_reads[thread],
        };
        (conflicts, touched)
    }
}

impl Classes {
    /// How many values had a class of their own choice when the classes were made; later ones are in the last class.
    pub(crate) fn classified(&self) -> usize {
        self.of_value.len()
    }
}
