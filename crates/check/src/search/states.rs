//! The states that a search has found, at their owners.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::exchange::{Owners, hash};
use super::table::Table;
use crate::index::{Optional, StateId};

pub(super) struct States {
    owners: Owners,
    /// By owner.
    tables: Vec<RwLock<Table>>,
}

impl States {
    /// Tables with the first state, in the memory of those of an earlier search.
    pub(super) fn new(owners: Owners, first: &[u64], earlier: Vec<Table>) -> States {
        let words = first.len();
        let mut earlier = earlier.into_iter();
        let mut table = || earlier.next().map_or_else(|| Table::new(words), |table| table.emptied(words));
        let mut tables: Vec<Table> = (0..owners.count()).map(|_| table()).collect();
        let hash = hash(first);
        tables[owners.of(hash)].insert(first, hash, Optional::NONE);
        States { owners, tables: tables.into_iter().map(RwLock::new).collect() }
    }

    pub(super) fn owners(&self) -> Owners {
        self.owners
    }

    /// All states, to be read while none is inserted.
    pub(super) fn read(&self) -> ReadStates<'_> {
        let tables = self.tables.iter().map(|table| table.read().expect("not poisoned")).collect();
        ReadStates { owners: self.owners, tables }
    }

    /// The states of an owner.
    pub(super) fn of_owner(&self, owner: usize) -> RwLockWriteGuard<'_, Table> {
        self.tables[owner].write().expect("not poisoned")
    }

    pub(super) fn into_tables(self) -> Vec<Table> {
        self.tables.into_iter().map(|table| table.into_inner().expect("not poisoned")).collect()
    }
}

pub(super) struct ReadStates<'s> {
    owners: Owners,
    tables: Vec<RwLockReadGuard<'s, Table>>,
}

impl ReadStates<'_> {
    #[inline]
    pub(super) fn words(&self, state: StateId) -> &[u64] {
        let (owner, number) = self.owners.split(state);
        self.tables[owner].state(number)
    }

    fn parent(&self, state: StateId) -> Option<StateId> {
        let (owner, number) = self.owners.split(state);
        self.tables[owner].parent(number).get()
    }

    /// The states from the first one to this one, each the parent of the next.
    pub(super) fn path_to(&self, state: StateId) -> Vec<Vec<u64>> {
        let states = std::iter::successors(Some(state), |&state| self.parent(state));
        let mut path: Vec<Vec<u64>> = states.map(|state| self.words(state).to_vec()).collect();
        path.reverse();
        path
    }

    /// By owner, the number of states.
    pub(super) fn counts(&self) -> impl Iterator<Item = usize> + '_ {
        self.tables.iter().map(|table| table.len())
    }

    pub(super) fn count(&self) -> u64 {
        self.counts().map(|count| count as u64).sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.bytes()).sum()
    }
}
