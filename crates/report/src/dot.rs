//! Execution graphs for Graphviz.

use std::fmt::Write;

use fencepost_story::{Node, WitnessGraph};

use crate::relation::relation;
use crate::shown::{Shown, names};

pub fn dot(graph: &WitnessGraph) -> String {
    let mut out = String::new();
    write_graph(&mut out, &Shown::of(graph)).expect("writing to a string");
    out
}

fn write_graph(out: &mut String, shown: &Shown) -> std::fmt::Result {
    let graph = &shown.graph;
    writeln!(out, "digraph {} {{", quoted(&graph.title))?;
    writeln!(out, "  label={}; labelloc=t; fontname=\"Helvetica\"; newrank=true;", quoted(&graph.title))?;
    writeln!(out, "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Courier\", fontsize=11];")?;
    writeln!(out, "  edge [fontname=\"Helvetica\", fontsize=10];")?;
    for node in graph.nodes.iter().filter(|n| graph.column(n).is_none()) {
        write_node(out, shown, node, "  ")?;
    }
    for (thread, name) in graph.threads.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{thread} {{")?;
        writeln!(out, "    label={}; color=\"#cccccc\"; style=rounded;", quoted(name))?;
        for node in graph.nodes.iter().filter(|n| n.thread == Some(thread)) {
            write_node(out, shown, node, "    ")?;
        }
        writeln!(out, "  }}")?;
    }
    write_order_of_rows(out, graph)?;
    for edge in &graph.edges {
        let first = names(edge).next().unwrap_or_default();
        let colour = relation(first).colour;
        write!(out, "  n{} -> n{} [color=\"{colour}\", fontcolor=\"{colour}\"", edge.from, edge.to)?;
        if edge.relation != "po" {
            write!(out, ", label={}", quoted(&edge.relation))?;
            // Only program order decides how low an event stands; other edges would twist the columns.
            write!(out, ", constraint=false")?;
        }
        if first == "race" {
            write!(out, ", dir=none, style=dashed")?;
        } else if first == "waits for" {
            write!(out, ", style=dotted")?;
        }
        if edge.highlighted {
            write!(out, ", penwidth=2.5")?;
        }
        writeln!(out, "];")?;
    }
    writeln!(out, "}}")
}

fn write_node(out: &mut String, shown: &Shown, node: &Node, indent: &str) -> std::fmt::Result {
    write!(out, "{indent}n{} [label={}", node.id, quoted(&node.label))?;
    if node.highlighted {
        write!(out, ", color=\"#c00000\", penwidth=2, fillcolor=\"#fff0ee\"")?;
    } else if shown.chips.contains(&node.id) {
        write!(out, ", color=\"#eaeef2\", fillcolor=\"#eaeef2\"")?;
    }
    writeln!(out, "];")
}

/// Edges that are not seen and keep the initial writes above all threads.
fn write_order_of_rows(out: &mut String, graph: &WitnessGraph) -> std::fmt::Result {
    for initial in graph.nodes.iter().filter(|n| graph.column(n).is_none()) {
        for thread in 0..graph.threads.len() {
            if let Some(first) = graph.nodes.iter().find(|n| n.thread == Some(thread)) {
                writeln!(out, "  n{} -> n{} [style=invis];", initial.id, first.id)?;
            }
        }
    }
    Ok(())
}

/// A DOT string. Graphviz reads `\n`, `\l` and others in labels as commands, so backslashes are doubled.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_backslashes_and_lines_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd\u{1b}"), "\"a\\\"b\\\\c\\nd\u{fffd}\"");
    }
}
