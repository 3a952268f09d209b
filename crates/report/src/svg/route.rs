//! The curves that edges are drawn as.

use std::collections::HashMap;

use super::layout::{Layout, Rect};

type Point = (f64, f64);

/// A Bézier curve of degree three: its start, its two control points, its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve(Point, Point, Point, Point);

impl Curve {
    fn line(from: Point, to: Point) -> Curve {
        let at = |t: f64| (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
        Curve(from, at(1.0 / 3.0), at(2.0 / 3.0), to)
    }

    /// Leaves and arrives horizontally.
    fn sideways(from: Point, to: Point) -> Curve {
        let reach = (to.0 - from.0) / 2.0;
        Curve(from, (from.0 + reach, from.1), (to.0 - reach, to.1), to)
    }

    /// Leaves and arrives vertically.
    fn downwards(from: Point, to: Point) -> Curve {
        let reach = (to.1 - from.1) / 2.0;
        Curve(from, (from.0, from.1 + reach), (to.0, to.1 - reach), to)
    }

    fn at(&self, t: f64) -> Point {
        let u = 1.0 - t;
        let mix =
            |a: f64, b: f64, c: f64, d: f64| u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d;
        (mix(self.0.0, self.1.0, self.2.0, self.3.0), mix(self.0.1, self.1.1, self.2.1, self.3.1))
    }

    fn reversed(self) -> Curve {
        Curve(self.3, self.2, self.1, self.0)
    }

    fn length(&self) -> f64 {
        ((self.3.0 - self.0.0).powi(2) + (self.3.1 - self.0.1).powi(2)).sqrt()
    }
}

pub(super) struct Route(Vec<Curve>);

impl Route {
    /// The `d` of an SVG path.
    pub(super) fn path(&self) -> String {
        let mut out = match self.0.first() {
            Some(first) => format!("M{:.1} {:.1}", first.0.0, first.0.1),
            None => String::new(),
        };
        for Curve(_, a, b, end) in &self.0 {
            out.push_str(&format!(" C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}", a.0, a.1, b.0, b.1, end.0, end.1));
        }
        out
    }

    /// Points between which the curves run.
    pub(super) fn corners(&self) -> impl Iterator<Item = Point> + '_ {
        self.0.iter().flat_map(|Curve(a, b, c, d)| [*a, *b, *c, *d])
    }

    /// Points where the name of the edge could stand, the best ones first.
    pub(super) fn label_points(&self) -> impl Iterator<Item = Point> + '_ {
        let longest = self.0.iter().max_by(|a, b| a.length().total_cmp(&b.length()));
        const ALONG: [f64; 11] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8, 0.14, 0.86];
        longest.into_iter().flat_map(|curve| ALONG.iter().map(|&t| curve.at(t)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Left,
    Right,
}

/// Finds routes one after the other, and keeps edges that meet at a node apart.
pub(super) struct Router<'a> {
    layout: &'a Layout,
    /// How many edges end on a side of a node.
    taken: HashMap<(usize, Side), usize>,
    /// How many edges run down beside a column.
    lanes: HashMap<(Option<usize>, Side), usize>,
}

impl<'a> Router<'a> {
    pub(super) fn new(layout: &'a Layout) -> Router<'a> {
        Router { layout, taken: HashMap::new(), lanes: HashMap::new() }
    }

    /// Between two nodes, given by their places in the graph. `straight` is for neighbours in a column.
    pub(super) fn route(&mut self, from: usize, to: usize, straight: bool) -> Route {
        let (a, b) = (self.layout.nodes[from], self.layout.nodes[to]);
        Route(match (self.layout.columns[from], self.layout.columns[to]) {
            (None, None) => vec![initial_to_initial(a, b)],
            (None, Some(_)) => self.beside_column(a, to),
            (Some(_), None) => {
                let mut curves: Vec<Curve> = self.beside_column(b, from).into_iter().map(Curve::reversed).collect();
                curves.reverse();
                curves
            }
            (Some(x), Some(y)) if x == y && straight => {
                let (top, bottom) = if a.y < b.y { (a.bottom(), b.y) } else { (a.y, b.bottom()) };
                vec![Curve::line((a.middle().0, top), (b.middle().0, bottom))]
            }
            (Some(x), Some(y)) if x == y => vec![self.within_column(from, to)],
            (Some(x), Some(y)) => self.across(from, to, x, y),
        })
    }

    /// Where the next edge on a side of a node ends: its middle first, then alternately below and above.
    fn attach(&mut self, node: usize, side: Side) -> Point {
        let count = self.taken.entry((node, side)).or_default();
        let step = (*count as f64 / 2.0).ceil() * 7.0;
        let offset = if *count % 2 == 1 { step } else { -step };
        *count += 1;
        let rect = self.layout.nodes[node];
        let x = if side == Side::Left { rect.x } else { rect.right() };
        (x, rect.middle().1 + offset.clamp(-rect.height / 2.0 + 3.0, rect.height / 2.0 - 3.0))
    }

    /// Down beside the column, so that the curve does not run behind the events above its end.
    fn beside_column(&mut self, initial: Rect, node: usize) -> Vec<Curve> {
        let target = self.layout.nodes[node];
        let start = (initial.middle().0, initial.bottom());
        let side = if start.0 < target.middle().0 { Side::Left } else { Side::Right };
        let end = self.attach(node, side);
        let lanes = self.lanes.entry((self.layout.columns[node], side)).or_default();
        let distance = 14.0 + (*lanes % 6) as f64 * 9.0;
        *lanes += 1;
        let column = self.layout.columns[node].map_or(target, |column| self.layout.headers[column]);
        let lane = if side == Side::Left { column.x - distance } else { column.right() + distance };
        let (top, low) = (column.bottom() - 8.0, end.1 - 14.0);
        let mut curves = vec![Curve::downwards(start, (lane, top.min(low)))];
        if low > top {
            curves.push(Curve::line((lane, top), (lane, low)));
        }
        curves.push(Curve((lane, low), (lane, end.1), (lane, end.1), end));
        curves
    }

    /// A bow beside the column: the first column has the free margin on its left, the others bow to the right.
    fn within_column(&mut self, from: usize, to: usize) -> Curve {
        let first = self.layout.columns[from] == Some(0);
        let side = if first { Side::Left } else { Side::Right };
        let (mut start, mut end) = (self.attach(from, side), self.attach(to, side));
        if from == to {
            let middle = self.layout.nodes[from].middle().1;
            (start.1, end.1) = (middle - 9.0, middle + 9.0);
        }
        let bow = 30.0 + ((end.1 - start.1).abs() / 8.0).min(45.0);
        let x = if first { start.0.min(end.0) - bow } else { start.0.max(end.0) + bow };
        Curve(start, (x, start.1), (x, end.1), end)
    }

    /// From column to column; past the columns in between it runs in the space below or above their events.
    fn across(&mut self, from: usize, to: usize, x: usize, y: usize) -> Vec<Curve> {
        let (out_side, in_side) = if x < y { (Side::Right, Side::Left) } else { (Side::Left, Side::Right) };
        let (start, end) = (self.attach(from, out_side), self.attach(to, in_side));
        if x.abs_diff(y) == 1 {
            return vec![Curve::sideways(start, end)];
        }
        let source = self.layout.nodes[from];
        let lane = if end.1 < source.y { source.y - 12.0 } else { source.bottom() + 12.0 };
        let headers = &self.layout.headers;
        let (enter, leave) = if x < y {
            (headers[x + 1].x - 6.0, headers[y - 1].right() + 6.0)
        } else {
            (headers[x - 1].right() + 6.0, headers[y + 1].x - 6.0)
        };
        vec![
            Curve::sideways(start, (enter, lane)),
            Curve::line((enter, lane), (leave, lane)),
            Curve::sideways((leave, lane), end),
        ]
    }
}

fn initial_to_initial(a: Rect, b: Rect) -> Curve {
    let (start, end) = ((a.middle().0, a.bottom()), (b.middle().0, b.bottom()));
    let low = start.1.max(end.1) + 24.0;
    Curve(start, (start.0, low), (end.0, low), end)
}
