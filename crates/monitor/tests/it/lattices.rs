//! Views as clocks, and views as sets of stale values.

use fencepost_monitor::{Cell, Lattice, Plan, Timestamps, View};

use crate::run::Views;

impl Views for Timestamps {
    fn new(plan: &Plan, cells: usize) -> Timestamps {
        Timestamps::new(plan.views(), cells)
    }

    fn overwrite(&mut self, cell: Cell) {
        Timestamps::overwrite(self, cell);
    }

    fn may_take(&self, view: View, cell: Cell, write: u32) -> bool {
        self.known(view, cell) <= write
    }
}

/// By view and cell, the numbers of overwritten writes that the view does not rule out. This is the finite monitor of
/// paper 003, with a class for each write.
#[derive(Clone)]
pub struct StaleSets {
    pub views: Vec<Vec<Vec<u32>>>,
    /// By cell, the number of its last write.
    pub now: Vec<u32>,
    scratch: View,
}

impl Views for StaleSets {
    fn new(plan: &Plan, cells: usize) -> StaleSets {
        StaleSets { views: vec![vec![Vec::new(); cells]; plan.views()], now: vec![0; cells], scratch: plan.scratch() }
    }

    fn overwrite(&mut self, cell: Cell) {
        let old = self.now[cell.0 as usize];
        self.views[..self.scratch.0 as usize].iter_mut().for_each(|view| view[cell.0 as usize].push(old));
        self.now[cell.0 as usize] += 1;
    }

    fn may_take(&self, view: View, cell: Cell, write: u32) -> bool {
        write == self.now[cell.0 as usize] || self.views[view.0 as usize][cell.0 as usize].contains(&write)
    }
}

impl Lattice for StaleSets {
    fn join(&mut self, into: View, from: View) {
        for cell in 0..self.now.len() {
            let from = self.views[from.0 as usize][cell].clone();
            self.views[into.0 as usize][cell].retain(|write| from.contains(write));
        }
    }

    fn copy(&mut self, into: View, from: View) {
        self.views[into.0 as usize] = self.views[from.0 as usize].clone();
    }

    fn know(&mut self, view: View, cell: Cell) {
        self.views[view.0 as usize][cell.0 as usize].clear();
    }
}
