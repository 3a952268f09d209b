//! Where a thread stands: in which call, in which round of which loops, at which instruction.

use std::collections::HashMap;

use fencepost_program::{FuncId, Function, Inst, Program, Span};

use super::objects::ThreadId;

pub(super) type FrameId = u32;
pub(super) type LoopsId = u32;

/// A place in the code of a call, and the rounds of the loops around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Point {
    pub(super) frame: FrameId,
    pub(super) loops: LoopsId,
    pub(super) pc: u32,
}

/// A call. Each iteration of a loop around it has a frame of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) thread: ThreadId,
    pub(super) func: FuncId,
    /// The call instruction that made it.
    pub(super) caller: Option<Point>,
}

/// Frames and rounds by number.
#[derive(Default)]
pub(super) struct Frames {
    frames: Vec<Frame>,
    depths: Vec<u32>,
    known_frames: HashMap<Frame, FrameId>,
    /// The heads of the loops around a place, the outermost first, and how often each was gone back to.
    loops: Vec<Vec<(u32, u32)>>,
    known_loops: HashMap<Vec<(u32, u32)>, LoopsId>,
}

impl Frames {
    pub(super) fn enter(&mut self, frame: Frame) -> FrameId {
        if let Some(&known) = self.known_frames.get(&frame) {
            return known;
        }
        let id = self.frames.len() as FrameId;
        self.depths.push(frame.caller.map_or(0, |caller| self.depth(caller.frame) + 1));
        self.known_frames.insert(frame.clone(), id);
        self.frames.push(frame);
        id
    }

    pub(super) fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id as usize]
    }

    /// Calls around it.
    pub(super) fn depth(&self, id: FrameId) -> u32 {
        self.depths[id as usize]
    }

    pub(super) fn no_loops(&mut self) -> LoopsId {
        self.loops_id(Vec::new())
    }

    fn loops_id(&mut self, loops: Vec<(u32, u32)>) -> LoopsId {
        if let Some(&known) = self.known_loops.get(&loops) {
            return known;
        }
        let id = self.loops.len() as LoopsId;
        self.known_loops.insert(loops.clone(), id);
        self.loops.push(loops);
        id
    }

    /// The loops around a point in its call, and how often each was gone back to.
    pub(super) fn rounds(&self, loops: LoopsId) -> &[(u32, u32)] {
        &self.loops[loops as usize]
    }

    /// The point that a jump leads to, and the loop whose next round that is, with its count.
    pub(super) fn jump(
        &mut self,
        from: Point,
        to: u32,
        shape: &Loops,
        counts: &dyn Fn(u32) -> bool,
    ) -> (Point, Option<(u32, u32)>) {
        let mut loops = self.loops[from.loops as usize].clone();
        loops.retain(|&(head, _)| shape.contains(head, to));
        let mut round = None;
        if shape.goes_back(from.pc, to) && counts(to) {
            match loops.iter_mut().find(|(head, _)| *head == to) {
                Some((_, count)) => *count += 1,
                None => loops.push((to, 1)),
            }
            // Inner loops start over.
            loops.retain(|&(head, _)| head == to || !shape.contains(to, head) || shape.contains(head, to));
            round = loops.iter().find(|(head, _)| *head == to).copied();
        }
        (Point { loops: self.loops_id(loops), pc: to, ..from }, round)
    }

    /// Where a point is in the source: in code of the user's, if a library was called from there.
    pub(super) fn span(&self, program: &Program, mut point: Point) -> Span {
        loop {
            let frame = self.frame(point.frame);
            let function = program.function(frame.func);
            match frame.caller {
                Some(caller) if function.library || function.header => point = caller,
                _ => {
                    let span = function.spans.get(point.pc as usize).or(function.spans.last());
                    return span.copied().unwrap_or_default();
                }
            }
        }
    }
}

/// The loops of a function.
pub(super) struct Loops {
    /// For each head of a loop, its instructions.
    bodies: HashMap<u32, Vec<bool>>,
    /// Edges that go back in a loop.
    back: Vec<(u32, u32)>,
}

impl Loops {
    pub(super) fn of(function: &Function) -> Loops {
        let n = function.code.len();
        let mut predecessors = vec![Vec::new(); n + 1];
        for pc in 0..n {
            for next in successors(function, pc as u32) {
                predecessors[next as usize].push(pc as u32);
            }
        }
        let back = back_edges(function);
        let mut bodies: HashMap<u32, Vec<bool>> = HashMap::new();
        for &(tail, head) in &back {
            let body = bodies.entry(head).or_insert_with(|| vec![false; n + 1]);
            body[head as usize] = true;
            let mut work = vec![tail];
            while let Some(pc) = work.pop() {
                if !std::mem::replace(&mut body[pc as usize], true) {
                    work.extend(&predecessors[pc as usize]);
                }
            }
        }
        Loops { bodies, back }
    }

    /// Whether an instruction is in the loop with this head.
    fn contains(&self, head: u32, pc: u32) -> bool {
        self.bodies.get(&head).is_some_and(|body| body[pc as usize])
    }

    fn goes_back(&self, from: u32, to: u32) -> bool {
        self.back.contains(&(from, to))
    }
}

/// Where control may go from an instruction of a function; calls return to the next one.
fn successors(function: &Function, pc: u32) -> Vec<u32> {
    let end = function.code.len() as u32;
    match &function.code[pc as usize] {
        Inst::Jump { target } => vec![(*target).min(end)],
        Inst::Branch { yes, no, .. } => vec![(*yes).min(end), (*no).min(end)],
        Inst::Switch { cases, default, .. } => {
            cases.iter().map(|case| case.1).chain([*default]).map(|target| target.min(end)).collect()
        }
        Inst::Return { .. }
        | Inst::ReturnMany { .. }
        | Inst::ExitThread { .. }
        | Inst::ExitProgram { .. }
        | Inst::Fail { .. } => Vec::new(),
        _ => vec![pc + 1],
    }
}

/// Edges to an instruction that a depth-first walk has not left yet.
fn back_edges(function: &Function) -> Vec<(u32, u32)> {
    let n = function.code.len();
    let (mut seen, mut open) = (vec![false; n + 1], vec![false; n + 1]);
    let mut found = Vec::new();
    if n == 0 {
        return found;
    }
    let mut stack = vec![(0u32, successors(function, 0), 0usize)];
    (seen[0], open[0]) = (true, true);
    while let Some((pc, next, child)) = stack.last_mut() {
        let Some(&to) = next.get(*child) else {
            open[*pc as usize] = false;
            stack.pop();
            continue;
        };
        *child += 1;
        if open[to as usize] {
            found.push((*pc, to));
        } else if !std::mem::replace(&mut seen[to as usize], true) && (to as usize) < n {
            open[to as usize] = true;
            stack.push((to, successors(function, to), 0));
        }
    }
    found
}
