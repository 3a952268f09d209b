use crate::{Cell, Lattice, View};

/// Views as clocks: for each cell, the timestamp of the newest write that is known. 0 is the initial write.
#[derive(Clone, Debug)]
pub struct Timestamps {
    views: Vec<Vec<u32>>,
    now: Vec<u32>,
}

impl Timestamps {
    pub fn new(views: usize, cells: usize) -> Timestamps {
        Timestamps { views: vec![vec![0; cells]; views], now: vec![0; cells] }
    }

    /// A new write to `cell`, which no view knows yet.
    pub fn overwrite(&mut self, cell: Cell) {
        self.now[cell.0 as usize] += 1;
    }

    /// The timestamp of the last write.
    pub fn now(&self, cell: Cell) -> u32 {
        self.now[cell.0 as usize]
    }

    /// The timestamp of the newest write to `cell` that the view knows.
    pub fn known(&self, view: View, cell: Cell) -> u32 {
        self.views[view.0 as usize][cell.0 as usize]
    }
}

impl Lattice for Timestamps {
    fn join(&mut self, into: View, from: View) {
        for cell in 0..self.now.len() {
            let from = self.views[from.0 as usize][cell];
            let into = &mut self.views[into.0 as usize][cell];
            *into = (*into).max(from);
        }
    }

    fn copy(&mut self, into: View, from: View) {
        let from = self.views[from.0 as usize].clone();
        self.views[into.0 as usize] = from;
    }

    fn know(&mut self, view: View, cell: Cell) {
        self.views[view.0 as usize][cell.0 as usize] = self.now[cell.0 as usize];
    }
}
