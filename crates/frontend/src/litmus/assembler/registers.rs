//! The registers of x86 and the names of their parts.

/// A register, whatever part of it a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Family<'t> {
    /// By its place in [`NAMES`].
    General(usize),
    /// `%name`, a register that has no name of its own.
    Symbolic(&'t str),
}

/// What a name means: some bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct View<'t> {
    pub family: Family<'t>,
    pub bits: u8,
    /// The second byte, as in `AH`.
    pub high: bool,
}

/// For each register, the names of its 64, 32, 16 and 8 low bits, and of its second byte.
const NAMES: [[&str; 5]; 16] = [
    ["rax", "eax", "ax", "al", "ah"],
    ["rbx", "ebx", "bx", "bl", "bh"],
    ["rcx", "ecx", "cx", "cl", "ch"],
    ["rdx", "edx", "dx", "dl", "dh"],
    ["rsi", "esi", "si", "sil", ""],
    ["rdi", "edi", "di", "dil", ""],
    ["rbp", "ebp", "bp", "bpl", ""],
    ["rsp", "esp", "sp", "spl", ""],
    ["r8", "r8d", "r8w", "r8b", ""],
    ["r9", "r9d", "r9w", "r9b", ""],
    ["r10", "r10d", "r10w", "r10b", ""],
    ["r11", "r11d", "r11w", "r11b", ""],
    ["r12", "r12d", "r12w", "r12b", ""],
    ["r13", "r13d", "r13w", "r13b", ""],
    ["r14", "r14d", "r14w", "r14b", ""],
    ["r15", "r15d", "r15w", "r15b", ""],
];

const BITS: [u8; 5] = [64, 32, 16, 8, 8];

impl<'t> View<'t> {
    /// The low bits of the accumulator, which CMPXCHG compares.
    pub(super) fn accumulator(bits: u8) -> View<'t> {
        View { family: Family::General(0), bits, high: false }
    }

    /// What the processor calls it, in capitals or not.
    pub(super) fn named(name: &str) -> Option<View<'t>> {
        let lower = name.to_ascii_lowercase();
        if lower.is_empty() {
            return None;
        }
        let place = |names: &[&str; 5]| names.iter().position(|known| *known == lower);
        let (family, part) = NAMES.iter().enumerate().find_map(|(family, names)| Some((family, place(names)?)))?;
        Some(View { family: Family::General(family), bits: BITS[part], high: part == 4 })
    }

    /// A register that only the test names.
    pub(super) fn symbolic(name: &'t str, bits: u8) -> View<'t> {
        View { family: Family::Symbolic(name), bits, high: false }
    }
}

impl<'t> View<'t> {
    /// What the processor calls it.
    pub(super) fn name(self) -> &'t str {
        match self.family {
            Family::General(number) if self.high => NAMES[number][4],
            Family::General(number) => {
                let part = BITS.iter().position(|bits| *bits == self.bits).unwrap_or(0);
                NAMES[number][part]
            }
            Family::Symbolic(name) => name,
        }
    }
}

impl Family<'_> {
    /// What the whole register is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Family::General(number) => NAMES[number][0],
            Family::Symbolic(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_some_bits_of_a_register() {
        let (eax, rax) = (View::named("EAX").expect("a register"), View::named("rax").expect("a register"));
        assert_eq!((eax.family, eax.bits, rax.bits), (rax.family, 32, 64));
        assert_eq!(View::accumulator(32), eax);
        let high = View::named("bh").expect("a register");
        assert!(high.high && high.bits == 8);
        assert_eq!(View::named("x"), None);
        assert_eq!(View::named(""), None);
    }
}
