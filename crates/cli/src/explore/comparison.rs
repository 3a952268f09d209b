//! Which executions one model allows and another forbids.
//!
//! What a model allows is found by exploration, and what another says about it by its definition, so nothing has to be
//! kept but one example each.

use fencepost_explore::Options;
use fencepost_models::{Engine, Model, Refusal};
use fencepost_program::{Inst, Program};
use fencepost_report::{Comparison, Difference, ModelCount, graph_json};
use fencepost_story::{Outcome, Properties, Reason, Run, draw, graph_text, objection_text};

use super::Exploring;
use crate::answers::Answers;
use crate::arguments::GraphFormat;
use crate::input;
use crate::output::Output;
use crate::status::Status;

impl Exploring<'_> {
    pub fn compare(&self, answers: &mut Answers, output: &mut Output) -> Status {
        let program = match self.input(answers, output) {
            Ok(input) => input.program,
            Err(status) => return status,
        };
        let mut models: Vec<Model> = Vec::new();
        for &model in &self.arguments.models {
            // Before the first of them is explored.
            if let Err(refusal) = model.admit(Engine::Explore, &program) {
                return self.refused(&program, &refusal, answers, output);
            }
            if !models.contains(&model) {
                models.push(model);
            }
        }
        let comparison = match self.comparison(&program, &models, output) {
            Ok(comparison) => comparison,
            Err(refusal) => return self.refused(&program, &refusal, answers, output),
        };
        answers.show_comparison(&comparison, output).max(self.draw(&comparison, output))
    }

    fn comparison(&self, program: &Program, models: &[Model], output: &Output) -> Result<Comparison, Refusal> {
        let fences = has_sc_fence(program);
        let comparable = |a: Model, b: Model| !fences || a.sc_fence_is_rmw() == b.sc_fence_is_rmw();
        let mut comparison = Comparison::new(input::name(self.file), Outcome::Holds);
        comparison.assumptions.clone_from(&program.assumptions);
        let mut pairs = 0;
        for (i, &model) in models.iter().enumerate() {
            for &other in &models[i + 1..] {
                if comparable(model, other) {
                    pairs += 1;
                } else {
                    comparison.incomparable.push((model.to_string(), other.to_string()));
                }
            }
            let others: Vec<Model> = models.iter().copied().filter(|&o| o != model && comparable(model, o)).collect();
            let stopped = self.compare_with(program, model, &others, &mut comparison, output)?;
            if let (Some(reason), Outcome::Holds) = (stopped, &comparison.outcome) {
                comparison.outcome = Outcome::Unknown(reason);
            }
        }
        if !comparison.differences.is_empty() {
            comparison.outcome = Outcome::Violated;
        } else if pairs == 0 && models.len() > 1 {
            comparison.outcome = Outcome::Unknown(Reason::Other("the models see SC fences differently".into()));
        }
        Ok(comparison)
    }

    /// Explores one model, and compares with the others. Says why it stopped early, if it did.
    fn compare_with(
        &self,
        program: &Program,
        model: Model,
        others: &[Model],
        comparison: &mut Comparison,
        output: &Output,
    ) -> Result<Option<Reason>, Refusal> {
        let mut differences: Vec<Option<Difference>> = vec![None; others.len()];
        let options = Options { properties: Properties::NONE, show_blocked: true, ..self.options(model) };
        let exploration = self.watched(output, None, || {
            fencepost_explore::explore(program, &options, &self.watch, |execution| {
                let graph = execution.graph();
                for (&other, difference) in others.iter().zip(&mut differences) {
                    if !other.consistent(&graph) {
                        let difference = difference.get_or_insert_with(|| example(&execution.run(), model, other));
                        difference.executions += 1;
                    }
                }
            })
        })?;
        comparison.models.push(ModelCount {
            model: model.to_string(),
            complete: exploration.complete,
            blocked: exploration.blocked,
            seconds: exploration.verdict.statistics.seconds,
            bound: self.arguments.unroll.filter(|_| exploration.bounded),
        });
        comparison.differences.extend(differences.into_iter().flatten());
        match exploration.verdict.outcome {
            Outcome::Unknown(reason) => Ok(Some(reason)),
            Outcome::Holds | Outcome::Violated => Ok(None),
        }
    }

    /// Draws the first difference, if a drawing is wanted.
    fn draw(&self, comparison: &Comparison, output: &Output) -> Status {
        let Some(file) = &self.arguments.graph else { return Status::Holds };
        let Some(difference) = comparison.differences.first() else {
            output.complain(&format!("note: there is no execution graph to write to {}", file.path.display()));
            return Status::Holds;
        };
        let text = match file.format {
            GraphFormat::Dot => fencepost_report::dot(&difference.graph),
            GraphFormat::Svg => fencepost_report::svg(&difference.graph),
            GraphFormat::Html => fencepost_report::html_of_graph(&difference.graph),
        };
        output.write_file(&file.path, &text)
    }
}

/// An execution that one model allows and another forbids, not counted yet.
fn example(run: &Run, model: Model, other: Model) -> Difference {
    let objection = other.objection(&run.graph);
    let cycle = objection.as_ref().map(|objection| objection.cycle.as_slice()).unwrap_or_default();
    let title = format!("an execution that {model} allows and {other} forbids");
    Difference {
        allowed_by: model.to_string(),
        forbidden_by: other.to_string(),
        executions: 0,
        text: graph_text(run),
        json: graph_json(run),
        graph: draw(&run.names, title, &run.graph, &[], cycle),
        reason: objection.as_ref().map(|objection| objection_text(run, other, objection)).unwrap_or_default(),
    }
}

fn has_sc_fence(program: &Program) -> bool {
    let mut instructions = program.functions.iter().flat_map(|function| &function.code);
    instructions.any(|instruction| matches!(instruction, Inst::Fence { order } if order.is_sc()))
}
