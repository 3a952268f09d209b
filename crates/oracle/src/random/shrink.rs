use fencepost_program::Ordering;

use super::sketch::{Cell, Index, Register, Sketch, Statement, Term};

/// A smaller program for which `holds` is still true, found greedily. `holds` must be true for `sketch`.
pub fn shrink(sketch: &Sketch, mut holds: impl FnMut(&Sketch) -> bool) -> Sketch {
    let mut smallest = sketch.clone();
    loop {
        let found = candidates(&smallest)
            .into_iter()
            .find(|c| cost(c) < cost(&smallest) && c.threads.iter().all(|t| assigns_what_it_uses(t)) && holds(c));
        match found {
            Some(smaller) => smallest = smaller,
            None => return smallest,
        }
    }
}

/// `.fp` refuses a register that nothing assigns.
fn assigns_what_it_uses(thread: &[Statement]) -> bool {
    let mut statements = Vec::new();
    collect(thread, &mut statements);
    let assigned: Vec<Register> = statements.iter().flat_map(Statement::assigns).collect();
    statements.iter().flat_map(Statement::uses).all(|r| assigned.contains(&r))
}

/// What a reader minds, most important first: threads, statements, kinds of orderings, operands, strength,
/// declarations. That orderings of different kinds cost more than strong ones lets them be strengthened as well as
/// weakened.
fn cost(sketch: &Sketch) -> impl Ord + use<> {
    let mut statements = Vec::new();
    sketch.threads.iter().for_each(|t| collect(t, &mut statements));
    let mut orders: Vec<Ordering> = Vec::new();
    let mut operands = 0;
    for statement in &mut statements {
        orders.extend(statement.orders_mut().into_iter().map(|o| *o));
        operands += statement.terms_mut().into_iter().map(|t| term_cost(t)).sum::<usize>();
        operands += matches!(statement, Statement::Rmw { to: Some(_), .. }) as usize;
        operands += statement.place().is_some_and(|p| matches!(p.index, Index::Masked(_) | Index::Bare(_))) as usize;
    }
    let strength: usize = orders.iter().map(|&o| Ordering::ALL.iter().position(|&other| other == o).unwrap_or(0)).sum();
    orders.sort();
    orders.dedup();
    let declarations: usize = sketch.cells.iter().map(declaration_cost).sum();
    (sketch.threads.len(), statements.len(), orders.len(), operands, strength, declarations)
}

fn declaration_cost(cell: &Cell) -> usize {
    1 + cell.length.is_some() as usize
        + cell.largest.is_some() as usize
        + (cell.initial != 0) as usize
        + !cell.atomic as usize
}

fn term_cost(term: &Term) -> usize {
    match *term {
        Term::Const(1) => 0,
        Term::Const(_) => 1,
        Term::Register(_) => 2,
        Term::Plus(..) => 3,
    }
}

/// The statements of a block and of the blocks inside it.
fn collect(block: &[Statement], into: &mut Vec<Statement>) {
    for statement in block {
        into.push(statement.clone());
        statement.blocks().into_iter().for_each(|inner| collect(inner, into));
    }
}

fn candidates(sketch: &Sketch) -> Vec<Sketch> {
    let mut found = Vec::new();
    for thread in 0..sketch.threads.len() {
        let mut without = sketch.clone();
        without.threads.remove(thread);
        found.push(without);
    }
    for thread in 0..sketch.threads.len() {
        for block in smaller_blocks(&sketch.threads[thread]) {
            let mut changed = sketch.clone();
            changed.threads[thread] = block;
            found.push(changed);
        }
    }
    found.extend(merged_orders(sketch));
    found.extend(simpler_cells(sketch));
    found
}

/// The block with one statement removed, replaced by a block of its own, or simplified.
fn smaller_blocks(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for (i, statement) in block.iter().enumerate() {
        let replaced_by = |new: &[Statement]| [&block[..i], new, &block[i + 1..]].concat();
        found.push(replaced_by(&[]));
        found.extend(statement.blocks().into_iter().filter(|b| !b.is_empty()).map(replaced_by));
        for (which, inner) in statement.blocks().into_iter().enumerate() {
            for smaller in smaller_blocks(inner) {
                let mut changed = statement.clone();
                *changed.blocks_mut()[which] = smaller;
                found.push(replaced_by(&[changed]));
            }
        }
        found.extend(simpler(statement).into_iter().map(|s| replaced_by(&[s])));
    }
    found
}

fn simpler(statement: &Statement) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut change = |edit: &dyn Fn(&mut Statement)| {
        let mut changed = statement.clone();
        edit(&mut changed);
        found.push(changed);
    };
    for (i, _) in statement.clone().terms_mut().iter().enumerate() {
        for value in [1, 0, 2] {
            change(&|s| *s.terms_mut()[i] = Term::Const(value));
        }
    }
    for (i, order) in statement.clone().orders_mut().into_iter().enumerate() {
        let allowed: &[Ordering] = match i {
            0 => statement.allowed_orders(),
            _ => &[Ordering::Relaxed, Ordering::Acquire, Ordering::SeqCst],
        };
        for &other in allowed.iter().filter(|&o| o != order && order.is_atomic()) {
            change(&|s| *s.orders_mut()[i] = other);
        }
    }
    change(&|s| {
        if let Statement::Rmw { to, .. } = s {
            *to = None;
        }
    });
    for index in [0, 1] {
        change(&|s| {
            if let Some(place) = s.place_mut()
                && place.index != Index::None
            {
                place.index = Index::Const(index);
            }
        });
    }
    found
}

/// Every place where one ordering can be replaced by another, replaced at once.
fn merged_orders(sketch: &Sketch) -> Vec<Sketch> {
    fn replace(block: &mut [Statement], old: Ordering, new: Ordering) {
        for statement in block {
            let allowed = statement.allowed_orders();
            if allowed.contains(&new) {
                for order in statement.orders_mut().into_iter().take(1).filter(|o| **o == old) {
                    *order = new;
                }
            }
            statement.blocks_mut().into_iter().for_each(|inner| replace(inner, old, new));
        }
    }
    let atomic = || Ordering::ALL.into_iter().filter(|o| o.is_atomic());
    let pairs = atomic().flat_map(|old| atomic().filter(move |&new| new != old).map(move |new| (old, new)));
    let merged = pairs.map(|(old, new)| {
        let mut changed = sketch.clone();
        changed.threads.iter_mut().for_each(|t| replace(t, old, new));
        changed
    });
    merged.collect()
}

fn simpler_cells(sketch: &Sketch) -> Vec<Sketch> {
    let mut found = Vec::new();
    let mut statements = Vec::new();
    sketch.threads.iter().for_each(|t| collect(t, &mut statements));
    for cell in 0..sketch.cells.len() {
        let mut plain = sketch.clone();
        plain.cells[cell].largest = None;
        found.push(plain);
        let mut zero = sketch.clone();
        zero.cells[cell].initial = 0;
        found.push(zero);
        if !statements.iter().any(|s| s.place().is_some_and(|p| p.cell == cell)) {
            let mut without = sketch.clone();
            without.cells.remove(cell);
            without.threads.iter_mut().for_each(|t| renumber(t, cell));
            found.push(without);
        }
    }
    found
}

/// Cells after `removed` move down by one.
fn renumber(block: &mut [Statement], removed: usize) {
    for statement in block {
        if let Some(place) = statement.place_mut().filter(|p| p.cell > removed) {
            place.cell -= 1;
        }
        statement.blocks_mut().into_iter().for_each(|inner| renumber(inner, removed));
    }
}
