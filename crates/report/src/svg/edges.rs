//! Edges with their names, and how much room they take.

use fencepost_story::Edge;

use super::layout::{CHARACTER, Rect};
use super::marker;
use super::route::Route;
use crate::markup::escape;
use crate::relation::relation;
use crate::shown::names;

#[derive(Default)]
pub(super) struct Edges {
    pub(super) curves: String,
    /// They belong above the nodes.
    pub(super) names: String,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Edges {
    pub(super) fn add(&mut self, edge: &Edge, route: &Route) {
        for (x, y) in route.corners() {
            self.reach(x - 6.0, x + 6.0, y + 6.0);
        }
        let first = names(edge).next().unwrap_or_default();
        let dashes = match first {
            "race" => " stroke-dasharray=\"7 4\"",
            "waits for" => " stroke-dasharray=\"2 4\" stroke-linecap=\"round\"",
            _ => "",
        };
        // A race has no direction.
        let head = if first == "race" { String::new() } else { format!(" marker-end=\"url(#{})\"", marker(first)) };
        self.curves.push_str(&format!(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dashes}{head}{}/>\n",
            route.path(),
            relation(first).colour,
            if edge.highlighted { 2.4 } else { 1.3 },
            if edge.highlighted || first == "po" { "" } else { " opacity=\"0.75\"" },
        ));
    }

    /// Puts the name of an edge at the first of some points where it covers no node and no other name. Where there is
    /// none, the colour of the curve has to do.
    pub(super) fn name(&mut self, edge: &Edge, route: &Route, occupied: &mut Vec<Rect>) {
        let width = edge.relation.chars().count() as f64 * CHARACTER + 4.0;
        let place = |(x, y): (f64, f64)| Rect { x: x - width / 2.0, y: y - 8.0, width, height: 16.0 };
        let free = |place: &Rect| !occupied.iter().any(|other| other.overlaps(place));
        let beside = [0.0, -13.0, 13.0, -26.0, 26.0].into_iter();
        let mut places = beside.flat_map(|aside| route.label_points().map(move |(x, y)| place((x, y + aside))));
        let Some(rect) = places.find(free) else { return };
        occupied.push(rect);
        self.reach(rect.x, rect.right(), rect.bottom());
        let (x, y) = rect.middle();
        let (y, weight, name) = (y + 4.0, if edge.highlighted { "bold" } else { "normal" }, escape(&edge.relation));
        let colour = relation(names(edge).next().unwrap_or_default()).colour;
        // A white copy underneath sets the name off from its curve; not all viewers know `paint-order`.
        for paint in ["stroke=\"#ffffff\" stroke-width=\"4\" fill=\"#ffffff\"".to_owned(), format!("fill=\"{colour}\"")]
        {
            self.names.push_str(&format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"12\" \
                 font-weight=\"{weight}\" {paint}>{name}</text>\n"
            ));
        }
    }

    fn reach(&mut self, left: f64, right: f64, bottom: f64) {
        self.left = self.left.min(left);
        self.right = self.right.max(right);
        self.bottom = self.bottom.max(bottom);
    }
}
