//! Numbers of local states, locations, values and states: a type for each, and tables that are indexed by them.

use std::fmt;
use std::marker::PhantomData;
use std::ops;

/// A number that counts things of one kind from 0.
pub trait Index: Copy {
    const FIRST: Self;

    fn from_u32(number: u32) -> Self;
    fn to_u32(self) -> u32;

    #[inline(always)]
    fn from_index(index: usize) -> Self {
        Self::from_u32(index as u32)
    }

    #[inline(always)]
    fn index(self) -> usize {
        self.to_u32() as usize
    }
}

macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Index for $name {
            const FIRST: $name = $name(0);

            #[inline(always)]
            fn from_u32(number: u32) -> $name {
                $name(number)
            }

            #[inline(always)]
            fn to_u32(self) -> u32 {
                self.0
            }
        }
    )*};
}

indices! {
    /// A local state of a thread, in the order of discovery. The first is the one in which the thread starts.
    LocalId;
    /// A location, in the order of discovery.
    LocationId;
    /// A value of a location, in the order of discovery; the first is the initial one. Of a step that chooses a value,
    /// one of those that it can choose.
    ValueId;
    /// A state of a search, with its owner (see `search::exchange`).
    StateId;
}

impl Index for u32 {
    const FIRST: u32 = 0;

    #[inline(always)]
    fn from_u32(number: u32) -> u32 {
        number
    }

    #[inline(always)]
    fn to_u32(self) -> u32 {
        self
    }
}

/// An `Option` of an index in the four bytes of the index: the greatest number stands for `None`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Optional<I>(u32, PhantomData<I>);

impl<I: Index> Optional<I> {
    pub(crate) const NONE: Optional<I> = Optional(u32::MAX, PhantomData);

    #[inline(always)]
    pub(crate) fn some(index: I) -> Optional<I> {
        debug_assert_ne!(index.to_u32(), u32::MAX);
        Optional(index.to_u32(), PhantomData)
    }

    #[inline(always)]
    pub(crate) fn get(self) -> Option<I> {
        if self.0 == u32::MAX { None } else { Some(I::from_u32(self.0)) }
    }
}

impl<I: Index> From<Option<I>> for Optional<I> {
    fn from(index: Option<I>) -> Optional<I> {
        index.map_or(Optional::NONE, Optional::some)
    }
}

impl<I: Index + fmt::Debug> fmt::Debug for Optional<I> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A vector that is indexed by numbers of one kind.
#[derive(Clone, Debug)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    kind: PhantomData<I>,
}

impl<I: Index, T> IndexVec<I, T> {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.index())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The numbers of all items.
    pub fn indices(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub(crate) fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// Adds items up to a length.
    pub(crate) fn resize_with(&mut self, length: usize, item: impl FnMut() -> T) {
        self.items.resize_with(length, item);
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> IndexVec<I, T> {
        IndexVec { items: Vec::new(), kind: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> IndexVec<I, T> {
        IndexVec { items: items.into_iter().collect(), kind: PhantomData }
    }
}

impl<I: Index, T> ops::Index<I> for IndexVec<I, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: I) -> &T {
        &self.items[index.index()]
    }
}

impl<I: Index, T> ops::IndexMut<I> for IndexVec<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.index()]
    }
}
