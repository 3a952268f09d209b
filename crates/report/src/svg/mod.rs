//! Execution graphs as pictures, without any other program.

mod layout;
mod route;

use std::collections::HashMap;
use std::fmt::Write;

use fencepost_story::{Edge, WitnessGraph};
use layout::{CHARACTER, LEGEND_ROW, Layout, MARGIN, Rect};
use route::Router;

use crate::markup::escape;
use crate::relation::{in_use, relation};

const TEXT: &str = "#1f2328";
const FAINT: &str = "#6e7781";
const ALARM: &str = "#c00000";
const MONOSPACE: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";
const SANS: &str = "Helvetica, Arial, sans-serif";

/// A complete SVG document.
pub fn svg(graph: &WitnessGraph) -> String {
    let mut out = String::new();
    Drawing { layout: &Layout::of(graph), graph }.write(&mut out).expect("writing to a string");
    out
}

struct Drawing<'a> {
    graph: &'a WitnessGraph,
    layout: &'a Layout,
}

impl Drawing<'_> {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let relations = in_use(self.graph.edges.iter().map(|edge| edge.relation.as_str()));
        let title_width = self.graph.title.chars().count() as f64 * 8.5 + 2.0 * MARGIN;
        let (width, legend) = (self.layout.width.max(title_width), self.layout.bottom + MARGIN);
        let height = legend + relations.len() as f64 * LEGEND_ROW + MARGIN;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"{SANS}\" font-size=\"13\" fill=\"{TEXT}\">"
        )?;
        writeln!(out, "<title>{}</title>", escape(&self.graph.title))?;
        writeln!(out, "<defs>")?;
        for name in &relations {
            let colour = relation(name).colour;
            writeln!(
                out,
                "<marker id=\"{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
                 markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1 L10 5 L0 9 z\" fill=\"{colour}\"/>\
                 </marker>",
                marker(name)
            )?;
        }
        writeln!(out, "</defs>")?;
        writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>")?;
        writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"16\" font-weight=\"bold\">{}</text>",
            MARGIN + 10.0,
            escape(&self.graph.title)
        )?;
        self.write_headers(out)?;
        // Nodes come after the curves and cover what runs behind them; names of edges come last.
        let labels = self.write_edges(out)?;
        self.write_nodes(out)?;
        out.push_str(&labels);
        self.write_legend(out, &relations, legend)?;
        writeln!(out, "</svg>")
    }

    fn write_headers(&self, out: &mut String) -> std::fmt::Result {
        for (name, rect) in self.graph.threads.iter().zip(&self.layout.headers) {
            let (x, y) = rect.middle();
            writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\" font-family=\"{MONOSPACE}\" \
                 fill=\"{FAINT}\">{}</text>",
                y,
                escape(name)
            )?;
        }
        Ok(())
    }

    fn write_nodes(&self, out: &mut String) -> std::fmt::Result {
        for (node, rect) in self.graph.nodes.iter().zip(&self.layout.nodes) {
            let (fill, stroke, stroke_width) =
                if node.highlighted { ("#fff0ee", ALARM, 2.0) } else { ("#f6f8fa", "#afb8c1", 1.0) };
            let y = rect.middle().1 + 4.5;
            writeln!(
                out,
                "<g><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" fill=\"{fill}\" \
                 stroke=\"{stroke}\" stroke-width=\"{stroke_width}\"/>",
                rect.x, rect.y, rect.width, rect.height
            )?;
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{y:.1}\" font-family=\"{MONOSPACE}\" xml:space=\"preserve\">{}</text>",
                rect.x + 10.0,
                escape(&node.label)
            )?;
            if node.span.line != 0 {
                writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\" font-size=\"10\" fill=\"{FAINT}\">:{}</text>",
                    rect.right() - 7.0,
                    node.span.line
                )?;
            }
            writeln!(out, "</g>")?;
        }
        Ok(())
    }

    /// Writes the curves and returns the names, which belong above the nodes.
    fn write_edges(&self, out: &mut String) -> Result<String, std::fmt::Error> {
        let position: HashMap<usize, usize> = self.graph.nodes.iter().enumerate().map(|(i, n)| (n.id, i)).collect();
        let mut router = Router::new(self.layout);
        let mut labels = String::new();
        let mut occupied = self.layout.nodes.clone();
        for edge in &self.graph.edges {
            let (Some(&from), Some(&to)) = (position.get(&edge.from), position.get(&edge.to)) else { continue };
            let straight = edge.relation == "po" && self.neighbours(from, to);
            let route = router.route(from, to, straight);
            writeln!(
                out,
                "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" marker-end=\"url(#{})\"{}/>",
                route.path(),
                relation(&edge.relation).colour,
                if edge.highlighted { 2.4 } else { 1.3 },
                marker(&edge.relation),
                if edge.highlighted || edge.relation == "po" { "" } else { " opacity=\"0.75\"" },
            )?;
            if edge.relation != "po" {
                write_label(&mut labels, edge, route.label_points(), &mut occupied)?;
            }
        }
        Ok(labels)
    }

    /// Whether nothing stands between two events of one column.
    fn neighbours(&self, from: usize, to: usize) -> bool {
        let (column, a, b) = (self.layout.columns[from], self.layout.nodes[from].y, self.layout.nodes[to].y);
        let between = |y: f64| a.min(b) < y && y < a.max(b);
        column == self.layout.columns[to]
            && !self.layout.nodes.iter().zip(&self.layout.columns).any(|(n, c)| *c == column && between(n.y))
    }

    fn write_legend(&self, out: &mut String, relations: &[&str], top: f64) -> std::fmt::Result {
        for (row, name) in relations.iter().enumerate() {
            let y = top + row as f64 * LEGEND_ROW + 10.0;
            let shown = relation(name);
            writeln!(
                out,
                "<path d=\"M{MARGIN} {y:.1} h34\" stroke=\"{}\" stroke-width=\"1.6\" marker-end=\"url(#{})\"/>",
                shown.colour,
                marker(name)
            )?;
            writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" font-size=\"12\"><tspan font-weight=\"bold\" fill=\"{}\">{}</tspan>\
                 <tspan dx=\"6\" fill=\"{FAINT}\">{}</tspan></text>",
                MARGIN + 44.0,
                y + 4.0,
                shown.colour,
                escape(name),
                shown.meaning
            )?;
        }
        Ok(())
    }
}

/// Puts the name of an edge at the first of some points where it covers no node and no other name.
fn write_label(
    out: &mut String,
    edge: &Edge,
    points: impl Iterator<Item = (f64, f64)>,
    occupied: &mut Vec<Rect>,
) -> std::fmt::Result {
    let width = edge.relation.chars().count() as f64 * CHARACTER + 4.0;
    let place = |(x, y): (f64, f64)| Rect { x: x - width / 2.0, y: y - 8.0, width, height: 16.0 };
    let places: Vec<Rect> = points.map(place).collect();
    let free = places.iter().find(|place| !occupied.iter().any(|other| other.overlaps(place)));
    let Some(&rect) = free.or(places.first()) else { return Ok(()) };
    occupied.push(rect);
    let (x, y) = rect.middle();
    let (y, weight, name) = (y + 4.0, if edge.highlighted { "bold" } else { "normal" }, escape(&edge.relation));
    // A white copy underneath sets the name off from its curve; not all viewers know `paint-order`.
    for paint in [
        "stroke=\"#ffffff\" stroke-width=\"4\" fill=\"#ffffff\"".to_owned(),
        format!("fill=\"{}\"", relation(&edge.relation).colour),
    ] {
        writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"12\" font-weight=\"{weight}\" \
             {paint}>{name}</text>"
        )?;
    }
    Ok(())
}

/// The identifier of the arrowhead of a relation, unique also for names that XML would not take.
fn marker(name: &str) -> String {
    let mut id = String::from("arrow-");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() {
            id.push(byte as char);
        } else {
            id.push_str(&format!("_{byte:02x}"));
        }
    }
    id
}
