//! The locations that threads access, with their values.

use std::ops;

use fencepost_program::{Accept, Address, CasKind, Value};
use hashbrown::HashMap;

use super::Step;
use crate::index::{Index, IndexVec, LocationId, ValueId};

/// When more critical values of a location than this turn up along a search, all its values are critical from then on.
const CRITICAL_LIMIT: usize = 4;

pub struct Location {
    pub address: Address,
    pub values: Vec<Value>,
    index: HashMap<Value, ValueId>,
    /// The first value means that nothing was written yet.
    pub unwritten: bool,
    /// Values that decide whether a `wait` or a failing CAS can read, and whether a CAS or BCAS can update: the
    /// critical values of paper 003 Def. 5.5.
    pub critical_reads: Vec<Value>,
    pub critical_updates: Vec<Value>,
    /// All values are critical.
    pub all_critical: bool,
    /// All values are critical to reads: some of them make a thread spin.
    pub all_reads_critical: bool,
}

impl Location {
    pub(crate) fn value(&self, number: ValueId) -> Value {
        self.values[number.index()]
    }

    /// Whether each value must be told from all others in what reads may return.
    pub(crate) fn tells_all_reads_apart(&self) -> bool {
        self.all_critical || self.all_reads_critical
    }
}

/// All locations that are known.
#[derive(Default)]
pub(crate) struct Locations {
    all: IndexVec<LocationId, Location>,
    index: HashMap<Address, LocationId>,
    /// During a closure, the locations with new values.
    grown: Option<Vec<LocationId>>,
    /// Counts what is found about critical values.
    criticals: u64,
}

impl Locations {
    /// From now on, notes the locations with new values for [`Locations::take_grown`]. So far, all are new.
    pub(super) fn begin_closure(&mut self) {
        self.grown = Some(self.all.indices().collect());
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Location> {
        self.all.iter()
    }

    pub(crate) fn indices(&self) -> impl Iterator<Item = LocationId> + use<> {
        self.all.indices()
    }

    /// How many values are known, of all locations together.
    pub(crate) fn value_count(&self) -> usize {
        self.all.iter().map(|location| location.values.len()).sum()
    }

    pub(super) fn version(&self) -> u64 {
        self.all.len() as u64 + self.criticals
    }

    pub(super) fn at(&self, address: Address) -> Option<LocationId> {
        self.index.get(&address).copied()
    }

    pub(super) fn add(&mut self, address: Address, initial: Value, unwritten: bool, critical: bool) -> LocationId {
        let number = self.all.push(Location {
            address,
            values: vec![initial],
            index: if unwritten { HashMap::new() } else { HashMap::from([(initial, ValueId::FIRST)]) },
            unwritten,
            critical_reads: Vec::new(),
            critical_updates: Vec::new(),
            all_critical: false,
            all_reads_critical: critical,
        });
        self.index.insert(address, number);
        self.note_grown(number);
        number
    }

    /// The number of a value, which is added if it is new.
    pub(super) fn value(&mut self, location: LocationId, value: Value) -> ValueId {
        let known = &mut self.all[location];
        if let Some(&number) = known.index.get(&value) {
            return number;
        }
        let number = ValueId::from_index(known.values.len());
        known.values.push(value);
        known.index.insert(value, number);
        self.note_grown(location);
        number
    }

    fn note_grown(&mut self, location: LocationId) {
        if let Some(grown) = &mut self.grown {
            grown.push(location);
        }
    }

    /// The locations that were added, or got values, since this was last asked, in ascending order.
    pub(super) fn take_grown(&mut self) -> Vec<LocationId> {
        let mut grown = self.grown.as_mut().map(std::mem::take).unwrap_or_default();
        grown.sort_unstable();
        grown.dedup();
        grown
    }

    /// Notes the values that decide what a step can do.
    pub(super) fn note_critical(&mut self, location: LocationId, step: Step) {
        match step {
            Step::Wait { accept: Accept::Exactly(v) | Accept::AllBut(v), .. } => self.critical_read(location, v),
            Step::Cas { expected, kind, .. } => {
                if kind == CasKind::Strong {
                    self.critical_read(location, expected);
                }
                self.critical_update(location, expected);
            }
            Step::Rmw { accept: Accept::Exactly(v) | Accept::AllBut(v), .. } => self.critical_update(location, v),
            // No few values decide what the step accepts.
            Step::Wait { accept: Accept::AtLeast(_), .. } | Step::Rmw { accept: Accept::AtLeast(_), .. } => {
                let location = &mut self.all[location];
                self.criticals += !(location.all_critical && location.all_reads_critical) as u64;
                (location.all_critical, location.all_reads_critical) = (true, true);
            }
            _ => {}
        }
    }

    pub(super) fn make_all_reads_critical(&mut self, location: LocationId) {
        let location = &mut self.all[location];
        self.criticals += !location.all_reads_critical as u64;
        location.all_reads_critical = true;
    }

    fn critical_read(&mut self, location: LocationId, value: Value) {
        self.critical(location, value, |location| &mut location.critical_reads);
    }

    fn critical_update(&mut self, location: LocationId, value: Value) {
        self.critical(location, value, |location| &mut location.critical_updates);
    }

    fn critical(&mut self, location: LocationId, value: Value, set: fn(&mut Location) -> &mut Vec<Value>) {
        let location = &mut self.all[location];
        if location.all_critical || set(location).contains(&value) {
            return;
        }
        set(location).push(value);
        // A closure finds all values, however many are critical.
        location.all_critical = self.grown.is_none() && set(location).len() > CRITICAL_LIMIT;
        self.criticals += 1;
    }
}

impl ops::Index<LocationId> for Locations {
    type Output = Location;

    fn index(&self, location: LocationId) -> &Location {
        &self.all[location]
    }
}
