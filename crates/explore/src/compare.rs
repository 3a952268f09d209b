//! Which executions one model allows and another forbids.
//!
//! What a model allows is found by exploration, and what another says about it by its definition, so nothing has to be
//! kept but one example each.

use fencepost_models::{Engine, Model, Refusal};
use fencepost_program::{Inst, Program};
use fencepost_story::{Comparison, Difference, ModelCount, Outcome, Properties, Reason, Run, objection_text};

use crate::{Options, Watch, explore};

/// Explores the program under each of the models, and compares what each allows with what the others say. The model and
/// the properties of the options do not count. Refuses a program that one of the models cannot take.
pub fn compare(program: &Program, models: &[Model], options: &Options, watch: &Watch) -> Result<Comparison, Refusal> {
    let mut distinct: Vec<Model> = Vec::new();
    for &model in models {
        // Before the first of them is explored.
        model.admit(Engine::Explore, program)?;
        if !distinct.contains(&model) {
            distinct.push(model);
        }
    }
    let has_fences = has_sc_fence(program);
    let comparable = |a: Model, b: Model| !has_fences || a.sc_fence_is_rmw() == b.sc_fence_is_rmw();
    let mut comparison = Comparison::new(Outcome::Holds);
    let mut pairs = 0;
    for (i, &model) in distinct.iter().enumerate() {
        for &other in &distinct[i + 1..] {
            if comparable(model, other) {
                pairs += 1;
            } else {
                comparison.incomparable.push((model.to_string(), other.to_string()));
            }
        }
        let others: Vec<Model> = distinct.iter().copied().filter(|&o| o != model && comparable(model, o)).collect();
        let options = Options { model, properties: Properties::NONE, show_blocked: true, ..options.clone() };
        let stopped = compare_with(program, &others, &options, watch, &mut comparison)?;
        if let (Some(reason), Outcome::Holds) = (stopped, &comparison.outcome) {
            comparison.outcome = Outcome::Unknown(reason);
        }
    }
    if !comparison.differences.is_empty() {
        comparison.outcome = Outcome::Violated;
    } else if pairs == 0 && distinct.len() > 1 {
        comparison.outcome = Outcome::Unknown(Reason::Other("the models see SC fences differently".into()));
    }
    Ok(comparison)
}

/// Explores one model, and compares with the others. Says why it stopped early, if it did.
fn compare_with(
    program: &Program,
    others: &[Model],
    options: &Options,
    watch: &Watch,
    comparison: &mut Comparison,
) -> Result<Option<Reason>, Refusal> {
    let model = options.model;
    let mut differences: Vec<Option<Difference>> = vec![None; others.len()];
    let exploration = explore(program, options, watch, |execution| {
        let graph = execution.graph();
        for (&other, difference) in others.iter().zip(&mut differences) {
            if !other.consistent(&graph) {
                difference.get_or_insert_with(|| example(&execution.run(), other)).executions += 1;
            }
        }
    })?;
    comparison.models.push(ModelCount {
        model: model.to_string(),
        complete: exploration.complete,
        blocked: exploration.blocked,
        seconds: exploration.verdict.statistics.seconds,
        bound: options.unroll.filter(|_| exploration.bounded),
    });
    comparison.differences.extend(differences.into_iter().flatten());
    match exploration.verdict.outcome {
        Outcome::Unknown(reason) => Ok(Some(reason)),
        Outcome::Holds | Outcome::Violated => Ok(None),
    }
}

/// An execution that its model allows and another forbids, not counted yet.
fn example(run: &Run, other: Model) -> Difference {
    let model = run.model;
    let objection = other.objection(&run.graph);
    let cycle = objection.as_ref().map(|objection| objection.cycle.as_slice()).unwrap_or_default();
    Difference {
        allowed_by: model.to_string(),
        forbidden_by: other.to_string(),
        executions: 0,
        example: run.listing(),
        graph: run.titled_drawing(format!("an execution that {model} allows and {other} forbids"), cycle),
        reason: objection.as_ref().map(|objection| objection_text(run, other, objection)).unwrap_or_default(),
    }
}

fn has_sc_fence(program: &Program) -> bool {
    let mut instructions = program.functions.iter().flat_map(|function| &function.code);
    instructions.any(|instruction| matches!(instruction, Inst::Fence { order } if order.is_sc()))
}
