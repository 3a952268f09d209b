//! Random `.fp` programs, as words between which anything that is blank may stand.

use fastrand::Rng;

pub struct Generator {
    pub rng: Rng,
    words: Vec<String>,
}

impl Generator {
    /// A program that is correct, as its words.
    pub fn program(seed: u64) -> Vec<String> {
        let mut generator = Generator { rng: Rng::with_seed(seed), words: Vec::new() };
        generator.put("const N = 3 ; atomic x , a [ N ] : bool = { 0 , 1 , 0 } , z : - 1 .. N + 1 = 2 ; nonatomic d ;");
        generator.put("fn f ( p , q ) { i = p ;");
        generator.block(3, "p");
        generator.put("return p + q ; }");
        for name in ["s", "t"] {
            generator.put(&format!("thread {name}"));
            if generator.rng.bool() {
                generator.put("[ 2 ]");
            }
            generator.put("{ var r : u8 ; i = 0 ;");
            generator.block(4, "self");
            generator.put("}");
        }
        generator.words
    }

    /// An expression over the register `i` and the constant `N`.
    pub fn expression_text(seed: u64) -> String {
        let mut generator = Generator { rng: Rng::with_seed(seed), words: Vec::new() };
        generator.expression(5, "i");
        generator.words.join(" ")
    }

    fn put(&mut self, words: &str) {
        self.words.extend(words.split_whitespace().map(str::to_owned));
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.rng.usize(..choices.len())]
    }

    /// The statements of a block; `own` is a value that only this body has.
    fn block(&mut self, depth: u32, own: &str) {
        for _ in 0..self.rng.u32(0..4) {
            self.statement(depth, own);
        }
    }

    fn braces(&mut self, depth: u32, own: &str) {
        self.put("{");
        self.block(depth - 1, own);
        self.put("}");
    }

    fn statement(&mut self, depth: u32, own: &str) {
        let compound = depth > 0 && self.rng.u32(0..3) == 0;
        match if compound { self.rng.u32(0..5) } else { self.rng.u32(5..13) } {
            0 => {
                self.put("if (");
                self.expression(2, own);
                self.put(")");
                self.body(depth, own);
                if self.rng.bool() {
                    self.put("else");
                    self.body(depth, own);
                }
            }
            1 => {
                self.put("while (");
                self.expression(2, own);
                self.put(")");
                self.body(depth, own);
            }
            2 => {
                self.put("loop");
                self.body(depth, own);
            }
            3 => {
                self.put("either");
                self.braces(depth, own);
                for _ in 0..self.rng.u32(1..3) {
                    self.put("or");
                    self.braces(depth, own);
                }
            }
            4 => self.braces(depth, own),
            5 => {
                self.put("i =");
                self.expression(3, own);
                self.put(";");
            }
            6 => {
                let order = self.pick(&["rlx", "acq", "sc", "relaxed"]);
                self.put(&format!("i = x . load ( {order} ) ;"));
            }
            7 => {
                self.put("a [ 1 ] . store (");
                self.expression(2, own);
                self.put(", rel ) ;");
            }
            8 => self.put("( i , _ ) = x . cas_weak ( 0 , 0x1f , acqrel , acq ) ;"),
            9 => {
                self.put("wait ( z !=");
                self.expression(1, own);
                self.put(", acq ) ;");
            }
            10 => self.put("fence ( sc ) ; i = choose ( 0 .. N - 1 ) ;"),
            11 => {
                self.put("assert (");
                self.expression(2, own);
                self.put(") ;");
            }
            _ => self.put("d . store ( 1 , na ) ; i = d . load ( na ) ; x . fetch_max ( i , sc ) ;"),
        }
    }

    fn body(&mut self, depth: u32, own: &str) {
        match self.rng.bool() {
            true => self.braces(depth, own),
            false => self.put("x . store ( 1 , rlx ) ;"),
        }
    }

    fn expression(&mut self, depth: u32, own: &str) {
        match if depth == 0 { 0 } else { self.rng.u32(0..5) } {
            0 => {
                let word = self.pick(&["i", "N", "17", "0x2A", "true", "false", own]);
                self.put(word);
            }
            1 => {
                let sign = self.pick(&["-", "!", "~"]);
                self.put(sign);
                self.expression(depth - 1, own);
            }
            2 => {
                self.put("(");
                self.expression(depth - 1, own);
                self.put(")");
            }
            3 => {
                self.put("( i ?");
                self.expression(depth - 1, own);
                self.put(":");
                self.expression(depth - 1, own);
                self.put(")");
            }
            _ => {
                self.expression(depth - 1, own);
                let signs =
                    ["||", "&&", "|", "^", "&", "==", "!=", "<", "<=", ">", ">=", "<<", ">>", "+", "-", "*", "/", "%"];
                let sign = self.pick(&signs);
                self.put(sign);
                self.expression(depth - 1, own);
            }
        }
    }
}

/// The words with random blanks and comments between them.
pub fn spaced(words: &[String], rng: &mut Rng) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        text += word;
        text += &match rng.u32(0..40) {
            0..10 => "\n".to_owned(),
            10..14 => "\n\n".to_owned(),
            14 => "\n\n\n  \n".to_owned(),
            15 => "\t".to_owned(),
            16 => "\r\n".to_owned(),
            17..34 => " ".to_owned(),
            34 => format!(" // line {i}\n"),
            35 => format!("\n// own line {i}  \n"),
            36 => format!(" /* inside {i} */ "),
            37 => format!("\n/* several\n     lines {i} */\n"),
            38 => format!(" // é\u{a0}{i} {{\r\n"),
            _ => format!(" /* one {i} */ // two {i}\n\n"),
        };
    }
    text
}
