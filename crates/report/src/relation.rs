//! How each relation of an execution graph is drawn.

pub(crate) struct Relation {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) colour: &'static str,
}

/// Colours that stay apart for most kinds of colour blindness (after Okabe and Ito).
const RELATIONS: [Relation; 10] = [
    Relation { name: "po", meaning: "program order", colour: "#8a8a8a" },
    Relation { name: "rf", meaning: "reads from", colour: "#009e73" },
    Relation { name: "mo", meaning: "modification order", colour: "#d55e00" },
    Relation { name: "fr", meaning: "reads before the write", colour: "#cc3f9b" },
    Relation { name: "sw", meaning: "synchronises with", colour: "#0072b2" },
    Relation { name: "ppo", meaning: "program order that the processor keeps", colour: "#b58900" },
    Relation { name: "hb", meaning: "happens before", colour: "#0072b2" },
    Relation { name: "hbSC", meaning: "happens before under SC", colour: "#56a0d3" },
    Relation { name: "psc", meaning: "partial SC order", colour: "#8f6ac1" },
    Relation { name: "race", meaning: "unordered, a data race", colour: "#c00000" },
];

const OTHER: Relation = Relation { name: "", meaning: "", colour: "#444444" };

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
