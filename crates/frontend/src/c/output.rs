//! Functions of the C library that print.

use fencepost_llvm::Call;
use fencepost_program::{Inst, Operand, Value as Word};

use super::function::FunctionLowering;
use super::globals::Unsupported;

/// Library functions that only print, or do nothing here, and whose result nobody looks at.
pub(super) fn is_output(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "puts"
            | "putchar"
            | "putc"
            | "fputs"
            | "fputc"
            | "fflush"
            | "perror"
            | "vprintf"
            | "vfprintf"
            | "srand"
            | "usleep"
            | "sleep"
            | "nanosleep"
    )
}

impl FunctionLowering<'_, '_> {
    /// The instruction that prints what a call would, if what is printed is wanted.
    pub(super) fn print(&mut self, call: &Call, name: &str) -> Result<(), Unsupported> {
        if !self.lowering.settings.output {
            return Ok(());
        }
        let (format, first) = match name {
            "printf" | "vprintf" => (None, 0),
            "fprintf" | "vfprintf" => (None, 1),
            "puts" => (Some("%s\n"), 0),
            "perror" => (Some("%s: error\n"), 0),
            "fputs" => (Some("%s"), 0),
            "putchar" | "putc" | "fputc" => (Some("%c"), 0),
            _ => return Ok(()),
        };
        let Some(argument) = call.arguments.get(first) else { return Ok(()) };
        let argument = self.value(argument.value)?;
        let (format, args) = match format {
            Some(format) => (format.as_bytes().into(), vec![argument]),
            None => match self.literal(argument) {
                // The arguments are behind a pointer.
                Some(format) if name.starts_with('v') => (format, Vec::new()),
                Some(format) => (format, self.arguments(&call.arguments[first + 1..])?),
                None => (b"%s".as_slice().into(), vec![argument]),
            },
        };
        self.emit(Inst::Print { format, args });
        Ok(())
    }

    /// The string that a constant points to.
    pub(super) fn literal(&self, pointer: Operand) -> Option<Box<[u8]>> {
        let Operand::Const(pointer) = pointer else { return None };
        let pointer: Word = pointer;
        let global = self.lowering.program.global_at(pointer as u64)?;
        let bytes = global.bytes.get((pointer as u64 - global.pointer) as usize..)?;
        Some(bytes.iter().copied().take_while(|&byte| byte != 0).collect())
    }
}
