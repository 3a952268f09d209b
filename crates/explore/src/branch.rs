//! What is left to try.

use std::ops::RangeInclusive;

use fencepost_program::Value;

use crate::event::{Event, Id, Kind};
use crate::execution::Execution;
use crate::steps::{Reading, Steps};

/// An execution, and what is left to try at each of its events.
pub(crate) struct Branch {
    pub execution: Execution,
    pub frames: Vec<Frame>,
}

/// What can follow the first `base` events.
#[derive(Clone)]
pub(crate) struct Frame {
    pub base: usize,
    pub choices: Choices,
}

#[derive(Clone)]
pub(crate) enum Choices {
    /// From the `next` write in modification order, where 0 is the initial one.
    Read {
        thread: usize,
        location: usize,
        reading: Reading,
        next: u32,
        variant: u8,
    },
    /// In each place; then it revisits each read of the location.
    Write {
        event: Box<Event>,
        places: RangeInclusive<u32>,
        next_read: usize,
    },
    /// A read, the last event of its thread, reads from the write that is yet to take its place.
    Revisit {
        read: Id,
        write: Box<Event>,
        next: u32,
        last: u32,
        variant: u8,
    },
    Value {
        thread: usize,
        values: RangeInclusive<Value>,
        first: Value,
    },
}

impl Branch {
    pub(crate) fn new(steps: &Steps) -> Branch {
        Branch { execution: Execution::new(steps.start.clone()), frames: Vec::new() }
    }

    /// How many frames it has.
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The highest frame, as it stands.
    pub(crate) fn top(&self) -> Option<Frame> {
        self.frames.last().cloned()
    }

    /// Sets the highest frame back to what it was.
    pub(crate) fn set_top(&mut self, top: Option<Frame>) {
        if let (Some(frame), Some(top)) = (self.frames.last_mut(), top) {
            *frame = top;
        }
    }

    /// Gives away what is left to try in its lowest frame that has something left.
    pub(crate) fn split(&mut self) -> Option<Branch> {
        let lowest = self.frames.iter().position(|frame| frame.has_more(&self.execution))?;
        let frame = self.frames[lowest].take_all();
        let mut execution = self.execution.clone();
        execution.truncate(frame.base);
        Some(Branch { execution, frames: vec![frame] })
    }
}

impl Frame {
    /// Whether something may be left to try. The execution may go on beyond the frame.
    fn has_more(&self, execution: &Execution) -> bool {
        match &self.choices {
            Choices::Read { location, next, .. } => {
                let writes = &execution.locations[*location].writes;
                *next as usize <= writes.iter().filter(|&&w| w.index() < self.base).count()
            }
            Choices::Write { event, places, next_read } => {
                let reads = &execution.locations[event.location].reads;
                !places.is_empty() || reads.get(*next_read).is_some_and(|&r| r.index() < self.base)
            }
            Choices::Revisit { next, last, .. } => next <= last,
            Choices::Value { values, .. } => !values.is_empty(),
        }
    }

    /// Leaves nothing to try here.
    fn take_all(&mut self) -> Frame {
        let all = self.clone();
        match &mut self.choices {
            Choices::Read { next, .. } => *next = u32::MAX,
            Choices::Write { places, next_read, .. } => {
                *places = RangeInclusive::new(1, 0);
                *next_read = usize::MAX;
            }
            Choices::Revisit { next, last, .. } => *next = *last + 1,
            Choices::Value { values, .. } => *values = RangeInclusive::new(1, 0),
        }
        all
    }
}

impl Branch {
    /// A write that was just added, and the read that it revisits in what is left of the execution.
    pub(crate) fn revisit(rest: Execution, read: Id, write: &Event) -> Branch {
        let places = match write.kind {
            Kind::ExclusiveWrite => {
                let position = rest.position(rest.event(rest.exclusive_read(write)).source) + 1;
                position..=position
            }
            _ => 1..=rest.locations[write.location].writes.len() as u32 + 1,
        };
        let write = Box::new(write.clone());
        let choices = Choices::Revisit { read, write, next: *places.start(), last: *places.end(), variant: 0 };
        Branch { frames: vec![Frame { base: rest.len(), choices }], execution: rest }
    }
}
