//! Functions of the C library that print.

use fencepost_llvm::{Argument, Call, Callee, LocalId, Module, Op};
use fencepost_program::{ArithmeticOp, Inst, Operand, Reg, Value as Word};

use super::escape::for_each_local;
use super::function::FunctionLowering;
use super::globals::Unsupported;

/// What our streams print with. It is `printf`, but that the program cannot define it.
const STREAM: &str = "__fencepost_printf";

/// A function of the library that prints, or that only has to do with output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Nothing is to be done.
    Flush,
    /// The argument is a character.
    Character,
    /// The argument is a string. A line ends after it, if true.
    String(bool),
    /// A pointer to elements, and two arguments with their size and number: `fwrite`.
    Elements,
    /// A number of a file, a pointer and a size: `write`.
    Bytes,
    Format(Format),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    /// The number of the argument.
    at: usize,
    /// The arguments are behind a `va_list`.
    list: bool,
    /// The first argument is the number of a file.
    file: bool,
}

impl Output {
    pub(super) fn of(name: &str) -> Option<Output> {
        let format = |at, list, file| Some(Output::Format(Format { at, list, file }));
        match name {
            "fflush" | "fflush_unlocked" => Some(Output::Flush),
            "putchar" | "putc" | "fputc" | "putchar_unlocked" | "putc_unlocked" | "fputc_unlocked" | "_IO_putc" => {
                Some(Output::Character)
            }
            "puts" => Some(Output::String(true)),
            "fputs" | "fputs_unlocked" => Some(Output::String(false)),
            "fwrite" | "fwrite_unlocked" => Some(Output::Elements),
            "write" => Some(Output::Bytes),
            "printf" | STREAM => format(0, false, false),
            "fprintf" | "__printf_chk" => format(1, false, false),
            "__fprintf_chk" => format(2, false, false),
            "vprintf" => format(0, true, false),
            "vfprintf" | "__vprintf_chk" => format(1, true, false),
            "__vfprintf_chk" => format(2, true, false),
            "dprintf" => format(1, false, true),
            "vdprintf" => format(1, true, true),
            "__dprintf_chk" => format(2, false, true),
            "__vdprintf_chk" => format(2, true, true),
            _ => None,
        }
    }
}

/// Whether a program uses what a function with a format returns.
pub(super) fn looks_at_length(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
        let mut lengths: Vec<LocalId> = Vec::new();
        for instruction in instructions() {
            if let (Op::Call(call) | Op::Invoke { call, .. }, Some(result)) = (&instruction.op, instruction.result)
                && let Callee::Symbol(name) = call.callee
                && let Some(Output::Format(_)) = Output::of(module.name(name))
            {
                lengths.push(result);
            }
        }
        let mut used = false;
        if !lengths.is_empty() {
            instructions().for_each(|inst| for_each_local(&inst.op, |read| used |= lengths.contains(&read)));
        }
        used
    })
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
    /// Lowers a call that prints: what it reads, what it prints, what it returns.
    pub(super) fn call_of_output(
        &mut self,
        result: Option<LocalId>,
        call: &Call,
        output: Output,
    ) -> Result<(), Unsupported> {
        let argument = |lowering: &mut Self, i: usize| match call.arguments.get(i) {
            Some(argument) => lowering.value(argument.value),
            None => Err("output without its arguments".to_owned()),
        };
        let used = result.filter(|&local| self.is_used(local));
        let dst = used.map(|local| self.result(Some(local)));
        match output {
            Output::Flush => {
                if let Some(dst) = dst {
                    self.copy(dst, Operand::Const(0));
                }
            }
            Output::Character => {
                let character = argument(self, 0)?;
                self.print(b"%c", vec![character]);
                if let Some(dst) = dst {
                    self.arithmetic(dst, ArithmeticOp::And, 32, character, 0xff);
                }
            }
            Output::String(line) => {
                let text = argument(self, 0)?;
                self.read_string(text, Operand::Const(-1))?;
                self.print(if line { b"%s\n" } else { b"%s" }, vec![text]);
                if let Some(dst) = dst {
                    // Any number that is not negative.
                    let hi = if self.lowering.settings.proof { i32::MAX.into() } else { 1 };
                    self.emit(Inst::Choose { dst, lo: 0, hi });
                }
            }
            Output::Elements => {
                let (from, size, count) = (argument(self, 0)?, argument(self, 1)?, argument(self, 2)?);
                let bytes = self.temporary();
                self.arithmetic(bytes, ArithmeticOp::Mul, 64, size, count);
                self.print_bytes(from, Operand::Reg(bytes))?;
                if let Some(dst) = dst {
                    // Of elements without a size, none is written.
                    self.emit(Inst::Select { dst, cond: size, yes: count, no: Operand::Const(0) });
                }
            }
            Output::Bytes => {
                let (file, from, size) = (argument(self, 0)?, argument(self, 1)?, argument(self, 2)?);
                self.call_library(None, "__fencepost_must_be_printed_to", vec![file])?;
                self.print_bytes(from, size)?;
                if let Some(dst) = dst {
                    self.copy(dst, size);
                }
            }
            Output::Format(format) => self.formatted(used, call, format)?,
        }
        if let Some(dst) = dst {
            self.may_fail(dst, output);
        }
        Ok(())
    }

    /// The result of a function that prints, which may be an error.
    fn may_fail(&mut self, dst: Reg, output: Output) {
        if !self.lowering.settings.failing {
            return self.lowering.assume_output();
        }
        let fails = self.temporary();
        self.emit(Inst::Choose { dst: fails, lo: 0, hi: 1 });
        let error = if output == Output::Elements { 0 } else { -1 };
        let (cond, yes, no) = (Operand::Reg(fails), Operand::Const(error), Operand::Reg(dst));
        self.emit(Inst::Select { dst, cond, yes, no });
    }

    fn is_used(&self, local: LocalId) -> bool {
        let mut used = false;
        let instructions = self.source.blocks.iter().flat_map(|block| &block.instructions);
        instructions.for_each(|inst| for_each_local(&inst.op, |read| used |= read == local));
        used
    }

    /// `printf` and the like. The length of the text is what is returned.
    fn formatted(&mut self, used: Option<LocalId>, call: &Call, format: Format) -> Result<(), Unsupported> {
        let Some((before, rest)) = call.arguments.split_at_checked(format.at + 1) else {
            return Err("a call of `printf` without a format".to_owned());
        };
        if format.file {
            let file = self.value(before[0].value)?;
            self.call_library(None, "__fencepost_must_be_printed_to", vec![file])?;
        }
        let pointer = self.value(before[format.at].value)?;
        let text = self.constant_string(pointer);
        let plain = text.as_ref().filter(|text| !text.contains(&b'%')).map(|text| text.len());
        match (used, plain) {
            (Some(local), Some(length)) => {
                let dst = self.result(Some(local));
                self.copy(dst, Operand::Const(length as Word));
            }
            (Some(local), None) if self.lowering.settings.proof => {
                self.read_formatted(pointer, text, rest, format.list)?;
                let dst = self.result(Some(local));
                self.emit(Inst::Choose { dst, lo: 0, hi: i32::MAX.into() });
            }
            (Some(_), None) if format.list => {
                let list = rest.first().ok_or("a call of `vprintf` without its arguments")?;
                let list = self.value(list.value)?;
                self.call_library(used, "__fencepost_list_length", vec![pointer, list])?;
            }
            (Some(_), None) => {
                let area = self.spilled(rest)?;
                self.call_library(used, "__fencepost_length", vec![pointer, area])?;
            }
            (None, _) => self.read_formatted(pointer, text, rest, format.list)?,
        }
        self.print_formatted(pointer, rest, format.list)
    }

    /// Reads the strings that a call prints, except constant ones.
    fn read_formatted(
        &mut self,
        pointer: Operand,
        text: Option<Box<[u8]>>,
        rest: &[Argument],
        list: bool,
    ) -> Result<(), Unsupported> {
        if list {
            let list = rest.first().ok_or("a call of `vprintf` without its arguments")?;
            let list = self.value(list.value)?;
            return self.call_library(None, "__fencepost_read_arguments", vec![pointer, list]);
        }
        let Some(format) = text else {
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

    /// The instruction that prints what a call with a format would.
    fn print_formatted(&mut self, pointer: Operand, rest: &[Argument], list: bool) -> Result<(), Unsupported> {
        // Those behind a list are not shown.
        let others = if list { Vec::new() } else { self.arguments(rest)? };
        match self.literal(pointer) {
            Some(format) => self.print(&format, others),
            // What the others look like is not known, but they are printed.
            None => self.print(b"%s", [vec![pointer], others].concat()),
        }
        Ok(())
    }

    fn print_bytes(&mut self, from: Operand, size: Operand) -> Result<(), Unsupported> {
        self.call_library(None, "__fencepost_read_bytes", vec![from, size])?;
        self.print(b"%.*s", vec![size, from]);
        Ok(())
    }

    fn print(&mut self, format: &[u8], args: Vec<Operand>) {
        let shown = self.lowering.settings.output;
        self.emit(Inst::Print { format: format.into(), args, shown });
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
