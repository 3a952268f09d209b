use smallvec::SmallVec;

/// For each thread, how many of its events are in a prefix of the execution. No execution has as many events as the
/// numbers allow.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(SmallVec<[u16; 20]>);

impl Clone for Clock {
    /// Clocks are copied all the time, and the derived way goes number by number.
    fn clone(&self) -> Clock {
        Clock(SmallVec::from_slice(&self.0))
    }

    fn clone_from(&mut self, other: &Clock) {
        if self.0.len() == other.0.len() {
            self.0.copy_from_slice(&other.0);
        } else {
            *self = other.clone();
        }
    }
}

impl Clock {
    pub(crate) fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).map_or(0, |&count| u32::from(count))
    }

    pub(crate) fn set(&mut self, thread: usize, count: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = count as u16;
    }

    pub(crate) fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}
