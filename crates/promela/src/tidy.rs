//! Which registers are live, and the removal of what only the register machine needs: dead assignments, and temporaries
//! that are used once.

use std::collections::{HashMap, HashSet};

use fencepost_program::Ty;

use crate::flat::{Expr, Op, ThreadCode};

/// Expressions do not grow beyond this many parts.
const SIZE_LIMIT: usize = 24;

/// For each line, and for the end, the registers that are live before it.
#[derive(Debug)]
pub(crate) struct Liveness {
    live: Vec<Vec<bool>>,
}

impl Liveness {
    pub(crate) fn of(code: &ThreadCode) -> Liveness {
        let mut live = vec![vec![false; code.registers.len()]; code.lines.len() + 1];
        let mut changed = true;
        while changed {
            changed = false;
            for pc in (0..code.lines.len()).rev() {
                let op = &code.lines[pc].op;
                let mut row = vec![false; code.registers.len()];
                for next in op.successors(pc) {
                    row.iter_mut().zip(&live[next]).for_each(|(into, from)| *into |= from);
                }
                op.defined().into_iter().for_each(|r| row[r] = false);
                used(op).into_iter().for_each(|r| row[r] = true);
                if row != live[pc] {
                    live[pc] = row;
                    changed = true;
                }
            }
        }
        Liveness { live }
    }

    pub(crate) fn before(&self, pc: usize, register: usize) -> bool {
        self.live[pc][register]
    }

    fn after(&self, op: &Op, pc: usize, register: usize) -> bool {
        op.successors(pc).into_iter().any(|next| self.live[next][register])
    }
}

pub(crate) fn used(op: &Op) -> Vec<usize> {
    let mut found = Vec::new();
    op.expressions().into_iter().for_each(|e| e.registers(&mut found));
    found
}

pub(crate) fn tidy(mut code: ThreadCode) -> (ThreadCode, Liveness) {
    let mut liveness = Liveness::of(&code);
    loop {
        let changed = drop_dead(&mut code, &liveness) | fold(&mut code, &liveness);
        liveness = Liveness::of(&code);
        if !changed {
            break;
        }
    }
    let code = compact(code);
    let liveness = Liveness::of(&code);
    (code, liveness)
}

/// Drops lines that do nothing, and lets jumps to jumps go where those go.
fn compact(mut code: ThreadCode) -> ThreadCode {
    let lines = &code.lines;
    let idle = |pc: usize| match lines[pc].op {
        Op::Nothing => true,
        Op::Jump { target } => target == pc + 1,
        _ => false,
    };
    let mut kept = Vec::new();
    let mut number = Vec::new();
    for pc in 0..lines.len() {
        number.push(kept.len());
        if !idle(pc) {
            kept.push(pc);
        }
    }
    number.push(kept.len());
    let jumps: Vec<Option<usize>> = kept.iter().map(|&pc| lines[pc].op.jump().map(|t| number[t])).collect();
    let place = |target: &mut usize| {
        *target = number[*target];
        // Longer chains, and circles, stay as they are.
        for _ in 0..16 {
            match jumps.get(*target) {
                Some(Some(next)) => *target = *next,
                _ => break,
            }
        }
    };
    code.lines = kept.iter().map(|&pc| lines[pc].clone()).collect();
    for line in &mut code.lines {
        match &mut line.op {
            Op::Jump { target } => place(target),
            Op::Branch { yes, no, .. } => {
                place(yes);
                place(no);
            }
            _ => {}
        }
    }
    code
}

fn drop_dead(code: &mut ThreadCode, liveness: &Liveness) -> bool {
    let mut changed = false;
    for pc in 0..code.lines.len() {
        let op = &mut code.lines[pc].op;
        let dead: Vec<usize> = op.defined().into_iter().filter(|&r| !liveness.after(op, pc, r)).collect();
        if dead.is_empty() {
            continue;
        }
        match op {
            Op::Assign { value, .. } if !may_fail(value) => *op = Op::Nothing,
            Op::Clear { .. } => *op = Op::Nothing,
            Op::Load { dst, .. } | Op::Rmw { dst, .. } => *dst = None,
            Op::Cas { old, ok, .. } => {
                *old = old.filter(|r| !dead.contains(r));
                *ok = ok.filter(|r| !dead.contains(r));
            }
            _ => continue,
        }
        changed = true;
    }
    changed
}

/// A division whose divisor is not known to be other than 0.
pub(crate) fn may_fail(value: &Expr) -> bool {
    match value {
        Expr::Const(_) | Expr::Register(_) => false,
        Expr::Unary(_, a) => may_fail(a),
        Expr::Binary(op, a, b) if op.divides() => !matches!(**b, Expr::Const(v) if v != 0) || may_fail(a),
        Expr::Binary(_, a, b) => may_fail(a) || may_fail(b),
    }
}

/// Puts the value of a register that is used once, later in the same stretch of code, in place of the use.
fn fold(code: &mut ThreadCode, liveness: &Liveness) -> bool {
    let jumps = code.lines.iter().filter(|line| matches!(line.op, Op::Jump { .. } | Op::Branch { .. }));
    let targets: HashSet<usize> = jumps.flat_map(|line| line.op.successors(0)).collect();
    let mut changed = false;
    let mut pending: HashMap<usize, usize> = HashMap::new();
    for pc in 0..code.lines.len() {
        if targets.contains(&pc) {
            pending.clear();
        }
        let uses = used(&code.lines[pc].op);
        for &register in &uses {
            let Some(at) = pending.remove(&register) else { continue };
            let once = uses.iter().filter(|&&r| r == register).count() == 1;
            let op = &code.lines[pc].op;
            if !once || (liveness.after(op, pc, register) && !op.defined().contains(&register)) {
                continue;
            }
            let Op::Assign { value, .. } = std::mem::replace(&mut code.lines[at].op, Op::Nothing) else { continue };
            let line = &mut code.lines[pc];
            for expr in line.op.expressions_mut().into_iter().chain(&mut line.depends) {
                substitute(expr, register, &value);
            }
            changed = true;
        }
        let op = &code.lines[pc].op;
        for defined in op.defined() {
            pending.remove(&defined);
            pending.retain(|_, at| !used(&code.lines[*at].op).contains(&defined));
        }
        if let Op::Assign { dst, value } = op
            && code.registers[*dst].ty == Ty::Int
            && value.size() <= SIZE_LIMIT
            && !may_fail(value)
            && !used(op).contains(dst)
        {
            pending.insert(*dst, pc);
        }
    }
    changed
}

fn substitute(expr: &mut Expr, register: usize, value: &Expr) {
    match expr {
        Expr::Register(r) if *r == register => *expr = value.clone(),
        Expr::Const(_) | Expr::Register(_) => {}
        Expr::Unary(_, a) => substitute(a, register, value),
        Expr::Binary(_, a, b) => {
            substitute(a, register, value);
            substitute(b, register, value);
        }
    }
}
