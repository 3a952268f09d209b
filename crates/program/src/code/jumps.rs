//! Jumps to jumps, and code that cannot be reached.

use super::flow::order_from;
use crate::{Function, Inst};

/// Longer chains of jumps, and circles, stay as they are.
const LONGEST_CHAIN: usize = 16;

impl Function {
    /// By instruction, whether a path leads to it.
    pub(crate) fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.code.len() + 1];
        order_from(&self.successors(), 0).iter().for_each(|&pc| reachable[pc as usize] = true);
        reachable.pop();
        reachable
    }

    /// Keeps some of the instructions; a jump to another goes to the next one that is kept.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        let mut index = Vec::with_capacity(keep.len() + 1);
        let mut count = 0;
        for &kept in keep {
            index.push(count);
            count += kept as u32;
        }
        index.push(count);
        for inst in &mut self.code {
            inst.for_each_target_mut(|target| *target = index[*target as usize]);
        }
        let mut kept = keep.iter();
        self.code.retain(|_| *kept.next().expect("one for each"));
        let mut kept = keep.iter();
        self.spans.retain(|_| *kept.next().expect("one for each"));
    }

    /// Puts an instruction before each of some others; what jumps to these comes to it first.
    pub fn insert_before(&mut self, wanted: impl Fn(usize, &Inst) -> bool, inserted: &Inst) {
        let (mut code, mut spans, mut index) = (Vec::new(), Vec::new(), Vec::new());
        for (pc, (inst, &span)) in self.code.drain(..).zip(&self.spans).enumerate() {
            index.push(code.len() as u32);
            if wanted(pc, &inst) {
                code.push(inserted.clone());
                spans.push(span);
            }
            code.push(inst);
            spans.push(span);
        }
        index.push(code.len() as u32);
        for inst in &mut code {
            inst.for_each_target_mut(|target| *target = index[*target as usize]);
        }
        (self.code, self.spans) = (code, spans);
    }

    /// A jump to a jump goes where that one goes. Then drops what cannot be reached, and jumps to the next instruction.
    pub fn thread_jumps(&mut self) {
        self.follow_jumps(|_, _| true);
    }

    /// Like [`Function::thread_jumps`], but jumps that go back stay: bounds on loops count them.
    pub(crate) fn thread_forward_jumps(&mut self) {
        self.follow_jumps(|from, to| to > from);
    }

    /// `follows`: whether to shorten a jump from the first instruction to the second, or over a jump between these.
    fn follow_jumps(&mut self, follows: impl Fn(usize, usize) -> bool) {
        let jump = |(pc, inst): (usize, &Inst)| match inst {
            Inst::Jump { target } if follows(pc, *target as usize) => Some(*target),
            _ => None,
        };
        let jumps: Vec<Option<u32>> = self.code.iter().enumerate().map(jump).collect();
        for (pc, inst) in self.code.iter_mut().enumerate() {
            inst.for_each_target_mut(|target| {
                for _ in 0..LONGEST_CHAIN {
                    match jumps.get(*target as usize).copied().flatten() {
                        Some(next) if next != *target && follows(pc, *target as usize) => *target = next,
                        _ => break,
                    }
                }
            });
        }
        let mut keep = self.reachable();
        // The first instruction that is kept from each on; backwards, so that a chain of useless jumps goes at once.
        let n = self.code.len();
        let mut next_kept = vec![n; n + 1];
        for pc in (0..n).rev() {
            if let Inst::Jump { target } = self.code[pc]
                && target as usize > pc
                && next_kept[target as usize] == next_kept[pc + 1]
            {
                keep[pc] = false;
            }
            next_kept[pc] = if keep[pc] { pc } else { next_kept[pc + 1] };
        }
        self.retain(&keep);
    }
}
