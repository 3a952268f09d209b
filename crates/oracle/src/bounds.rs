use std::fmt;

/// How far graphs are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Events of one graph, without initialisation. At most 64, because dependencies are tracked by the bits of a word.
    pub events: usize,
    /// Graphs looked at.
    pub graphs: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { events: 24, graphs: 1_000_000 }
    }
}

/// Nothing was found, but not everything was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundExceeded;

impl fmt::Display for BoundExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the program has more execution graphs, or larger ones, than the bounds allow")
    }
}

impl std::error::Error for BoundExceeded {}
