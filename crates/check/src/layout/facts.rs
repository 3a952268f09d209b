//! What the threads do to each location, and to each object on the heap.

use fencepost_monitor::{Cell, Needs};
use fencepost_program::Value;
use hashbrown::HashMap;

use super::cells::{Classes, RaceCells, Stale};
use crate::index::{IndexVec, LocationId};
use crate::lts::{Lts, Usage};

/// The uses of each location by threads. The views and bits of the monitors follow from them.
pub(crate) struct Facts {
    threads: usize,
    by_location: HashMap<LocationId, Vec<Usage>>,
    /// The number of a location among the monitored ones.
    pub monitored: IndexVec<LocationId, Option<usize>>,
    /// The monitored locations.
    locations: Vec<LocationId>,
    lives: HashMap<LocationId, LifeUsage>,
}

/// The threads that allocate, access and free an object on the heap.
#[derive(Default)]
struct LifeUsage {
    allocate: Vec<usize>,
    access: Vec<usize>,
    free: Vec<usize>,
}

impl LifeUsage {
    /// Whether one thread frees it, and another uses it or frees it too.
    fn is_contended(&self) -> bool {
        self.free.iter().any(|by| self.access.iter().chain(&self.free).any(|other| other != by))
    }

    fn concerns_several(&self) -> bool {
        let mut all = self.allocate.iter().chain(&self.access).chain(&self.free);
        all.next().is_some_and(|first| all.any(|other| other != first))
    }
}

impl Facts {
    pub(crate) fn of(lts: &Lts) -> Facts {
        let mut by_location: HashMap<LocationId, Vec<Usage>> = HashMap::new();
        for &usage in &lts.uses.usages {
            by_location.entry(usage.location).or_default().push(usage);
        }
        let lives = lives(lts, &by_location);
        let threads = lts.threads.count();
        let mut facts = Facts { threads, by_location, monitored: IndexVec::default(), locations: Vec::new(), lives };
        for location in lts.locations.indices() {
            // A location of one thread, or one that is never written or never accessed atomically, cannot go stale.
            let monitored = facts.shared(location) && facts.any(location, |u| u.order.atomic);
            facts.monitored.push(monitored.then_some(facts.locations.len()));
            if monitored {
                facts.locations.push(location);
            }
        }
        facts
    }

    fn any(&self, location: LocationId, predicate: impl Fn(&Usage) -> bool) -> bool {
        self.by_location.get(&location).is_some_and(|usages| usages.iter().any(predicate))
    }

    fn shared(&self, location: LocationId) -> bool {
        let Some(first) = self.by_location.get(&location).and_then(|u| u.first()) else { return false };
        self.any(location, |u| u.thread != first.thread) && self.any(location, |u| u.writes)
    }

    /// See [`Tracking::shared`](super::Tracking::shared).
    pub(crate) fn concerns_several(&self, location: LocationId) -> bool {
        self.lives.get(&location).map_or_else(|| self.shared(location), LifeUsage::is_contended)
    }

    /// The classes of stale values of each monitored location, if it is wanted, and the number of their bits.
    pub(crate) fn stale(&self, lts: &Lts, wanted: impl Fn(LocationId) -> bool) -> (Vec<Stale>, u32) {
        let mut bits = 0;
        let mut sc_bits = 0;
        let stale = self.locations.iter().map(|&location| {
            let known = &lts.locations[location];
            let classes = |bits: &mut u32, wanted: bool, critical: &[Value], all_critical: bool| {
                if !wanted {
                    return Classes::default();
                }
                let classes = Classes::new(*bits, &known.values, critical, all_critical, lts.closed);
                *bits += classes.count;
                classes
            };
            let wanted = wanted(location);
            let read = wanted && self.any(location, |u| u.reads && !u.writes && u.order.atomic);
            // Only the predecessor of a plain write can be overtaken: an RMW leaves no room behind its source.
            let overtaken = wanted && self.any(location, |u| u.writes && !u.reads);
            let reads = classes(&mut bits, read, &known.critical_reads, known.tells_all_reads_apart());
            let updates = classes(&mut bits, overtaken, &known.critical_updates, known.all_critical);
            let sc_bit = (read || overtaken).then(|| {
                sc_bits += 1;
                sc_bits - 1
            });
            Stale { reads, updates, sc_bit }
        });
        let stale = stale.collect();
        (stale, bits)
    }

    /// The race cells of each location that is wanted, and their number.
    pub(crate) fn races(
        &self,
        wanted: impl Fn(LocationId, bool) -> bool,
    ) -> (IndexVec<LocationId, Option<RaceCells>>, u32) {
        let first = self.locations.len() as u32;
        let mut count = 0;
        let races = self.monitored.indices().map(|location| {
            let life = self.lives.get(&location);
            let mut cell = |wanted: bool| {
                wanted.then(|| {
                    count += 1;
                    Cell(first + count - 1)
                })
            };
            if !wanted(location, life.is_some()) {
                return None;
            }
            if let Some(life) = life.filter(|life| life.concerns_several()) {
                return Some(life_cells(life, self.threads, cell));
            }
            if !self.shared(location) || !self.any(location, |u| !u.order.atomic) {
                return None;
            }
            let plain_write = cell(self.any(location, |u| u.writes && !u.order.atomic));
            let mut class = |writes: bool, atomic: bool| {
                (0..self.threads)
                    .map(|t| {
                        cell(self.any(location, |u| u.thread == t && u.writes == writes && u.order.atomic == atomic))
                    })
                    .collect::<Vec<_>>()
            };
            let plain_reads = class(false, false);
            let atomic_reads = class(false, true);
            let atomic_writes = class(true, true);
            Some(RaceCells { plain_write, plain_reads, atomic_reads, atomic_writes })
        });
        let races = races.collect();
        (races, count)
    }

    pub(crate) fn needs(&self, lts: &Lts, race_cells: usize) -> Needs {
        let usages = || lts.uses.usages.iter();
        let at = |predicate: &dyn Fn(&Usage) -> bool| {
            self.locations.iter().map(|&l| self.any(l, predicate)).collect::<Vec<bool>>()
        };
        Needs {
            threads: self.threads,
            locations: self.locations.len(),
            race_cells,
            acquire_fences: lts.uses.acquire_fences.clone(),
            relaxed_writes: (0..self.threads)
                .map(|t| {
                    usages()
                        .any(|u| u.thread == t && u.writes && !u.order.release && self.monitored[u.location].is_some())
                })
                .collect(),
            read: at(&|u| u.reads && !u.writes),
            synchronises: at(&|u| u.reads && (u.order.acquire || lts.uses.acquire_fences[u.thread])),
            sc_fences: lts.uses.sc_fences,
            sc_locations: at(&|u| u.order.sc),
        }
    }
}

/// Allocating and freeing an object write its life, and accessing it reads its life. If no thread frees the object, its
/// accesses need not be remembered.
fn life_cells(life: &LifeUsage, threads: usize, mut cell: impl FnMut(bool) -> Option<Cell>) -> RaceCells {
    let freed = !life.free.is_empty();
    RaceCells {
        plain_write: cell(true),
        plain_reads: (0..threads).map(|thread| cell(freed && life.access.contains(&thread))).collect(),
        atomic_reads: vec![None; threads],
        atomic_writes: vec![None; threads],
    }
}

fn lives(lts: &Lts, by_location: &HashMap<LocationId, Vec<Usage>>) -> HashMap<LocationId, LifeUsage> {
    let mut lives: HashMap<LocationId, LifeUsage> = lts.heap.lives().map(|life| (life, LifeUsage::default())).collect();
    let mut note = |life: LocationId, thread: usize, list: fn(&mut LifeUsage) -> &mut Vec<usize>| {
        if let Some(usage) = lives.get_mut(&life)
            && !list(usage).contains(&thread)
        {
            list(usage).push(thread);
        }
    };
    lts.heap.allocs.iter().for_each(|&(thread, life)| note(life, thread, |usage| &mut usage.allocate));
    lts.heap.frees.iter().for_each(|&(thread, life)| note(life, thread, |usage| &mut usage.free));
    for (&location, usages) in by_location {
        for &life in &lts.lives_around(location) {
            usages.iter().for_each(|u| note(life, u.thread, |usage| &mut usage.access));
        }
    }
    lives
}
