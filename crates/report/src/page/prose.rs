//! Sentences in parts: text, code, and code that names an event.

use fencepost_story::{Node, NodeKind, WitnessGraph};
use serde::Serialize;

use super::data::clean;

#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
#[serde(untagged)]
pub(crate) enum Part {
    Text {
        t: String,
    },
    Code {
        c: String,
        /// The event that it names.
        #[serde(skip_serializing_if = "Option::is_none")]
        e: Option<usize>,
    },
}

/// A sentence in which backquotes set off code. Code that is the text of an event is a link to it: to that of the
/// thread that the sentence names behind it, and to the one that matters most.
pub(crate) fn parts(text: &str, graph: Option<&WitnessGraph>) -> Vec<Part> {
    let pieces: Vec<&str> = text.split('`').collect();
    let mut parts = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        // Behind an odd number of backquotes, the last one is just a character.
        let is_code = i % 2 == 1 && i + 1 < pieces.len();
        if is_code {
            let behind = pieces[i + 1].strip_prefix(" of ");
            let e = graph.and_then(|graph| event(graph, piece, behind));
            parts.push(Part::Code { c: clean(piece), e });
        } else {
            let t = if i % 2 == 1 { format!("`{}", clean(piece)) } else { clean(piece) };
            if !t.is_empty() {
                parts.push(Part::Text { t });
            }
        }
    }
    parts
}

fn event(graph: &WitnessGraph, text: &str, behind: Option<&str>) -> Option<usize> {
    let is_of = |node: &Node, behind: &str| {
        let name = node.thread.and_then(|thread| graph.threads.get(thread));
        name.is_some_and(|name| behind.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with(word)))
    };
    let named = |node: &&Node| node.text == text && behind.is_none_or(|behind| is_of(node, behind));
    let rank = |node: &Node| {
        let in_cycle = graph.cycle.iter().any(|edge| edge.from == node.id || edge.to == node.id);
        let is_event = !matches!(node.kind, NodeKind::Waiting | NodeKind::Failure);
        (node.highlighted && is_event, in_cycle, node.highlighted)
    };
    graph.nodes.iter().filter(|node| !node.text.is_empty()).filter(named).max_by_key(|node| rank(node)).map(|n| n.id)
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '['
}

/// What is said of a step of the cycle, with links to its own two events.
pub(crate) fn of_edge(sentence: &str, graph: &WitnessGraph, ends: [usize; 2]) -> Vec<Part> {
    let mut parts = parts(sentence, Some(graph));
    let mut ends = ends.into_iter();
    // Its events are told in the order of the edge; initial values are told without code.
    for part in &mut parts {
        let Part::Code { c, e } = part else { continue };
        let is_next = |id: &usize| graph.nodes.iter().any(|node| node.id == *id && clean(&node.text) == *c);
        if let Some(own) = ends.clone().find(is_next) {
            ends.find(|id| *id == own);
            *e = Some(own);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> WitnessGraph {
        let node = |id, thread, highlighted| Node {
            id,
            thread: Some(thread),
            text: "x.load(rlx)".into(),
            highlighted,
            ..Node::default()
        };
        let nodes = vec![node(0, 0, false), node(1, 1, false), node(2, 1, true), node(3, 2, false)];
        WitnessGraph { threads: vec!["a".into(), "b".into(), "b2".into()], nodes, ..WitnessGraph::default() }
    }

    fn link(text: &str) -> Option<usize> {
        parts(text, Some(&graph())).iter().find_map(|part| match part {
            Part::Code { e, .. } => *e,
            Part::Text { .. } => None,
        })
    }

    #[test]
    fn code_leads_to_the_event_of_the_thread_that_is_named() {
        assert_eq!(link("`x.load(rlx)` of a is read"), Some(0));
        assert_eq!(link("`x.load(rlx)` of b, which"), Some(2));
        assert_eq!(link("`x.load(rlx)` of b2 reads"), Some(3));
        assert_eq!(link("the stale `x.load(rlx)`"), Some(2));
        assert_eq!(link("`y.load(rlx)` of a"), None);
    }

    #[test]
    fn a_backquote_without_another_is_a_character() {
        let text = |t: &str| Part::Text { t: t.into() };
        assert_eq!(parts("`a` isn't `b", None), [Part::Code { c: "a".into(), e: None }, text(" isn't "), text("`b")]);
    }
}
