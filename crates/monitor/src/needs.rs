/// What a program does, as far as it decides which views a monitor must keep. A view that no step can read is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    pub threads: usize,
    pub locations: usize,
    /// Race cells, numbered after the locations.
    pub race_cells: usize,
    /// Threads that execute acquire fences: they need acquire views.
    pub acquire_fences: Vec<bool>,
    /// Threads that write with an ordering below release: they need release views.
    pub relaxed_writes: Vec<bool>,
    /// Locations that some step reads without writing.
    pub read: Vec<bool>,
    /// Locations from which a thread can synchronise: read by an acquire, or by a thread with an acquire fence.
    pub synchronises: Vec<bool>,
    /// The program has SC fences with RC11's meaning.
    pub sc_fences: bool,
    /// Locations with SC accesses.
    pub sc_locations: Vec<bool>,
}

impl Needs {
    /// Everything, for any program with this number of threads and locations.
    pub fn all(threads: usize, locations: usize, race_cells: usize) -> Needs {
        Needs {
            threads,
            locations,
            race_cells,
            acquire_fences: vec![true; threads],
            relaxed_writes: vec![true; threads],
            read: vec![true; locations],
            synchronises: vec![true; locations],
            sc_fences: true,
            sc_locations: vec![true; locations],
        }
    }

    pub fn sc_accesses(&self) -> bool {
        self.sc_locations.contains(&true)
    }
}
