//! Which views a monitor keeps, and what a step does to them.

use crate::allocator::Allocator;
use crate::carried::Carried;
use crate::psc::Psc;
use crate::{Cell, Lattice, Needs, View};

/// One step of a thread on a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    pub thread: usize,
    pub location: usize,
    pub reads: bool,
    pub writes: bool,
    pub acquire: bool,
    pub release: bool,
    pub sc: bool,
    /// The thread's previous event was not an access to the same location. Only matters with SC accesses.
    pub leaves: bool,
}

/// The views of a monitor, and the operations of each step on them.
///
/// The first views are those of SC-happens-before; they speak about locations only. Then come the views along
/// happens-before, which also speak about race cells. Then come the views for psc: for each SC event e, Qf(e) and Qa(e)
/// are the newest writes of each location that would close a psc cycle if a new access came before them and psc leads
/// from e to that access; Qa is what matters to an SC access, Qf to a fence. Last come scratch views, which carry
/// nothing from step to step.
#[derive(Clone, Debug)]
pub struct Plan {
    needs: Needs,
    sc_thread: Vec<View>,
    sc_location: Vec<View>,
    sc_write: Vec<Option<View>>,
    /// The writes that a thread is aware of along rf?;hb?.
    aware: Carried,
    /// Those along hb? alone, which only SC fences read.
    happened: Option<Carried>,
    /// Qf, if there are SC fences.
    for_fences: Option<Psc>,
    /// Qa, if there are SC accesses.
    for_accesses: Option<Psc>,
    scratch: View,
    sc_views: u32,
    hb_views: u32,
    psc_views: u32,
}

impl Plan {
    pub fn new(needs: Needs) -> Plan {
        let mut allocator = Allocator { needs: &needs, next: 0 };
        let sc_thread = allocator.views(needs.threads);
        let sc_location = allocator.views(needs.locations);
        let sc_write = allocator.views_if(&needs.read);
        let sc_views = allocator.next;
        let aware = Carried::new(&mut allocator);
        let hb_views = allocator.next - sc_views;
        let (fences, accesses) = (needs.sc_fences, needs.sc_accesses());
        let happened = (fences && accesses).then(|| Carried::new(&mut allocator));
        let for_fences = fences.then(|| Psc::new(&mut allocator));
        let for_accesses = accesses.then(|| Psc::new(&mut allocator));
        let psc_views = allocator.next - sc_views - hb_views;
        let scratch = allocator.view();
        Plan {
            sc_thread,
            sc_location,
            sc_write,
            aware,
            happened,
            for_fences,
            for_accesses,
            scratch,
            sc_views,
            hb_views,
            psc_views,
            needs,
        }
    }

    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The views of SC-happens-before are `0..sc_views`.
    pub fn sc_views(&self) -> u32 {
        self.sc_views
    }

    /// The views along happens-before come next, and speak about race cells too.
    pub fn hb_views(&self) -> u32 {
        self.hb_views
    }

    /// The views for psc come last.
    pub fn psc_views(&self) -> u32 {
        self.psc_views
    }

    /// All views, the scratch view included.
    pub fn views(&self) -> usize {
        self.scratch.0 as usize + 1
    }

    /// The view that carries nothing from one step to the next.
    pub fn scratch(&self) -> View {
        self.scratch
    }

    /// Whether the monitor must know the location of each thread's last event ([`Access::leaves`]).
    pub fn tracks_last_location(&self) -> bool {
        self.needs.sc_accesses()
    }

    /// VSC(τ): knows the last write of x if it is hbSC-before an event of the thread.
    pub fn sc_view(&self, thread: usize) -> View {
        self.sc_thread[thread]
    }

    /// The hb-view of a thread, which knows the race cells that happen before.
    pub fn hb_view(&self, thread: usize) -> View {
        self.aware.current[thread]
    }

    /// The views that together say which writes of its location an access can no longer come before: T_c and Bad of
    /// `docs/reference/psc.md`. Evaluate them before the step.
    pub fn rules_out(&self, access: &Access) -> Vec<View> {
        let thread = access.thread;
        let mut views = vec![self.aware.current[thread]];
        views.extend(self.for_fences.iter().filter_map(|psc| psc.rules_out(thread)));
        if access.sc {
            views.extend(self.for_accesses.iter().flat_map(|psc| psc.rules_out_for_sc(access)));
        }
        views
    }

    /// The views that belong to one thread, and carry nothing once it makes no more accesses.
    pub fn thread_views(&self, thread: usize) -> Vec<View> {
        let mut views = vec![self.sc_thread[thread]];
        for carried in self.carried() {
            views.push(carried.current[thread]);
            views.extend(carried.acquire[thread]);
            views.extend(carried.release[thread]);
        }
        views.extend(self.psc().flat_map(|psc| psc.thread_views(thread)));
        views
    }

    /// The views that only an acquire fence of the thread reads.
    pub fn acquire_views(&self, thread: usize) -> Vec<View> {
        self.carried().filter_map(|c| c.acquire[thread]).collect()
    }

    /// The views that only a relaxed write of the thread reads.
    pub fn release_views(&self, thread: usize) -> Vec<View> {
        self.carried().filter_map(|c| c.release[thread]).collect()
    }

    /// The views that belong to one location, and carry nothing once nothing accesses it any more.
    pub fn location_views(&self, location: usize) -> Vec<View> {
        let mut views = vec![self.sc_location[location]];
        views.extend(self.sc_write[location]);
        views.extend(self.carried().filter_map(|c| c.written[location]));
        views.extend(self.psc().flat_map(|psc| psc.location_views(location)));
        views
    }

    /// The views that only a read of the location reads.
    pub fn written_views(&self, location: usize) -> Vec<View> {
        self.carried().filter_map(|c| c.written[location]).collect()
    }

    fn psc(&self) -> impl Iterator<Item = &Psc> {
        self.for_fences.iter().chain(&self.for_accesses)
    }

    fn carried(&self) -> impl Iterator<Item = &Carried> {
        std::iter::once(&self.aware).chain(&self.happened).chain(self.psc().flat_map(Psc::carried))
    }

    /// The part of a step that a tainted read keeps (paper 001 Fig. 5): SC-happens-before only.
    pub fn tainted_read(&self, lattice: &mut impl Lattice, access: &Access) {
        self.sc_access(lattice, access);
    }

    /// A step on a location. If it writes, the lattice has already been told that the location was overwritten.
    pub fn access(&self, lattice: &mut impl Lattice, access: &Access) {
        let (thread, cell) = (access.thread, Cell(access.location as u32));
        if access.leaves {
            self.psc().for_each(|p| p.leave(lattice, thread));
        }
        self.sc_access(lattice, access);
        if access.reads {
            self.carried().for_each(|c| c.read(lattice, access));
        }
        self.aware.know(lattice, thread, cell);
        if let (true, Some(happened)) = (access.writes, &self.happened) {
            happened.know(lattice, thread, cell);
        }
        self.psc().for_each(|p| p.access(lattice, access, self.scratch));
        if access.writes {
            self.carried().for_each(|c| c.write(lattice, access));
            // Reading from the write makes aware of it, whatever its ordering.
            if let Some(written) = self.aware.written[access.location] {
                lattice.know(written, cell);
            }
        }
    }

    /// Fig. 5 of paper 003.
    fn sc_access(&self, lattice: &mut impl Lattice, access: &Access) {
        let (thread, location) = (self.sc_thread[access.thread], self.sc_location[access.location]);
        let write = self.sc_write[access.location];
        if access.writes {
            lattice.join(thread, location);
            lattice.know(thread, Cell(access.location as u32));
            lattice.copy(location, thread);
            if let Some(write) = write {
                lattice.copy(write, thread);
            }
        } else {
            lattice.join(thread, write.expect("a location that is read"));
            lattice.join(location, thread);
        }
    }

    /// A fence. With `sc` it has RC11's meaning: ordered by psc, and touching no location.
    pub fn fence(&self, lattice: &mut impl Lattice, thread: usize, acquire: bool, release: bool, sc: bool) {
        self.psc().for_each(|p| p.leave(lattice, thread));
        if acquire {
            self.carried().for_each(|c| c.acquire_fence(lattice, thread));
        }
        if sc {
            if let (Some(psc), Some(happened)) = (&self.for_accesses, &self.happened) {
                psc.fence(lattice, thread, happened.current[thread], self.scratch);
            }
            if let Some(psc) = &self.for_fences {
                psc.fence(lattice, thread, self.aware.current[thread], self.scratch);
            }
        }
        if release {
            self.carried().for_each(|c| c.release_fence(lattice, thread));
        }
    }

    /// Notes an access in its race cell: only the thread itself knows of it. The lattice has already been told that the
    /// cell was overwritten.
    pub fn touch(&self, lattice: &mut impl Lattice, thread: usize, cell: Cell) {
        self.aware.know(lattice, thread, cell);
    }
}
