//! What the monitors track: which views there are, and what each bit of a view stands for.
//!
//! A set bit of a view means "may still be missed". For a location, a bit stands for a class of stale values; for a
//! race cell, it stands for the last access. Where the bits are stored is up to [`Layout`](super::Layout).

use fencepost_monitor::{Cell, Plan, View};

use super::cells::{RaceCells, Stale};
use super::facts::Facts;
use crate::index::{IndexVec, LocationId};
use crate::lts::Lts;
use crate::{Options, Properties};

/// The locations at which a search looks for violations. What monitors track about one location is independent of what
/// they track about another, because views are joined, copied and forgotten location by location. So a program can be
/// searched for one location at a time, and state spaces add up instead of multiplying. (This is not so under
/// observational robustness: whether a read is taken as stale decides what its thread learns of other locations.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Focus {
    Everything,
    /// Stale accesses to this location, and races on it.
    Location(LocationId),
}

impl Focus {
    fn on(self, location: LocationId) -> bool {
        self == Focus::Everything || self == Focus::Location(location)
    }

    /// One for each location where a violation is possible.
    pub(crate) fn all(lts: &Lts, options: &Options) -> Vec<Focus> {
        let tracking = Tracking::new(lts, options, Focus::Everything);
        let matters = |&location: &LocationId| {
            let stale = tracking.monitored[location].is_some_and(|m| tracking.stale[m].sc_bit.is_some());
            stale || tracking.races[location].is_some()
        };
        lts.locations.indices().filter(matters).map(Focus::Location).collect()
    }
}

/// The views of the monitors, and the meaning of their bits.
pub struct Tracking {
    pub plan: Plan,
    /// Whether several threads access a location, and one writes it. The life of an object is shared if one thread
    /// frees it, and others use it or free it too.
    pub shared: IndexVec<LocationId, bool>,
    /// The number of a location among the monitored ones.
    pub monitored: IndexVec<LocationId, Option<usize>>,
    /// By monitored location.
    pub stale: Vec<Stale>,
    pub races: IndexVec<LocationId, Option<RaceCells>>,
    sc_bits: u32,
    stale_bits: u32,
    race_bits: u32,
}

impl Tracking {
    pub(crate) fn new(lts: &Lts, options: &Options, focus: Focus) -> Tracking {
        let facts = Facts::of(lts);
        // Stale reads taint, even if robustness is not checked.
        let wanted = options.properties.robustness || options.observational;
        let (stale, stale_bits) = facts.stale(lts, |location| wanted && focus.on(location));
        let Properties { races, assertions, .. } = options.properties;
        // Accesses that were widened must not be concurrent, even if races are not checked.
        let races = |location: LocationId| races || lts.is_wide(lts.locations[location].address);
        let wanted = |location, is_life| if is_life { assertions } else { races(location) } && focus.on(location);
        let (races, race_bits) = facts.races(wanted);
        let plan = Plan::new(facts.needs(lts, race_bits as usize));
        Tracking {
            plan,
            shared: lts.locations.indices().map(|location| facts.concerns_several(location)).collect(),
            monitored: facts.monitored,
            sc_bits: stale.iter().filter(|s| s.sc_bit.is_some()).count() as u32,
            stale,
            races,
            stale_bits,
            race_bits,
        }
    }

    /// How many bits a view has.
    pub fn bits(&self, view: View) -> u32 {
        match view {
            view if self.is_sc_view(view) => self.sc_bits,
            view if self.is_hb_view(view) => self.stale_bits + self.race_bits,
            view if view == self.plan.scratch() && self.plan.psc_views() == 0 => 0,
            _ => self.stale_bits,
        }
    }

    /// The bit of a cell in a view along happens-before.
    pub fn race_bit(&self, cell: Cell) -> u32 {
        self.stale_bits + cell.0 - self.stale.len() as u32
    }

    pub(crate) fn is_sc_view(&self, view: View) -> bool {
        view.0 < self.plan.sc_views()
    }

    fn is_hb_view(&self, view: View) -> bool {
        (self.plan.sc_views()..self.plan.sc_views() + self.plan.hb_views()).contains(&view.0)
    }

    /// The bits of a view that speak about a cell.
    pub fn cell_bits(&self, view: View, cell: Cell) -> Vec<u32> {
        match self.stale.get(cell.0 as usize) {
            Some(stale) if self.is_sc_view(view) => stale.sc_bit.into_iter().collect(),
            Some(stale) => stale.reads.all().chain(stale.updates.all()).collect(),
            None if self.is_hb_view(view) => vec![self.race_bit(cell)],
            None => Vec::new(),
        }
    }
}
