use std::ops::{BitAnd, BitOr};

/// A SPARC membar (The SPARC Architecture Manual, version 9, §8.4.3): which earlier accesses it keeps before which
/// later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Membar(u8);

impl Membar {
    pub const NONE: Membar = Membar(0);
    pub const LOAD_LOAD: Membar = Membar(1);
    pub const LOAD_STORE: Membar = Membar(2);
    pub const STORE_LOAD: Membar = Membar(4);
    pub const STORE_STORE: Membar = Membar(8);
    pub const FULL: Membar = Membar(15);
    /// What an acquire compiles to.
    pub const ACQUIRE: Membar = Membar(1 | 2);
    /// What a release compiles to.
    pub const RELEASE: Membar = Membar(2 | 8);

    /// The four kinds that have a name of one word.
    pub const KINDS: [Membar; 4] = [Membar::LOAD_LOAD, Membar::LOAD_STORE, Membar::STORE_LOAD, Membar::STORE_STORE];

    /// The kind of this name, such as `StoreLoad`.
    pub fn named(name: &str) -> Option<Membar> {
        Membar::KINDS.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether an access that `(reads, writes)` stays before a later one that does.
    pub fn orders(self, first: (bool, bool), second: (bool, bool)) -> bool {
        let has = |kind: Membar| self & kind != Membar::NONE;
        first.0 && second.0 && has(Membar::LOAD_LOAD)
            || first.0 && second.1 && has(Membar::LOAD_STORE)
            || first.1 && second.0 && has(Membar::STORE_LOAD)
            || first.1 && second.1 && has(Membar::STORE_STORE)
    }

    pub fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "none",
            "LoadLoad",
            "LoadStore",
            "LoadLoad | LoadStore",
            "StoreLoad",
            "LoadLoad | StoreLoad",
            "LoadStore | StoreLoad",
            "LoadLoad | LoadStore | StoreLoad",
            "StoreStore",
            "LoadLoad | StoreStore",
            "LoadStore | StoreStore",
            "LoadLoad | LoadStore | StoreStore",
            "StoreLoad | StoreStore",
            "LoadLoad | StoreLoad | StoreStore",
            "LoadStore | StoreLoad | StoreStore",
            "LoadLoad | LoadStore | StoreLoad | StoreStore",
        ];
        NAMES[self.0 as usize]
    }
}

impl BitOr for Membar {
    type Output = Membar;

    fn bitor(self, other: Membar) -> Membar {
        Membar(self.0 | other.0)
    }
}

impl BitAnd for Membar {
    type Output = Membar;

    fn bitand(self, other: Membar) -> Membar {
        Membar(self.0 & other.0)
    }
}
