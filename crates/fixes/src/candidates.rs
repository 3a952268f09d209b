//! Changes that may be worth trying, and which of them forbid something.

use fencepost_models::{Model, Orderings};
use fencepost_program::{Change, Ordering, Span};

use crate::Assignment;

/// Above this many accesses, pairs of orderings are not tried.
const PAIRS_LIMIT: usize = 12;

/// An access with its place in the source.
#[derive(Clone, Copy, Debug)]
pub struct PlacedAccess {
    pub site: Span,
    pub order: Ordering,
    pub reads: bool,
    pub writes: bool,
}

/// Every change of one access.
pub fn stronger_orderings(model: Model, places: &[PlacedAccess]) -> Vec<Change> {
    let changes = places
        .iter()
        .flat_map(|place| stronger(model, place).map(move |order| Change::Order { site: place.site, order }));
    changes.collect()
}

/// Every atomic access is release or acquire, and what is both as it can; or every one is SC.
pub fn everywhere(model: Model, places: &[PlacedAccess]) -> [Assignment; 2] {
    [Ordering::AcqRel, Ordering::SeqCst].map(|most| {
        let strongest = |place: &PlacedAccess| {
            let orders = stronger(model, place).filter(|order| most.join(*order) == most);
            orders.last().map(|order| Change::Order { site: place.site, order })
        };
        places.iter().filter_map(strongest).collect()
    })
}

/// Those that mend an execution alone, and pairs of the others that do.
pub fn singles_and_pairs(changes: &[Change], places: usize, mends: &impl Fn(&[Change]) -> bool) -> Vec<Assignment> {
    let (alone, others): (Vec<Change>, Vec<Change>) = changes.iter().partition(|&&change| mends(&[change]));
    let mut found: Vec<Assignment> = alone.into_iter().map(|change| vec![change]).collect();
    if places > PAIRS_LIMIT {
        return found;
    }
    for (i, &one) in others.iter().enumerate() {
        for &other in &others[i + 1..] {
            if one.site() != other.site() && mends(&[one, other]) {
                found.push(vec![one, other]);
            }
        }
    }
    found
}

/// Leaves out what is not needed.
pub fn fewest(mut changes: Assignment, mends: &impl Fn(&[Change]) -> bool) -> Assignment {
    for change in changes.clone() {
        let fewer: Assignment = changes.iter().copied().filter(|&other| other != change).collect();
        if mends(&fewer) {
            changes = fewer;
        }
    }
    changes
}

/// The orderings above that of an atomic access, weakest first. RA takes no notice of orderings, RC20 has no SC
/// accesses, and on a processor a fence does what an SC access would.
fn stronger(model: Model, access: &PlacedAccess) -> impl Iterator<Item = Ordering> + use<> {
    let candidates: &'static [Ordering] = match (access.reads, access.writes) {
        (_, false) => &[Ordering::Acquire, Ordering::SeqCst],
        (false, true) => &[Ordering::Release, Ordering::SeqCst],
        (true, true) => &[Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst],
    };
    let order = access.order;
    let above = move |new: Ordering| order.is_atomic() && order.join(new) == new && new != order;
    let (counts, has_sc) = match model.orderings() {
        Orderings::ReleaseAcquire => (false, false),
        Orderings::WithoutSc | Orderings::Processor => (true, false),
        Orderings::C11 => (true, true),
    };
    candidates.iter().copied().filter(move |&new| counts && above(new) && (has_sc || !new.is_sc()))
}
