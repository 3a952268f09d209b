//! What a model has no meaning for.

use std::fmt;

use fencepost_program::{Inst, Ordering, Processor, Program, Span};

use crate::{Engine, Model, Orderings};

/// Why a model cannot take a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    pub span: Option<Span>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl Model {
    /// Refuses a model that the engine does not take, and what the model does not have: SC accesses under RC20
    /// (paper 001 §2), membars where orderings are those of C11.
    pub fn admit(self, engine: Engine, program: &Program) -> Result<(), Refusal> {
        if !self.descriptor().engines.contains(&engine) {
            let models: Vec<&str> = Model::of(engine).map(Model::name).collect();
            let message = format!("{} does not take the model {self}; it takes {}", engine.name(), models.join(", "));
            return Err(Refusal { message, span: None });
        }
        let orderings = self.orderings();
        if let Some(processor) = program.processor
            && orderings != Orderings::Processor
        {
            return Err(Refusal { message: self.no_assembler(engine, processor), span: None });
        }
        let instructions = program.functions.iter().flat_map(|f| f.code.iter().zip(&f.spans));
        for (instruction, &span) in instructions {
            let is_membar = matches!(instruction, Inst::Fence { order: Ordering::Membar(_) });
            if is_membar && orderings != Orderings::Processor {
                let message =
                    format!("{self} has no membars; they belong to SPARC, and `sc`, `tso` and `pso` have them");
                return Err(Refusal { message, span: Some(span) });
            }
            if orderings == Orderings::WithoutSc && is_sc_access(instruction) {
                let message = "RC20 has no SC accesses; `--model rc11` has them".to_string();
                return Err(Refusal { message, span: Some(span) });
            }
        }
        Ok(())
    }
}

impl Model {
    /// Why a program for a processor is refused.
    fn no_assembler(self, engine: Engine, processor: Processor) -> String {
        let name = processor.name();
        let start = format!("{self} is a model of C and C++, and this is assembler of {name}");
        let fitting: Vec<&str> =
            Model::of(engine).filter(|model| model.orderings() == Orderings::Processor).map(Model::name).collect();
        if fitting.is_empty() {
            let compare =
                "`fencepost explore --models sc,tso` tells whether every execution is sequentially consistent";
            return format!("{start}; {compare}");
        }
        format!("{start}; {} takes it with {}", engine.name(), fitting.join(", "))
    }
}

fn is_sc_access(instruction: &Inst) -> bool {
    match instruction {
        Inst::Load { order, .. } | Inst::Store { order, .. } | Inst::Rmw { order, .. } | Inst::Wait { order, .. } => {
            order.is_sc()
        }
        Inst::Cas { success, failure, .. } => success.is_sc() || failure.is_sc(),
        _ => false,
    }
}
