//! Which views a monitor keeps, and what a step does to them.

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

/// A quantity carried along happens-before: current, acquire and release views of each thread, and a view at the last
/// write of each location (paper 001 §5.2; paper 000 appendix A).
#[derive(Clone, Debug)]
struct Carried {
    current: Vec<View>,
    acquire: Vec<Option<View>>,
    release: Vec<Option<View>>,
    written: Vec<Option<View>>,
}

/// The psc part for one of the two kinds of Q (see [`Plan`]). The letters are those of `docs/reference/psc.md`.
#[derive(Clone, Debug)]
struct Psc {
    /// A: the Q of SC fences that happen before.
    fences: Option<Carried>,
    /// I: what a later SC fence receives.
    to_fence: Option<Carried>,
    /// JM, JW: `fences` over all accesses of a location, and over those up to its last write.
    fences_at: Vec<View>,
    fences_at_write: Vec<View>,
    /// The rest is for SC accesses.
    accesses: Option<PscAccesses>,
}

#[derive(Clone, Debug)]
struct PscAccesses {
    /// B: the Q of SC events po-before.
    before: Vec<View>,
    /// H: the Q of SC events that po has left the location of, carried along hb.
    left: Carried,
    /// H as it was at the thread's last event that was not on the location of its last one.
    left_before_run: Vec<View>,
    /// HL: the Q of SC accesses to a location, carried along hb.
    same_location: Vec<Option<Carried>>,
    /// S: over all accesses of a location, the Q of the SC ones and the fences of all.
    at: Vec<View>,
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
    /// Awareness along rf?;hb?.
    aware: Carried,
    /// Awareness along hb?, which only SC fences ask for.
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

struct Allocator<'n> {
    needs: &'n Needs,
    next: u32,
}

impl Allocator<'_> {
    fn view(&mut self) -> View {
        self.next += 1;
        View(self.next - 1)
    }

    fn views(&mut self, count: usize) -> Vec<View> {
        (0..count).map(|_| self.view()).collect()
    }

    fn views_if(&mut self, wanted: &[bool]) -> Vec<Option<View>> {
        wanted.iter().map(|&w| w.then(|| self.view())).collect()
    }

    fn carried(&mut self) -> Carried {
        let needs = self.needs;
        Carried {
            current: self.views(needs.threads),
            acquire: self.views_if(&needs.acquire_fences),
            release: self.views_if(&needs.relaxed_writes),
            written: self.views_if(&needs.synchronises),
        }
    }

    fn psc(&mut self) -> Psc {
        let needs = self.needs;
        let fences = needs.sc_fences;
        Psc {
            fences: fences.then(|| self.carried()),
            to_fence: fences.then(|| self.carried()),
            fences_at: self.views(if fences { needs.locations } else { 0 }),
            fences_at_write: self.views(if fences { needs.locations } else { 0 }),
            accesses: needs.sc_accesses().then(|| PscAccesses {
                before: self.views(needs.threads),
                left: self.carried(),
                left_before_run: self.views(needs.threads),
                same_location: needs.sc_locations.iter().map(|&sc| sc.then(|| self.carried())).collect(),
                at: self.views(needs.locations),
            }),
        }
    }
}

impl Carried {
    /// `into` the current view of a thread, and so into what its next acquire fence will make current.
    fn learn(&self, lattice: &mut impl Lattice, thread: usize, from: View) {
        lattice.join(self.current[thread], from);
        if let Some(acquire) = self.acquire[thread] {
            lattice.join(acquire, from);
        }
    }

    fn know(&self, lattice: &mut impl Lattice, thread: usize, cell: Cell) {
        lattice.know(self.current[thread], cell);
        if let Some(acquire) = self.acquire[thread] {
            lattice.know(acquire, cell);
        }
    }

    /// The acquire part of a read from the last write of a location.
    fn read(&self, lattice: &mut impl Lattice, access: &Access) {
        let Some(written) = self.written[access.location] else { return };
        if let Some(acquire) = self.acquire[access.thread] {
            lattice.join(acquire, written);
        }
        if access.acquire {
            lattice.join(self.current[access.thread], written);
        }
    }

    /// The release part of a write: an RMW continues the release sequence, another write starts a new one.
    fn write(&self, lattice: &mut impl Lattice, access: &Access) {
        let Some(written) = self.written[access.location] else { return };
        let from = if access.release {
            self.current[access.thread]
        } else {
            self.release[access.thread].expect("a thread with relaxed writes has release views")
        };
        if access.reads {
            lattice.join(written, from);
        } else {
            lattice.copy(written, from);
        }
    }

    fn acquire_fence(&self, lattice: &mut impl Lattice, thread: usize) {
        if let Some(acquire) = self.acquire[thread] {
            lattice.join(self.current[thread], acquire);
        }
    }

    fn release_fence(&self, lattice: &mut impl Lattice, thread: usize) {
        if let Some(release) = self.release[thread] {
            lattice.copy(release, self.current[thread]);
        }
    }
}

impl Psc {
    fn carried(&self) -> impl Iterator<Item = &Carried> {
        let of_accesses = self
            .accesses
            .iter()
            .flat_map(|a| std::iter::once(&a.left).chain(a.same_location.iter().filter_map(Option::as_ref)));
        self.fences.iter().chain(&self.to_fence).chain(of_accesses)
    }

    /// The thread's last run of accesses to one location is over.
    fn leave(&self, lattice: &mut impl Lattice, thread: usize) {
        if let Some(accesses) = &self.accesses {
            accesses.left.learn(lattice, thread, accesses.before[thread]);
            lattice.copy(accesses.left_before_run[thread], accesses.left.current[thread]);
        }
    }

    /// An access, after its acquire part and before its release part.
    fn access(&self, lattice: &mut impl Lattice, access: &Access, incoming: View) {
        let (thread, location) = (access.thread, access.location);
        // In(b): what psc brings to this event through scb.
        let mut parts = Vec::new();
        parts.extend(self.fences.as_ref().map(|f| f.current[thread]));
        if let Some(accesses) = &self.accesses {
            parts.extend([accesses.before[thread], accesses.left_before_run[thread]]);
            parts.extend(accesses.same_location[location].as_ref().map(|c| c.current[thread]));
            parts.extend(access.writes.then_some(accesses.at[location]));
        }
        assemble(lattice, incoming, &parts);
        if let Some(to_fence) = &self.to_fence {
            to_fence.learn(lattice, thread, incoming);
            let eco = if access.writes { &self.fences_at } else { &self.fences_at_write };
            to_fence.learn(lattice, thread, eco[location]);
        }
        if let Some(accesses) = &self.accesses {
            if let Some(fences) = &self.fences {
                lattice.join(accesses.at[location], fences.current[thread]);
            }
            if access.sc {
                if access.writes {
                    lattice.know(incoming, Cell(location as u32));
                }
                lattice.join(accesses.before[thread], incoming);
                lattice.join(accesses.at[location], incoming);
                accesses.same_location[location]
                    .as_ref()
                    .expect("a location with SC accesses")
                    .learn(lattice, thread, incoming);
            }
        }
        if let Some(fences) = &self.fences {
            lattice.join(self.fences_at[location], fences.current[thread]);
            if access.writes {
                lattice.copy(self.fences_at_write[location], self.fences_at[location]);
            }
        }
    }

    /// An SC fence, after its acquire part and before its release part. `seen` is what the fence itself is aware of.
    fn fence(&self, lattice: &mut impl Lattice, thread: usize, seen: View, q: View) {
        let (Some(fences), Some(to_fence)) = (&self.fences, &self.to_fence) else { return };
        let mut parts = vec![fences.current[thread], to_fence.current[thread], seen];
        if let Some(accesses) = &self.accesses {
            parts.extend([accesses.before[thread], accesses.left.current[thread]]);
        }
        assemble(lattice, q, &parts);
        fences.learn(lattice, thread, q);
        if let Some(accesses) = &self.accesses {
            lattice.join(accesses.before[thread], q);
            accesses.left.learn(lattice, thread, q);
        }
    }
}

fn assemble(lattice: &mut impl Lattice, into: View, parts: &[View]) {
    for (i, &part) in parts.iter().enumerate() {
        if i == 0 { lattice.copy(into, part) } else { lattice.join(into, part) }
    }
}

impl Plan {
    pub fn new(needs: Needs) -> Plan {
        let mut allocator = Allocator { needs: &needs, next: 0 };
        let sc_thread = allocator.views(needs.threads);
        let sc_location = allocator.views(needs.locations);
        let sc_write = allocator.views_if(&needs.read);
        let sc_views = allocator.next;
        let aware = allocator.carried();
        let hb_views = allocator.next - sc_views;
        let (fences, accesses) = (needs.sc_fences, needs.sc_accesses());
        let happened = (fences && accesses).then(|| allocator.carried());
        let for_fences = fences.then(|| allocator.psc());
        let for_accesses = accesses.then(|| allocator.psc());
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
    pub fn tracks_runs(&self) -> bool {
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
        views.extend(self.for_fences.iter().flat_map(|p| &p.fences).map(|f| f.current[thread]));
        if let (true, Some(psc)) = (access.sc, &self.for_accesses) {
            views.extend(psc.fences.as_ref().map(|f| f.current[thread]));
            if let Some(accesses) = &psc.accesses {
                views.push(accesses.before[thread]);
                views.push(if access.leaves {
                    accesses.left.current[thread]
                } else {
                    accesses.left_before_run[thread]
                });
            }
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
        for accesses in self.psc().filter_map(|p| p.accesses.as_ref()) {
            views.extend([accesses.before[thread], accesses.left_before_run[thread]]);
        }
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
        for psc in self.psc() {
            views.extend(psc.fences_at.get(location));
            views.extend(psc.fences_at_write.get(location));
            views.extend(psc.accesses.iter().map(|a| a.at[location]));
        }
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

    /// A thread touches a race cell: it knows the access, nobody else does yet. The lattice has already been told that
    /// the cell was overwritten.
    pub fn touch(&self, lattice: &mut impl Lattice, thread: usize, cell: Cell) {
        self.aware.know(lattice, thread, cell);
    }
}
