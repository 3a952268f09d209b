//! All questions at once, for tests that ask them of many programs.

use fencepost_graph::{Graph, Relations, races};
use fencepost_models::Model;
use fencepost_program::{Inst, Ordering, Program};

use crate::free_graphs::{Question, ThreadAt, Verdict, generate};
use crate::questions::{Failing, first_failure};
use crate::{BoundExceeded, Bounds};

/// The answers of [`crate::not_robust`], [`crate::not_observationally_robust`], [`crate::racy`] and [`crate::fails`].
#[derive(Clone, Debug, Default)]
pub struct Survey {
    pub not_robust: Option<Graph>,
    pub not_observationally_robust: Option<Graph>,
    pub racy: Option<Graph>,
    pub fails: Option<Failing>,
}

/// Asks all questions. Where the program is robust, the graphs that the model allows are the SC-consistent ones, and
/// those are all that is looked at.
pub fn survey(program: &Program, model: Model, bounds: Bounds) -> Result<Survey, BoundExceeded> {
    let mut robust = SurveyOfSc { model, nonatomic: has_nonatomic_accesses(program), found: Survey::default() };
    generate(program, model.sc_fence_label(), bounds, &mut robust)?;
    if robust.found.not_robust.is_none() {
        return Ok(robust.found);
    }
    let mut all = SurveyOfAll { model, nonatomic: robust.nonatomic, found: robust.found };
    match generate(program, model.sc_fence_label(), bounds, &mut all) {
        Err(BoundExceeded) if !all.is_done() => Err(BoundExceeded),
        _ => Ok(all.found),
    }
}

fn has_nonatomic_accesses(program: &Program) -> bool {
    program.functions.iter().flat_map(|f| &f.code).any(|inst| {
        matches!(inst, Inst::Load { order: Ordering::NonAtomic, .. } | Inst::Store { order: Ordering::NonAtomic, .. })
    })
}

impl Survey {
    fn look(&mut self, model: Model, nonatomic: bool, graph: &Graph, threads: &[ThreadAt]) {
        if nonatomic && self.racy.is_none() && !races(graph, &model.hb(&Relations::of(graph))).is_empty() {
            self.racy = Some(graph.clone());
        }
        if self.fails.is_none() {
            self.fails = first_failure(graph, threads);
        }
    }
}

/// Over SC-consistent graphs, up to the first that is only consistent in the model.
struct SurveyOfSc {
    model: Model,
    nonatomic: bool,
    found: Survey,
}

impl Question for SurveyOfSc {
    fn admits(&mut self, graph: &Graph) -> Verdict {
        let relations = Relations::of(graph);
        if Model::Sc.allows(&relations) {
            Verdict::Extend
        } else if self.model.allows(&relations) {
            self.found.not_robust = Some(graph.clone());
            Verdict::Stop
        } else {
            Verdict::Cut
        }
    }

    fn visit(&mut self, graph: &Graph, threads: &[ThreadAt]) -> bool {
        self.found.look(self.model, self.nonatomic, graph, threads);
        true
    }
}

/// Over all graphs that the model allows, up to where nothing is left to find.
struct SurveyOfAll {
    model: Model,
    nonatomic: bool,
    found: Survey,
}

impl SurveyOfAll {
    fn is_done(&self) -> bool {
        self.found.not_observationally_robust.is_some()
            && self.found.fails.is_some()
            && (self.found.racy.is_some() || !self.nonatomic)
    }
}

impl Question for SurveyOfAll {
    fn admits(&mut self, graph: &Graph) -> Verdict {
        if self.model.consistent(graph) { Verdict::Extend } else { Verdict::Cut }
    }

    fn visit(&mut self, graph: &Graph, threads: &[ThreadAt]) -> bool {
        self.found.look(self.model, self.nonatomic, graph, threads);
        if self.found.not_observationally_robust.is_none() && !Relations::of(graph).hb_sc_dp_step().is_acyclic() {
            self.found.not_observationally_robust = Some(graph.clone());
        }
        !self.is_done()
    }

    fn wants_dependencies(&self) -> bool {
        true
    }
}
