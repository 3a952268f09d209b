//! Steps of a program as `.fp` writes them.

use fencepost_program::memory::joined_thread;
use fencepost_program::{Accept, Action, CasKind, Comparison, Names, Ordering, Update, UpdateOp, Value};

/// The name of an operation.
pub fn operation(action: &Action) -> &'static str {
    match action {
        Action::Load { .. } => "load",
        Action::Wait { .. } => "wait",
        Action::Store { .. } => "store",
        Action::Rmw { accept: Accept::Exactly(_), update: Update { op: UpdateOp::Exchange, .. }, .. } => "bcas",
        Action::Rmw { update, .. } => update_name(update.op),
        Action::Cas { kind: CasKind::Strong, .. } => "cas",
        Action::Cas { kind: CasKind::Weak, .. } => "cas_weak",
        Action::Fence { .. } => "fence",
        Action::Choose { .. } => "choose",
        Action::Spawn { .. } => "spawn",
        Action::Alloc { .. } => "malloc",
        Action::Free { .. } => "free",
        Action::HeapSize { .. } => "realloc",
        Action::Failed(_) => "assert",
        Action::Blocked => "assume",
        Action::Hangs => "wait",
        Action::Endless => "loop",
        Action::End => "end",
    }
}

fn update_name(op: UpdateOp) -> &'static str {
    match op {
        UpdateOp::Exchange => "exchange",
        UpdateOp::Add => "fetch_add",
        UpdateOp::Sub => "fetch_sub",
        UpdateOp::And => "fetch_and",
        UpdateOp::Or => "fetch_or",
        UpdateOp::Xor => "fetch_xor",
        UpdateOp::Nand => "fetch_nand",
        UpdateOp::Min => "fetch_min",
        UpdateOp::Max => "fetch_max",
        UpdateOp::UMin => "fetch_umin",
        UpdateOp::UMax => "fetch_umax",
    }
}

/// The action as `.fp` writes it.
pub fn action_text(names: &Names, action: &Action) -> String {
    let cell = |at| names.cell_name(at);
    let call = |at, name: &str, operands: &[Value], orders: &[Ordering]| {
        let operands = operands.iter().map(|&value| names.value_text(at, value));
        let arguments: Vec<String> = operands.chain(orders.iter().map(Ordering::to_string)).collect();
        format!("{}.{name}({})", cell(at), arguments.join(", "))
    };
    match *action {
        Action::Load { at, order } => call(at, "load", &[], &[order]),
        Action::Store { at, value, order } => call(at, "store", &[value], &[order]),
        Action::Rmw {
            at,
            accept: Accept::Exactly(v),
            update: Update { op: UpdateOp::Exchange, operand, .. },
            order,
        } => call(at, "bcas", &[v, operand], &[order]),
        Action::Rmw { at, accept, update, order } => {
            let call = call(at, update_name(update.op), &[update.operand], &[order]);
            match accept.condition() {
                Some((comparison, v)) => {
                    format!("{call} when {} {}", comparison.sign(), names.value_text(at, v))
                }
                None => call,
            }
        }
        Action::Cas { at, expected, desired, success, failure, .. } => {
            call(at, operation(action), &[expected, desired], &[success, failure])
        }
        Action::Wait { at, accept, order } => {
            let joined = at.pointer_and_size().and_then(|(pointer, _)| joined_thread(pointer));
            if let Some(thread) = joined {
                return format!("join({})", names.thread_name(thread as usize));
            }
            let (comparison, value) = accept.condition().unwrap_or((Comparison::Ge, Value::MIN));
            format!("wait({} {} {}, {order})", cell(at), comparison.sign(), names.value_text(at, value))
        }
        Action::Fence { order } => format!("fence({order})"),
        Action::Choose { lo, hi } => format!("choose({lo}..{hi})"),
        Action::Spawn { func, .. } => format!("spawn({})", names.program().function(func).name),
        Action::Alloc { size, .. } => format!("malloc({size})"),
        Action::Free { pointer } => format!("free({})", names.pointer_name(pointer)),
        Action::HeapSize { pointer } => format!("realloc({})", names.pointer_name(pointer)),
        Action::Failed(_) => "assert".to_string(),
        Action::Blocked => "assume".to_string(),
        Action::Hangs => "wait".to_string(),
        Action::Endless => "loop".to_string(),
        Action::End => "end".to_string(),
    }
}
