//! Inline assembly of the kinds that lock-free code has: straight-line x86 with operands, and barriers.
//!
//! A `lock`ed instruction is one SC read-modify-write, a `mov` from memory an acquire load and one to memory a release
//! store, and so are the two halves of what changes memory without `lock`. That is how x86 orders them.

mod bits;
mod constraints;
mod flags;
mod template;
mod x86;

use fencepost_llvm::{Call, LocalId, Symbol, Type};
use fencepost_program::{Inst, Operand, Ordering};

use super::function::FunctionLowering;
use super::globals::Unsupported;
use constraints::{Constraint, Kind};
use x86::{Place, Processor};

/// What does nothing that others can see.
const NOTHING: [&str; 10] = ["", "pause", "nop", "yield", "wfe", "sev", "isb", "isb sy", "hint #1", "or 27,27,27"];

/// Fences of x86 and ARM.
const FENCES: [(&str, Ordering); 14] = [
    ("mfence", Ordering::SeqCst),
    ("lfence", Ordering::Acquire),
    ("sfence", Ordering::Release),
    ("dmb sy", Ordering::SeqCst),
    ("dmb ish", Ordering::SeqCst),
    ("dmb osh", Ordering::SeqCst),
    ("dsb sy", Ordering::SeqCst),
    ("dsb ish", Ordering::SeqCst),
    ("dmb ishld", Ordering::Acquire),
    ("dmb oshld", Ordering::Acquire),
    ("dmb ld", Ordering::Acquire),
    ("dmb ishst", Ordering::Release),
    ("dmb oshst", Ordering::Release),
    ("dmb st", Ordering::Release),
];

impl FunctionLowering<'_, '_> {
    pub(super) fn assembly(
        &mut self,
        result: Option<LocalId>,
        call: &Call,
        template: Symbol,
        constraints: Symbol,
    ) -> Result<(), Unsupported> {
        let text = self.module.name(template).to_owned();
        let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = shown.trim_end_matches([';', ' ']).to_lowercase();
        // Nothing happens, but operands may be handed on.
        let hands_on = NOTHING.contains(&plain.as_str());
        if let Some(&(_, order)) = FENCES.iter().find(|(name, _)| *name == plain) {
            self.emit(Inst::Fence { order });
        }
        if result.is_none() && (hands_on || FENCES.iter().any(|(name, _)| *name == plain)) {
            return Ok(());
        }
        let refused = |what: &str| match what.is_empty() || shown.starts_with(what) {
            true => format!("the inline assembly `{shown}`"),
            false => format!("the inline assembly `{shown}`, of which `{what}` is not understood"),
        };
        let constraints = constraints::parse(self.module.name(constraints)).ok_or_else(|| refused(""))?;
        let statements = match hands_on {
            true => Vec::new(),
            false => template::parse(&text).map_err(|what| refused(&what))?,
        };
        let mut processor = self.processor(call, &constraints).ok_or_else(|| refused(""))??;
        for statement in &statements {
            self.execute(&mut processor, statement).map_err(|what| refused(&what))?;
        }
        let mut values = Vec::new();
        let types = self.output_types(call, &constraints).ok_or_else(|| refused(""))?;
        for (number, bits) in types {
            values.push(match &constraints[number].kind {
                Kind::Flag(condition) => {
                    self.flag_condition(&processor, condition).ok_or_else(|| refused(condition))?
                }
                _ => self.output(&processor, number, bits).ok_or_else(|| refused(""))?,
            });
        }
        if values.is_empty() { Ok(()) } else { self.set_all(result, values) }
    }

    /// Where operands are at first.
    fn processor(&mut self, call: &Call, constraints: &[Constraint]) -> Option<Result<Processor, Unsupported>> {
        let types = self.output_types(call, constraints)?;
        let mut processor = Processor::default();
        let mut arguments = call.arguments.iter();
        for (number, constraint) in constraints.iter().enumerate() {
            let bits = types.iter().find(|(output, _)| *output == number).map_or(64, |&(_, bits)| bits);
            if constraint.output && !constraint.indirect {
                let place = match &constraint.kind {
                    Kind::Register(name) => Place::Register(x86::register(name)?.0, bits),
                    Kind::Flag(_) => Place::Flag,
                    Kind::Any => Place::Own(number, bits),
                    Kind::Tied(_) => return None,
                };
                processor.operands.push(place);
                continue;
            }
            let argument = arguments.next()?;
            let value = match self.value(argument.value) {
                Ok(value) => value,
                Err(unsupported) => return Some(Err(unsupported)),
            };
            if constraint.indirect {
                processor.operands.push(Place::Memory(value));
                continue;
            }
            let bits = self.bits(argument.ty).ok()?;
            let place = match &constraint.kind {
                Kind::Register(name) => Place::Register(x86::register(name)?.0, bits),
                Kind::Tied(output) => *processor.operands.get(*output)?,
                Kind::Any => Place::Own(number, bits),
                Kind::Flag(_) => return None,
            };
            match (place, value) {
                (Place::Own(..), Operand::Const(constant)) if constraint.kind == Kind::Any => {
                    processor.operands.push(Place::Constant(constant));
                }
                _ => {
                    processor.set(place, value)?;
                    processor.operands.push(place);
                }
            }
        }
        arguments.next().is_none().then_some(Ok(processor))
    }

    /// The outputs that are results of the call, and the bits of each.
    fn output_types(&self, call: &Call, constraints: &[Constraint]) -> Option<Vec<(usize, u8)>> {
        let outputs = constraints.iter().enumerate().filter(|(_, c)| c.output && !c.indirect);
        let numbers: Vec<usize> = outputs.map(|(number, _)| number).collect();
        let types = match self.module.types.get(call.result) {
            Type::Void => Vec::new(),
            Type::Struct { .. } => self.module.types.parts(call.result, usize::MAX).iter().map(|part| part.1).collect(),
            _ => vec![call.result],
        };
        let bits = types.iter().map(|&ty| self.bits(ty).ok()).collect::<Option<Vec<u8>>>()?;
        (bits.len() == numbers.len()).then(|| numbers.into_iter().zip(bits).collect())
    }
}
