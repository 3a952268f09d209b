//! What passes between a thread and the one that makes it: arguments, the word that lets it start, its result.

use fencepost_program::memory::{self, Region};
use fencepost_program::{Comparison, Inst, Memory, Operand, Ordering, Place, Reg, Value as Word};

use super::objects::{ObjectId, Origin, ThreadId};
use super::step::{Residual, Walk};
use super::value::{Offset, Target, Value};

impl Walk<'_, '_> {
    pub(super) fn words_of(&mut self, thread: ThreadId) -> ObjectId {
        let span = Default::default();
        self.analysis.objects.of_origin(Origin::ThreadWords(thread), Some(24), 0, span)
    }

    /// Words of a thread, and it is not known which: waiting for it is not waiting, and its result may be any.
    pub(super) fn access_to_some_thread(&mut self, inst: &Inst) {
        let Some(any) = self.analysis.objects.known(Origin::AnyThreadWords) else { return };
        self.analysis.exact.set(false);
        match *inst {
            Inst::Store { value, .. } => {
                let value = self.value(value);
                self.store(&[Target { object: any, offset: Offset::exact(16) }], 8, &value);
            }
            Inst::Load { dst: Some(dst), .. } | Inst::Wait { dst: Some(dst), .. } => {
                self.reads = true;
                let analysis = &*self.analysis;
                let is_words =
                    |id| matches!(analysis.objects.get(id).origin, Origin::ThreadWords(_) | Origin::AnyThreadWords);
                let values = analysis.contents.values().filter(|(id, _)| is_words(*id)).map(|(_, value)| value.clone());
                let value = values.fold(Value::any(64), |a, b| a.join(&b, &analysis.objects));
                self.assign(dst, value, |dst| Inst::Choose { dst, lo: Word::MIN, hi: Word::MAX });
            }
            _ => {}
        }
    }

    /// Stores the arguments of a new thread that are not constant, before the thread may start.
    pub(super) fn tell_arguments(&mut self, child: ThreadId, arguments: [Operand; 2]) {
        self.words_of(child);
        for (i, argument) in arguments.into_iter().enumerate() {
            let value = self.value(argument);
            if value.as_const().is_some() {
                continue;
            }
            let (place, target) = self.argument_place(child, i);
            self.store(&[target], 8, &value);
            let (value, order) = (self.operand(argument), Ordering::Relaxed);
            let pointer = place.operand();
            self.residual.push(Residual::Access {
                inst: Inst::Store { place, value, order },
                pointer,
                targets: vec![target],
            });
        }
    }

    /// Threads that are not told apart share a word that lets them start.
    pub(super) fn let_start(&mut self, child: ThreadId) {
        if self.analysis.doubts.repeated.contains(&child) {
            let (place, target) = self.word_of(Origin::ThreadMade(child), 8, 0);
            let inst = Inst::Store { place, value: Operand::Const(1), order: Ordering::Release };
            self.residual.push(Residual::Access { inst, pointer: place.operand(), targets: vec![target] });
        }
    }

    pub(super) fn wait_for_start(&mut self) {
        if self.analysis.doubts.repeated.contains(&self.thread) {
            let (place, target) = self.word_of(Origin::ThreadMade(self.thread), 8, 0);
            let (comparison, value) = (Comparison::Eq, Operand::Const(1));
            let inst = Inst::Wait { dst: None, place, comparison, value, order: Ordering::Acquire };
            self.residual.push(Residual::Access { inst, pointer: place.operand(), targets: vec![target] });
        }
    }

    pub(super) fn hear_arguments(&mut self) {
        if self.analysis.made[self.thread as usize].by.is_none() {
            return;
        }
        for i in 0..self.analysis.made[self.thread as usize].arguments.len() {
            if self.analysis.made[self.thread as usize].arguments[i].as_const().is_some() {
                continue;
            }
            let (place, target) = self.argument_place(self.thread, i);
            let dst = Some(self.var(Reg(i as u32)));
            let pointer = place.operand();
            let inst = Inst::Load { dst, place, order: Ordering::Relaxed };
            self.residual.push(Residual::Access { inst, pointer, targets: vec![target] });
        }
    }

    fn argument_place(&mut self, thread: ThreadId, i: usize) -> (Place, Target) {
        let found = self.word_of(Origin::ThreadArguments(thread), 16, 8 * i as u32);
        if self.analysis.doubts.repeated.contains(&thread) {
            self.analysis.objects.stands_for_several(found.1.object);
        }
        found
    }

    /// A word of an object of our own.
    fn word_of(&mut self, origin: Origin, size: u64, offset: u32) -> (Place, Target) {
        let objects = &mut self.analysis.objects;
        let object = objects.of_origin(origin, Some(size), 0, Default::default());
        let pointer = Operand::Const(objects.get(object).base as Word + i64::from(offset));
        let place = Place::Memory(Memory::aligned(pointer, 0, 8));
        (place, Target { object, offset: Offset::exact(i64::from(offset)) })
    }
}

/// Whether a word points to the words of threads.
pub(super) fn is_thread_word(word: Word) -> bool {
    memory::region(word as u64) == Region::Thread
}
