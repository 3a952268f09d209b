//! Numbers views.

use crate::{Needs, View};

pub(crate) struct Allocator<'n> {
    pub needs: &'n Needs,
    pub next: u32,
}

impl Allocator<'_> {
    pub(crate) fn view(&mut self) -> View {
        self.next += 1;
        View(self.next - 1)
    }

    pub(crate) fn views(&mut self, count: usize) -> Vec<View> {
        (0..count).map(|_| self.view()).collect()
    }

    pub(crate) fn views_if(&mut self, wanted: &[bool]) -> Vec<Option<View>> {
        wanted.iter().map(|&w| w.then(|| self.view())).collect()
    }
}
