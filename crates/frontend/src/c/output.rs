//! Functions of the C library that print.

use fencepost_llvm::{Call, LocalId};
use fencepost_program::{ArithmeticOp, Inst, Operand, Value as Word};

use super::escape::for_each_local;
use super::function::FunctionLowering;
use super::globals::Unsupported;

/// Library functions that only print, or do nothing here.
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

/// How much of a string is read at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Most {
    All,
    Bytes(Word),
    /// What this argument says, if it is not negative.
    Argument(usize),
}

/// The strings that a format prints: the number of each argument, and how much of it is read.
fn strings(format: &[u8]) -> Result<Vec<(usize, Most)>, Unsupported> {
    let (mut found, mut next) = (Vec::new(), 0);
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let (mut most, mut precise, mut wide) = (Most::All, false, false);
        while let Some(modifier) = rest.next_if(|byte| b"-+ #0123456789.*hlqjztL".contains(byte)) {
            match modifier {
                b'.' => (precise, most) = (true, Most::Bytes(0)),
                b'0'..=b'9' if let (true, Most::Bytes(bytes)) = (precise, most) => {
                    most = Most::Bytes(bytes.saturating_mul(10).saturating_add(Word::from(modifier - b'0')));
                }
                b'*' => {
                    if precise {
                        most = Most::Argument(next);
                    }
                    next += 1;
                }
                b'l' => wide = true,
                _ => {}
            }
        }
        match rest.next() {
            Some(b'%' | b'm') | None => continue,
            Some(b's') if !wide => found.push((next, most)),
            Some(b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p') => {}
            Some(b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A') => {}
            Some(other) => return Err(format!("the conversion `{}` of `printf`", char::from(other))),
        }
        next += 1;
    }
    Ok(found)
}

impl FunctionLowering<'_, '_> {
    /// Reads the strings that a call prints, except constant ones.
    pub(super) fn read_printed(&mut self, call: &Call, name: &str) -> Result<(), Unsupported> {
        let first = match name {
            "puts" | "fputs" | "perror" | "printf" | "vprintf" => 0,
            "fprintf" | "vfprintf" => 1,
            _ => return Ok(()),
        };
        let Some(argument) = call.arguments.get(first) else { return Ok(()) };
        let pointer = self.value(argument.value)?;
        let rest = &call.arguments[first + 1..];
        if !name.ends_with("printf") {
            return match pointer {
                Operand::Reg(_) if name == "perror" => {
                    self.call_library(None, "__fencepost_read_optional_string", vec![pointer])
                }
                Operand::Const(0) if name == "perror" => Ok(()),
                _ => self.read_string(pointer, Operand::Const(-1)),
            };
        }
        if name.starts_with('v') {
            let list = rest.first().ok_or("a call of `vprintf` without its arguments")?;
            let list = self.value(list.value)?;
            return self.call_library(None, "__fencepost_read_arguments", vec![pointer, list]);
        }
        let Some(format) = self.constant_string(pointer) else {
            let rest = self.spilled(rest)?;
            return self.call_library(None, "__fencepost_read_printed", vec![pointer, rest]);
        };
        for (number, most) in strings(&format)? {
            let at = |number: usize| rest.get(number).ok_or("a call of `printf` without its arguments");
            let pointer = self.value(at(number)?.value)?;
            let most = match most {
                Most::All => Operand::Const(-1),
                Most::Bytes(bytes) => Operand::Const(bytes),
                Most::Argument(number) => self.value(at(number)?.value)?,
            };
            self.read_string(pointer, most)?;
        }
        Ok(())
    }

    fn read_string(&mut self, pointer: Operand, most: Operand) -> Result<(), Unsupported> {
        match self.constant_string(pointer) {
            Some(_) => Ok(()),
            None => self.call_library(None, "__fencepost_read_string", vec![pointer, most]),
        }
    }

    /// The string that a pointer always points to.
    fn constant_string(&self, pointer: Operand) -> Option<Box<[u8]>> {
        let Operand::Const(word) = pointer else { return None };
        let global = self.lowering.program.global_at(word as u64).filter(|global| global.constant)?;
        let bytes = &global.bytes[(word as u64 - global.pointer) as usize..];
        bytes.contains(&0).then(|| self.literal(pointer)).flatten()
    }

    /// The instruction that prints what a call would.
    pub(super) fn print(&mut self, call: &Call, name: &str) -> Result<(), Unsupported> {
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
                // The arguments are behind a pointer, and `read_printed` goes through them.
                Some(format) if name.starts_with('v') => (format, Vec::new()),
                Some(format) => (format, self.arguments(&call.arguments[first + 1..])?),
                // What the others look like is not known, but they are printed.
                None => {
                    let others = if name.starts_with('v') { &[] } else { &call.arguments[first + 1..] };
                    (b"%s".as_slice().into(), [vec![argument], self.arguments(others)?].concat())
                }
            },
        };
        let shown = self.lowering.settings.output;
        self.emit(Inst::Print { format, args, shown });
        Ok(())
    }

    /// What such a call returns, if the result is used.
    pub(super) fn printed(&mut self, result: Option<LocalId>, call: &Call, name: &str) -> Result<(), Unsupported> {
        let is_used = |local: LocalId| {
            let mut used = false;
            let instructions = self.source.blocks.iter().flat_map(|block| &block.instructions);
            instructions.for_each(|inst| for_each_local(&inst.op, |read| used |= read == local));
            used
        };
        let Some(local) = result.filter(|&local| is_used(local)) else { return Ok(()) };
        let proof = self.lowering.settings.proof;
        let first = call.arguments.first().map(|argument| argument.value);
        let format = call.arguments.get(name.ends_with("fprintf") as usize).map(|argument| argument.value);
        let dst = self.result(Some(local));
        match name {
            "putchar" | "putc" | "fputc" => {
                let character = first.map_or(Ok(Operand::Const(0)), |value| self.value(value))?;
                self.arithmetic(dst, ArithmeticOp::And, 32, character, 0xff);
            }
            // Any number that is not negative.
            "puts" | "fputs" => self.emit(Inst::Choose { dst, lo: 0, hi: if proof { i32::MAX.into() } else { 1 } }),
            "printf" | "fprintf" | "vprintf" | "vfprintf" => {
                let format = format.map_or(Ok(Operand::Const(0)), |value| self.value(value))?;
                match self.constant_string(format).filter(|text| !text.contains(&b'%')) {
                    Some(text) => self.copy(dst, Operand::Const(text.len() as Word)),
                    None if proof => self.emit(Inst::Choose { dst, lo: 0, hi: i32::MAX.into() }),
                    None => return Err(format!("the result of `{name}`, whose length is not known")),
                }
            }
            _ => self.copy(dst, Operand::Const(0)),
        }
        if self.lowering.settings.failing {
            let fails = self.temporary();
            self.emit(Inst::Choose { dst: fails, lo: 0, hi: 1 });
            let (cond, yes, no) = (Operand::Reg(fails), Operand::Const(-1), Operand::Reg(dst));
            self.emit(Inst::Select { dst, cond, yes, no });
        } else {
            self.lowering.assume_output();
        }
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
