//! Execution graphs as pictures, without any other program.

mod edges;
mod layout;
mod route;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use edges::Edges;
use fencepost_story::WitnessGraph;
use layout::{LEGEND_ROW, Layout, MARGIN};
use route::Router;

use crate::markup::escape;
use crate::relation::{in_use, relation};
use crate::shown::{Shown, names};

const TEXT: &str = "#1f2328";
const FAINT: &str = "#6e7781";
const ALARM: &str = "#c00000";
const MONOSPACE: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";
const SANS: &str = "Helvetica, Arial, sans-serif";

/// A complete SVG document.
pub fn svg(graph: &WitnessGraph) -> String {
    picture(graph).text
}

/// An SVG document and its size.
pub(crate) struct Picture {
    pub(crate) text: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

pub(crate) fn picture(graph: &WitnessGraph) -> Picture {
    let shown = Shown::of(graph);
    let layout = Layout::of(&shown.graph);
    let drawing = Drawing { layout: &layout, graph: &shown.graph, chips: &shown.chips };
    let mut text = String::new();
    let (width, height) = drawing.write(&mut text).expect("writing to a string");
    Picture { text, width, height }
}

struct Drawing<'a> {
    graph: &'a WitnessGraph,
    layout: &'a Layout,
    chips: &'a HashSet<usize>,
}

impl Drawing<'_> {
    /// Returns the size.
    fn write(&self, out: &mut String) -> Result<(f64, f64), std::fmt::Error> {
        let relations = in_use(self.graph.edges.iter().flat_map(names));
        let title_width = self.graph.title.chars().count() as f64 * 8.5 + 2.0 * MARGIN;
        let edges = self.edges();
        // Curves and names may be outside of what the events take.
        let (left, right) = (edges.left.min(0.0), edges.right.max(self.layout.width).max(title_width));
        let legend = self.layout.bottom.max(edges.bottom) + MARGIN;
        let (width, height) = (right - left, legend + relations.len() as f64 * LEGEND_ROW + MARGIN);
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{left:.0} 0 {width:.0} {height:.0}\" font-family=\"{SANS}\" font-size=\"13\" fill=\"{TEXT}\">"
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
        writeln!(out, "<rect x=\"{left:.0}\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>")?;
        writeln!(
            out,
            "<text x=\"{MARGIN}\" y=\"{:.1}\" font-size=\"16\" font-weight=\"bold\">{}</text>",
            MARGIN + 10.0,
            escape(&self.graph.title)
        )?;
        self.write_headers(out)?;
        // Nodes come after the curves and cover what runs behind them; names of edges come last.
        out.push_str(&edges.curves);
        self.write_nodes(out)?;
        out.push_str(&edges.names);
        self.write_legend(out, &relations, legend)?;
        writeln!(out, "</svg>")?;
        Ok((width, height))
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
            let (fill, stroke, stroke_width) = match node.highlighted {
                true => ("#fff0ee", ALARM, 2.0),
                false if self.chips.contains(&node.id) => ("#eaeef2", "none", 0.0),
                false => ("#f6f8fa", "#afb8c1", 1.0),
            };
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

    fn edges(&self) -> Edges {
        let position: HashMap<usize, usize> = self.graph.nodes.iter().enumerate().map(|(i, n)| (n.id, i)).collect();
        let mut router = Router::new(self.layout);
        let mut drawn = Edges::default();
        let mut occupied = self.layout.nodes.clone();
        let mut routes = Vec::new();
        for edge in &self.graph.edges {
            let (Some(&from), Some(&to)) = (position.get(&edge.from), position.get(&edge.to)) else { continue };
            let straight = edge.relation == "po" && self.neighbours(from, to);
            let route = router.route(from, to, straight);
            drawn.add(edge, &route);
            routes.push((edge, route));
        }
        // The names that matter take their places first.
        routes.sort_by_key(|(edge, _)| !edge.highlighted);
        for (edge, route) in routes.iter().filter(|(edge, _)| edge.relation != "po") {
            drawn.name(edge, route, &mut occupied);
        }
        drawn
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
