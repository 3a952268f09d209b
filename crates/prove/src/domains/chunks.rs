//! An array that is cheap to copy: copies share what neither of them changed.

use std::rc::Rc;

const CHUNK: usize = 16;

#[derive(Clone, Debug)]
pub(crate) struct Chunks<T> {
    chunks: Rc<Vec<Rc<[T; CHUNK]>>>,
}

impl<T: Copy + PartialEq> Chunks<T> {
    /// The last chunk is filled up.
    pub(crate) fn new(items: impl Iterator<Item = T>, filling: T) -> Chunks<T> {
        let items: Vec<T> = items.collect();
        let chunk = |part: &[T]| Rc::new(std::array::from_fn(|i| part.get(i).copied().unwrap_or(filling)));
        Chunks { chunks: Rc::new(items.chunks(CHUNK).map(chunk).collect()) }
    }

    pub(crate) fn get(&self, i: usize) -> T {
        self.chunks[i / CHUNK][i % CHUNK]
    }

    pub(crate) fn set(&mut self, i: usize, item: T) {
        if self.get(i) != item {
            Rc::make_mut(&mut Rc::make_mut(&mut self.chunks)[i / CHUNK])[i % CHUNK] = item;
        }
    }

    /// The first place with this item.
    pub(crate) fn position(&self, item: T) -> Option<usize> {
        (0..self.chunks.len() * CHUNK).find(|&i| self.get(i) == item)
    }

    /// Changes the items that `change` gives something for.
    pub(crate) fn update(&mut self, change: impl Fn(T) -> Option<T>) {
        for i in 0..self.chunks.len() * CHUNK {
            if let Some(item) = change(self.get(i)) {
                self.set(i, item);
            }
        }
    }

    /// Combines the items at each place, except where they are the same already.
    pub(crate) fn merge(&mut self, other: &Chunks<T>, merge: impl Fn(T, T) -> T) {
        if Rc::ptr_eq(&self.chunks, &other.chunks) {
            return;
        }
        for (c, theirs) in other.chunks.iter().enumerate() {
            if Rc::ptr_eq(&self.chunks[c], theirs) {
                continue;
            }
            for (i, &item) in theirs.iter().enumerate() {
                let at = c * CHUNK + i;
                self.set(at, merge(self.get(at), item));
            }
        }
    }
}

impl<T: PartialEq> PartialEq for Chunks<T> {
    fn eq(&self, other: &Chunks<T>) -> bool {
        let same = |(a, b): (&Rc<[T; CHUNK]>, &Rc<[T; CHUNK]>)| Rc::ptr_eq(a, b) || a == b;
        let all_same = || self.chunks.iter().zip(other.chunks.iter()).all(same);
        Rc::ptr_eq(&self.chunks, &other.chunks) || self.chunks.len() == other.chunks.len() && all_same()
    }
}
