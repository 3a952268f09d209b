//! What a report is about.

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "read", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Kind {
    /// Two conflicting accesses that nothing orders, one of them not atomic.
    Race,
    /// An access may read an older write than every interleaving would show it.
    StaleRead,
    /// A write may be overwritten by an older write.
    StaleWrite,
    /// An RMW may replace an older write.
    StaleRmw,
    /// Atomic accesses to the same bytes have different sizes, which no analysis here can follow.
    MixedSize,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Race, Kind::StaleRead, Kind::StaleWrite, Kind::StaleRmw, Kind::MixedSize];

    pub const fn name(self) -> &'static str {
        match self {
            Kind::Race => "race",
            Kind::StaleRead => "stale-read",
            Kind::StaleWrite => "stale-write",
            Kind::StaleRmw => "stale-rmw",
            Kind::MixedSize => "mixed-size",
        }
    }

    /// Whether something is wrong, rather than not checked. Only that changes the exit status.
    pub const fn is_violation(self) -> bool {
        !matches!(self, Kind::MixedSize)
    }
}

#[cfg(all(test, feature = "read"))]
mod tests {
    use super::*;

    #[test]
    fn the_name_that_is_written_is_the_name_that_is_read() {
        for kind in Kind::ALL {
            let name = alloc::format!("\"{}\"", kind.name());
            assert_eq!(serde_json::from_str::<Kind>(&name).unwrap(), kind);
            assert_eq!(serde_json::to_string(&kind).unwrap(), name);
        }
    }
}
