//! Random C programs that compute one number, without undefined behaviour.
//!
//! Expressions are typed. Signed arithmetic is done in the unsigned type of the same width and converted back,
//! distances of shifts are masked, divisors are made odd or guarded, indices are reduced modulo the length, and loops
//! and calls are bounded: a call may only go to functions that were generated before.

use std::fmt::Write;

use crate::operations::{OPERATIONS, PRELUDE, VARIABLES};

#[derive(Clone, Copy, PartialEq, Eq)]
struct Int {
    bits: u32,
    signed: bool,
}

const INTS: [Int; 8] = [
    Int { bits: 8, signed: true },
    Int { bits: 8, signed: false },
    Int { bits: 16, signed: true },
    Int { bits: 16, signed: false },
    Int { bits: 32, signed: true },
    Int { bits: 32, signed: false },
    Int { bits: 64, signed: true },
    Int { bits: 64, signed: false },
];

impl Int {
    fn name(self) -> String {
        format!("{}{}", if self.signed { "i" } else { "u" }, self.bits)
    }
}

/// Something that can be read and assigned.
#[derive(Clone)]
struct Variable {
    text: String,
    ty: Int,
}

pub struct Generator {
    random: fastrand::Rng,
    out: String,
    globals: Vec<Variable>,
    locals: Vec<Variable>,
    /// Types of the parameters and of the result.
    functions: Vec<(Vec<Int>, Int)>,
    /// The loops around the current statement; each has a counter of its own.
    loops: u32,
    names: u32,
    in_loop: bool,
}

pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: fastrand::Rng::with_seed(seed),
        out: PRELUDE.to_owned(),
        globals: Vec::new(),
        locals: Vec::new(),
        functions: Vec::new(),
        loops: 0,
        names: 0,
        in_loop: false,
    };
    generator.write();
    generator.out
}

impl Generator {
    fn write(&mut self) {
        for i in 0..self.random.u32(2..6) {
            let ty = self.int();
            let value = self.literal(ty);
            let keyword = if self.random.bool() { "static " } else { "" };
            writeln!(self.out, "{keyword}{} g{i} = {value};", ty.name()).expect("a string");
            self.globals.push(Variable { text: format!("g{i}"), ty });
        }
        let ty = self.int();
        writeln!(self.out, "static {} table[8] = {{ 1, 2, 3, 4 }};", ty.name()).expect("a string");
        writeln!(self.out, "static {} *pointers[2] = {{ &table[2], &table[5] }};", ty.name()).expect("a string");
        self.globals.push(Variable { text: "table[%]".to_owned(), ty });
        self.globals.push(Variable { text: "(*pointers[^])".to_owned(), ty });
        let variable =
            |(text, bits, signed): (&str, u32, bool)| Variable { text: text.into(), ty: Int { bits, signed } };
        self.globals.extend(VARIABLES.map(variable));
        for f in 0..self.random.usize(1..5) {
            self.function(f);
        }
        self.out.push_str("int main(void) {\n");
        for f in 0..self.functions.len() {
            for _ in 0..2 {
                let call = self.call(f, 1);
                writeln!(self.out, "  mix((u64)({call}));").expect("a string");
            }
        }
        for global in self.globals.clone() {
            let text = self.place(&global.text);
            writeln!(self.out, "  mix((u64){text});").expect("a string");
        }
        self.out.push_str(
            "  mix(global_struct.f); mix((u64)global_struct.g); mix(global_struct.in[0].b); mix((u64)counter);\n  for (int i = 0; i < 64; i++) mix(buffer[i]);\n  mix((u64)shared_atomic); mix(global_fields.g); mix((u64)(i64)global_tight.g);\n  return 0;\n}\n",
        );
    }

    fn function(&mut self, number: usize) {
        let parameters: Vec<Int> = (0..self.random.u32(0..4)).map(|_| self.int()).collect();
        let result = self.int();
        self.locals = parameters.iter().enumerate().map(|(i, &ty)| Variable { text: format!("p{i}"), ty }).collect();
        let list: Vec<String> = parameters.iter().enumerate().map(|(i, ty)| format!("{} p{i}", ty.name())).collect();
        let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
        writeln!(self.out, "static {} f{number}({list}) {{", result.name()).expect("a string");
        for _ in 0..self.random.u32(1..4) {
            let ty = self.int();
            let value = self.expression(ty, 2);
            let name = self.name("v");
            writeln!(self.out, "  {} {name} = {value};", ty.name()).expect("a string");
            self.locals.push(Variable { text: name, ty });
        }
        let ty = self.int();
        writeln!(
            self.out,
            "  {} array[8] = {{ 3, 1, 4 }}; {} *p = &array[1]; double d = 0.5; float s = 2.0f;",
            ty.name(),
            ty.name()
        )
        .expect("a string");
        self.locals.push(Variable { text: "array[%]".to_owned(), ty });
        self.locals.push(Variable { text: "(*p)".to_owned(), ty });
        self.out.push_str("  struct outer local = global_struct; struct outer *to = &local; union either u = { 5 };\n");
        for (text, bits, signed) in
            [("local.in[1].b", 32, true), ("to->z", 64, true), ("to->in[^].a", 8, false), ("u.halves[^]", 32, false)]
        {
            self.locals.push(Variable { text: text.into(), ty: Int { bits, signed } });
        }
        for _ in 0..self.random.u32(2..7) {
            self.statement(2, 3);
        }
        self.out
            .push_str("  mix((u64)(i64)(d * 8)); mix((u64)(i64)s); mix(local.f); mix((u64)local.g); mix(u.whole);\n");
        let value = self.expression(result, 3);
        writeln!(self.out, "  return {value};\n}}").expect("a string");
        self.functions.push((parameters, result));
    }

    fn statement(&mut self, indent: usize, depth: u32) {
        let pad = " ".repeat(indent);
        match self.random.u32(0..17) {
            0..=4 => {
                let variable = self.variable();
                let text = self.place(&variable.text);
                let value = self.expression(variable.ty, depth);
                writeln!(self.out, "{pad}{text} = {value};").expect("a string");
            }
            5 if depth > 0 => {
                let condition = self.condition(depth - 1);
                writeln!(self.out, "{pad}if ({condition}) {{").expect("a string");
                self.statement(indent + 2, depth - 1);
                writeln!(self.out, "{pad}}} else {{").expect("a string");
                self.statement(indent + 2, depth - 1);
                writeln!(self.out, "{pad}}}").expect("a string");
            }
            6 | 7 if depth > 0 && self.loops < 2 => self.loop_statement(indent, depth),
            8 if depth > 0 => self.switch(indent, depth),
            9 | 14 | 15 => {
                let operation = self.random.choice(OPERATIONS).expect("not empty");
                writeln!(self.out, "{pad}{operation}").expect("a string");
            }
            10 if self.in_loop => {
                let condition = self.condition(1);
                let way = if self.random.bool() { "break" } else { "continue" };
                writeln!(self.out, "{pad}if ({condition}) {way};").expect("a string");
            }
            11 if !self.functions.is_empty() && self.loops == 0 => {
                let f = self.random.usize(0..self.functions.len());
                let call = self.call(f, 1);
                writeln!(self.out, "{pad}mix((u64)({call}));").expect("a string");
            }
            _ => writeln!(self.out, "{pad}counter = (counter + 1) & 0xffff;").expect("a string"),
        }
    }

    fn loop_statement(&mut self, indent: usize, depth: u32) {
        let pad = " ".repeat(indent);
        let i = self.name("n");
        let times = self.random.u32(1..6);
        let in_loop = std::mem::replace(&mut self.in_loop, true);
        self.loops += 1;
        match self.random.u32(0..3) {
            0 => writeln!(self.out, "{pad}for (int {i} = 0; {i} < {times}; {i}++) {{"),
            1 => writeln!(self.out, "{pad}int {i} = {times}; while ({i}-- > 0) {{"),
            _ => writeln!(self.out, "{pad}int {i} = 0; do {{"),
        }
        .expect("a string");
        let do_loop = self.out.ends_with("do {\n");
        for _ in 0..self.random.u32(1..3) {
            self.statement(indent + 2, depth - 1);
        }
        writeln!(self.out, "{pad}}}{}", if do_loop { format!(" while (++{i} < {times});") } else { String::new() })
            .expect("a string");
        self.loops -= 1;
        self.in_loop = in_loop;
    }

    fn switch(&mut self, indent: usize, depth: u32) {
        let pad = " ".repeat(indent);
        let ty = self.int();
        let value = self.expression(ty, depth - 1);
        writeln!(self.out, "{pad}switch (({value}) % 5) {{").expect("a string");
        // A `continue` inside is as good as outside, but a `break` would leave the switch only.
        for case in ["case 0", "case 1", "case 3", "default"] {
            writeln!(self.out, "{pad}{case}:;").expect("a string");
            self.statement(indent + 2, depth - 1);
            if self.random.u32(0..3) > 0 {
                writeln!(self.out, "{pad}  break;").expect("a string");
            }
        }
        writeln!(self.out, "{pad}}}").expect("a string");
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn int(&mut self) -> Int {
        INTS[self.random.usize(0..INTS.len())]
    }

    fn variable(&mut self) -> Variable {
        let all = self.globals.len() + self.locals.len();
        let at = self.random.usize(0..all);
        self.globals.iter().chain(&self.locals).nth(at).expect("in range").clone()
    }

    /// Fills in an index: `%` of eight, `^` of two.
    fn place(&mut self, text: &str) -> String {
        let index = if self.random.bool() { "counter".to_owned() } else { self.random.u32(0..100).to_string() };
        text.replace('%', &format!("{index} & 7")).replace('^', &format!("{index} & 1"))
    }

    fn literal(&mut self, ty: Int) -> String {
        let value = match self.random.u32(0..4) {
            0 => self.random.u64(0..10),
            1 => u64::MAX - self.random.u64(0..3),
            2 => 1 << self.random.u32(0..64),
            _ => self.random.u64(..),
        };
        format!("({}){value}UL", ty.name())
    }

    fn condition(&mut self, depth: u32) -> String {
        let ty = self.int();
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let sign = self.random.choice(["<", "<=", ">", ">=", "==", "!="]).expect("not empty");
        let compared = format!("{a} {sign} {b}");
        match self.random.u32(0..4) {
            0 => format!("!({compared})"),
            1 => format!("({compared}) && {}", self.simple_condition()),
            2 => format!("({compared}) || {}", self.simple_condition()),
            _ => compared,
        }
    }

    fn simple_condition(&mut self) -> String {
        let variable = self.variable();
        let text = self.place(&variable.text);
        format!("{text} > 3")
    }

    /// An expression of a type; whatever it computes is converted to it in the end.
    fn expression(&mut self, ty: Int, depth: u32) -> String {
        let name = ty.name();
        if depth == 0 || self.random.u32(0..5) == 0 {
            if self.random.u32(0..3) == 0 {
                return self.literal(ty);
            }
            let variable = self.variable();
            let text = self.place(&variable.text);
            return format!("({name}){text}");
        }
        // Unsigned and at least as wide as `int`, so that nothing overflows.
        let wide = if ty.bits <= 32 { "u32" } else { "u64" };
        let bits = ty.bits.max(32);
        let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
        match self.random.u32(0..12) {
            0..=3 => {
                let sign = self.random.choice(["+", "-", "*", "&", "|", "^"]).expect("not empty");
                format!("({name})(({wide}){a} {sign} ({wide}){b})")
            }
            4 => format!("({name})(({wide}){a} << (({wide}){b} & {}))", bits - 1),
            5 => format!("({name})({a} >> (({wide}){b} & {}))", ty.bits - 1),
            // An odd divisor is not 0; a dividend without its lowest value does not overflow.
            6 if ty.signed => {
                let sign = if self.random.bool() { "/" } else { "%" };
                format!("({name})(({name})({a} >> 1) {sign} ({name})({b} | 1))")
            }
            6 => {
                let sign = if self.random.bool() { "/" } else { "%" };
                format!("({name})({a} {sign} ({name})({b} | 1))")
            }
            7 => format!("({name})({} ? {a} : {b})", self.condition(depth - 1)),
            8 => format!("({name})~{a}"),
            9 => format!("({name})({})", self.condition(depth - 1)),
            10 => {
                let other = self.int();
                let inner = self.expression(other, depth - 1);
                format!("({name}){inner}")
            }
            _ => format!("({name})-({wide}){a}"),
        }
    }

    fn call(&mut self, f: usize, depth: u32) -> String {
        let parameters = self.functions[f].0.clone();
        // Arguments of main may not name the locals of a function.
        let locals = if self.out.contains("int main") { std::mem::take(&mut self.locals) } else { Vec::new() };
        let arguments: Vec<String> = parameters.iter().map(|&ty| self.expression(ty, depth)).collect();
        if !locals.is_empty() {
            self.locals = locals;
        }
        format!("f{f}({})", arguments.join(", "))
    }
}
