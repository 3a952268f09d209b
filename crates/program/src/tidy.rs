//! Fewer instructions and registers for code that was lowered from a compiler's output.

use crate::Function;

impl Function {
    pub fn tidy(&mut self) {}
}
