//! How each relation of an execution graph is drawn.

pub(crate) struct Relation {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) colour: &'static str,
    /// Follows from others.
    pub(crate) is_derived: bool,
}

/// Colours that stay apart for most kinds of colour blindness (after Okabe and Ito).
const RELATIONS: [Relation; 11] = [
    Relation { name: "race", meaning: "unordered, a data race", colour: "#c00000", is_derived: false },
    Relation {
        name: "waits for",
        meaning: "waits for what another thread holds",
        colour: "#c00000",
        is_derived: false,
    },
    Relation { name: "po", meaning: "program order", colour: "#8a8a8a", is_derived: false },
    Relation { name: "rf", meaning: "reads from", colour: "#009e73", is_derived: false },
    Relation { name: "mo", meaning: "modification order", colour: "#d55e00", is_derived: false },
    Relation { name: "fr", meaning: "reads before the write", colour: "#cc3f9b", is_derived: false },
    Relation { name: "sw", meaning: "synchronises with", colour: "#0072b2", is_derived: true },
    Relation { name: "ppo", meaning: "program order that the processor keeps", colour: "#b58900", is_derived: true },
    Relation { name: "hb", meaning: "happens before", colour: "#0072b2", is_derived: true },
    Relation { name: "hbSC", meaning: "happens before under SC", colour: "#56a0d3", is_derived: true },
    Relation { name: "psc", meaning: "partial SC order", colour: "#8f6ac1", is_derived: true },
];

const OTHER: Relation = Relation { name: "", meaning: "", colour: "#444444", is_derived: false };

pub(crate) fn relation(name: &str) -> &'static Relation {
    RELATIONS.iter().find(|r| r.name == name).unwrap_or(&OTHER)
}

/// The relations of some edges, each once: the known ones in a fixed order, then the others.
pub(crate) fn in_use<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    let rank = |name: &str| RELATIONS.iter().position(|r| r.name == name).unwrap_or(RELATIONS.len());
    found.sort_by_key(|name| rank(name));
    found
}
