//! Where things stand in a drawing: initial writes on top, one column a thread, time downwards.

use std::collections::HashMap;

use fencepost_story::WitnessGraph;

use crate::shown::names;

pub(super) const CHARACTER: f64 = 7.83;
pub(super) const MARGIN: f64 = 24.0;
const NODE_HEIGHT: f64 = 30.0;
const ROW: f64 = 62.0;
/// Between columns; wide enough for curves and their names.
const GAP: f64 = 110.0;
const INIT_GAP: f64 = 24.0;
const TITLE_HEIGHT: f64 = 34.0;
const HEADER_HEIGHT: f64 = 40.0;
pub(super) const LEGEND_ROW: f64 = 22.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(super) fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub(super) fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }
}

pub(super) struct Layout {
    /// One for each node of the graph, in its order.
    pub(super) nodes: Vec<Rect>,
    /// The column of each node; `None` for an initial write.
    pub(super) columns: Vec<Option<usize>>,
    pub(super) headers: Vec<Rect>,
    pub(super) width: f64,
    /// The bottom of the lowest node; the legend comes below.
    pub(super) bottom: f64,
}

impl Layout {
    pub(super) fn of(graph: &WitnessGraph) -> Layout {
        let columns: Vec<Option<usize>> = graph.nodes.iter().map(|node| graph.column(node)).collect();
        let widths: Vec<f64> = graph.nodes.iter().map(|node| node_width(&node.label, node.span.line)).collect();
        let column_widths: Vec<f64> = (0..graph.threads.len())
            .map(|thread| {
                let header = graph.threads[thread].chars().count() as f64 * CHARACTER + 20.0;
                let own = columns.iter().zip(&widths).filter(|(c, _)| **c == Some(thread)).map(|(_, w)| *w);
                own.fold(header, f64::max)
            })
            .collect();
        let threads_width = column_widths.iter().sum::<f64>() + GAP * column_widths.len().saturating_sub(1) as f64;
        let width = threads_width.max(420.0);

        let mut nodes = vec![Rect { x: 0.0, y: 0.0, width: 0.0, height: NODE_HEIGHT }; graph.nodes.len()];
        let left = MARGIN + GAP / 2.0;
        let mut y = MARGIN + TITLE_HEIGHT;
        let initial: Vec<usize> = (0..nodes.len()).filter(|&i| columns[i].is_none()).collect();
        for line in fit(&initial, &widths, width) {
            let taken = line.iter().map(|&i| widths[i]).sum::<f64>() + INIT_GAP * (line.len() - 1) as f64;
            let mut x = left + (width - taken) / 2.0;
            for i in line {
                nodes[i] = Rect { x, y, width: widths[i], height: NODE_HEIGHT };
                x += widths[i] + INIT_GAP;
            }
            y += ROW * 0.75;
        }
        if !initial.is_empty() {
            y += 12.0;
        }

        let mut headers = Vec::new();
        let mut x = left + (width - threads_width) / 2.0;
        for column_width in &column_widths {
            headers.push(Rect { x, y, width: *column_width, height: HEADER_HEIGHT });
            x += column_width + GAP;
        }
        y += HEADER_HEIGHT;
        for (i, row) in rows(graph, &columns).into_iter().enumerate() {
            let Some(column) = columns[i] else { continue };
            let x = headers[column].middle().0 - widths[i] / 2.0;
            nodes[i] = Rect { x, y: y + row as f64 * ROW, width: widths[i], height: NODE_HEIGHT };
        }
        let bottom = nodes.iter().map(Rect::bottom).fold(y, f64::max);
        Layout { nodes, columns, headers, width: width + 2.0 * left, bottom }
    }
}

fn node_width(label: &str, line: u32) -> f64 {
    let line_number = if line == 0 { 0.0 } else { (line.to_string().len() + 2) as f64 * CHARACTER * 0.8 };
    label.chars().count() as f64 * CHARACTER + 22.0 + line_number
}

/// Breaks the initial writes into lines that are no wider than the threads below them.
fn fit(initial: &[usize], widths: &[f64], width: f64) -> Vec<Vec<usize>> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let mut taken = 0.0;
    for &i in initial {
        match lines.last_mut() {
            Some(line) if taken + INIT_GAP + widths[i] <= width => {
                line.push(i);
                taken += INIT_GAP + widths[i];
            }
            _ => {
                lines.push(vec![i]);
                taken = widths[i];
            }
        }
    }
    lines
}

/// An event stands below the one before it in its thread, and below all earlier events that an edge comes from, so that
/// what is unordered stands side by side.
fn rows(graph: &WitnessGraph, columns: &[Option<usize>]) -> Vec<usize> {
    let position: HashMap<usize, usize> = graph.nodes.iter().enumerate().map(|(i, node)| (node.id, i)).collect();
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    // A read before a write says nothing of when.
    let ordering = |edge: &&fencepost_story::Edge| names(edge).any(|name| !["fr", "race"].contains(&name));
    for edge in graph.edges.iter().filter(ordering) {
        if let (Some(&from), Some(&to)) = (position.get(&edge.from), position.get(&edge.to))
            && from < to
            && columns[from].is_some()
        {
            sources[to].push(from);
        }
    }
    let mut free = vec![0; graph.threads.len()];
    let mut rows = vec![0; graph.nodes.len()];
    for i in 0..graph.nodes.len() {
        let Some(column) = columns[i] else { continue };
        let below = sources[i].iter().map(|&from| rows[from] + 1).max().unwrap_or(0);
        rows[i] = free[column].max(below);
        free[column] = rows[i] + 1;
    }
    rows
}
