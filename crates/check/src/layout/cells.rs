//! The classes of stale values of a location, and the last accesses to it: what the bits of a view stand for.

use fencepost_monitor::Cell;
use fencepost_program::Value;

use crate::index::{Index, ValueId};

/// Stale values of one location in classes, one bit each: critical values have a class each, all others share one.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    first: u32,
    /// By value; all further values are in the last class.
    of_value: Vec<u32>,
    pub count: u32,
}

impl Classes {
    /// The bits from `first` on. `closed`: no other values will turn up.
    pub(crate) fn new(first: u32, values: &[Value], critical: &[Value], all_critical: bool, closed: bool) -> Classes {
        if all_critical {
            let count = if closed { values.len() } else { values.len().next_power_of_two() * 2 } as u32;
            return Classes { first, of_value: (0..count).collect(), count };
        }
        // A critical value that nothing writes yet gets its class when it turns up, by a new layout.
        let known = values.iter().filter(|v| critical.contains(v)).count() as u32;
        let mut classes = 0..known;
        let of_value = values.iter().map(|v| if critical.contains(v) { classes.next() } else { None });
        let of_value = of_value.map(|class| class.unwrap_or(known)).collect();
        let distinct = critical.iter().filter(|v| values.contains(v)).count();
        let others = !closed || distinct < values.len();
        Classes { first, of_value, count: known + others as u32 }
    }

    pub fn all(&self) -> impl Iterator<Item = u32> + use<> {
        self.first..self.first + self.count
    }

    /// The bit of a value.
    pub fn bit(&self, value: ValueId) -> Option<u32> {
        let last = self.count.checked_sub(1)?;
        Some(self.first + self.of_value.get(value.index()).copied().unwrap_or(last))
    }

    /// How many values had a class of their own when the classes were made; later ones are in the last class.
    pub(crate) fn classified(&self) -> usize {
        self.of_value.len()
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
    /// The cells of the earlier accesses that an access must be aware of, and its own cell.
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

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use fencepost_testing::seeds;

    use super::*;

    #[test]
    fn critical_values_have_a_bit_each_and_others_share_one() {
        for seed in seeds(500) {
            let mut random = Rng::with_seed(seed);
            let mut some = |most: usize| -> Vec<Value> { (0..random.usize(..most)).map(|_| random.i64(..8)).collect() };
            let (mut values, mut critical) = (some(8), some(5));
            critical.sort_unstable();
            critical.dedup();
            // Only the first value can be there twice: as that of memory to which nothing was written.
            let first = random.i64(..8);
            values.sort_unstable();
            values.dedup();
            values.insert(0, first);
            for closed in [false, true] {
                let classes = Classes::new(10, &values, &critical, false, closed);
                let bits: Vec<u32> = (0..values.len()).map(|v| classes.bit(ValueId::from_index(v)).unwrap()).collect();
                assert!(bits.iter().all(|&bit| classes.all().any(|other| other == bit)), "seed {seed}");
                for (a, value) in values.iter().enumerate() {
                    for b in 0..a {
                        let shared = !critical.contains(value) && !critical.contains(&values[b]);
                        assert_eq!(bits[a] == bits[b], shared, "seed {seed}: {critical:?} of {values:?}");
                    }
                }
                let others = !closed || values.iter().any(|value| !critical.contains(value));
                if others {
                    let later = classes.bit(ValueId::from_index(values.len() + 3)).unwrap();
                    let own = values.iter().zip(&bits).filter(|(value, _)| critical.contains(value));
                    assert!(own.map(|(_, bit)| bit).all(|&bit| bit != later), "seed {seed}: a later value is no other");
                }
            }
        }
    }

    #[test]
    fn all_values_have_a_bit_each_if_all_are_critical() {
        for count in 1..40 {
            let values: Vec<Value> = (0..count).collect();
            for closed in [false, true] {
                let classes = Classes::new(3, &values, &[], true, closed);
                let bits: Vec<u32> = (0..values.len()).map(|v| classes.bit(ValueId::from_index(v)).unwrap()).collect();
                assert_eq!(bits, (3..3 + count as u32).collect::<Vec<u32>>());
                assert!(if closed { classes.count == count as u32 } else { classes.count > count as u32 });
            }
        }
    }
}
