//! Vectors, as their elements: an operation on vectors is one on each pair of elements.

use fencepost_llvm::{Call, Cast, ConstantId, ConstantKind, Instruction, LocalId, Op, Operand as Value, Type, TypeId};
use fencepost_program::{ArithmeticOp, Inst, Operand, UnaryOp, Value as Word};

use super::function::FunctionLowering;
use super::globals::{Unsupported, arithmetic};

impl FunctionLowering<'_, '_> {
    /// The type of the elements of a vector, and how many there are.
    pub(super) fn vector(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match *self.module.types.get(ty) {
            Type::Vector { length, element } => Some((element, length)),
            _ => None,
        }
    }

    /// Lowers an operation on vectors. Returns false if the instruction is none.
    pub(super) fn vector_operation(&mut self, instruction: &Instruction) -> Result<bool, Unsupported> {
        let result = instruction.result;
        let values = match &instruction.op {
            Op::Binary { op, ty, a, b } if self.vector(*ty).is_some() => {
                let op = arithmetic(*op);
                self.by_element(*ty, &[*a, *b], |lowering, bits, lanes| {
                    let dst = lowering.temporary();
                    lowering.arithmetic(dst, op, bits, lanes[0], lanes[1]);
                    Operand::Reg(dst)
                })?
            }
            Op::FNeg { ty, a } if self.vector(*ty).is_some() => {
                self.by_element(*ty, &[*a], |lowering, bits, lanes| lowering.negated_float(bits, lanes[0]))?
            }
            Op::ICmp { predicate, ty, a, b } if self.vector(*ty).is_some() => {
                let predicate = *predicate;
                self.by_element(*ty, &[*a, *b], |lowering, bits, lanes| {
                    lowering.compared(predicate, bits, lanes[0], lanes[1])
                })?
            }
            Op::FCmp { predicate, ty, a, b } if self.vector(*ty).is_some() => {
                let fencepost_llvm::FloatPredicate { less, equal, greater, unordered } = *predicate;
                let op = ArithmeticOp::FCmp { less, equal, greater, unordered };
                self.by_element(*ty, &[*a, *b], |lowering, bits, lanes| {
                    let dst = lowering.temporary();
                    lowering.arithmetic(dst, op, bits, lanes[0], lanes[1]);
                    Operand::Reg(dst)
                })?
            }
            Op::Cast { op, from, value, to } if self.vector(*from).is_some() || self.vector(*to).is_some() => {
                self.vector_cast(*op, *from, *value, *to)?
            }
            Op::Select { condition, condition_type, ty, yes, no } if self.vector(*condition_type).is_some() => {
                let conditions = self.values(*condition_type, *condition)?;
                let (yes, no) = (self.values(*ty, *yes)?, self.values(*ty, *no)?);
                let lanes = conditions.into_iter().zip(yes).zip(no);
                lanes.map(|((cond, yes), no)| self.chosen(cond, yes, no)).collect()
            }
            Op::ExtractElement { ty, vector, index } => {
                let values = self.values(*ty, *vector)?;
                match self.value(*index)? {
                    Operand::Const(index) => vec![*values.get(index as usize).ok_or("an element that does not exist")?],
                    index => {
                        let first = *values.first().ok_or("a vector without elements")?;
                        let others = values.into_iter().enumerate().skip(1);
                        vec![others.fold(first, |found, (i, value)| {
                            let here = self.word(ArithmeticOp::Eq, index, Operand::Const(i as Word));
                            self.chosen(here, value, found)
                        })]
                    }
                }
            }
            Op::InsertElement { ty, vector, element, index } => {
                let mut values = self.values(*ty, *vector)?;
                let element = self.value(*element)?;
                match self.value(*index)? {
                    Operand::Const(index) => {
                        *values.get_mut(index as usize).ok_or("an element that does not exist")? = element;
                    }
                    index => {
                        for (i, value) in values.iter_mut().enumerate() {
                            let here = self.word(ArithmeticOp::Eq, index, Operand::Const(i as Word));
                            *value = self.chosen(here, element, *value);
                        }
                    }
                }
                values
            }
            Op::ShuffleVector { ty, a, b, mask_type, mask } => {
                let mut values = self.values(*ty, *a)?;
                values.extend(self.values(*ty, *b)?);
                let length = self.vector(*mask_type).map_or(0, |(_, length)| length as usize);
                let chosen = self.mask(*mask, length)?;
                // What is chosen from nowhere may be anything.
                chosen.into_iter().map(|i| values.get(i).copied().unwrap_or(Operand::Const(0))).collect()
            }
            _ => return Ok(false),
        };
        self.set_all(result, values)?;
        Ok(true)
    }

    /// The elements of a result, each computed from those of the operands.
    fn by_element(
        &mut self,
        ty: TypeId,
        operands: &[Value],
        mut one: impl FnMut(&mut Self, u8, &[Operand]) -> Operand,
    ) -> Result<Vec<Operand>, Unsupported> {
        let (element, length) = self.vector(ty).ok_or("a value of two types")?;
        let bits = self.bits(element)?;
        let lanes = operands.iter().map(|&value| self.values(ty, value)).collect::<Result<Vec<_>, _>>()?;
        let lane = |i: usize| lanes.iter().map(|lane| lane[i]).collect::<Vec<Operand>>();
        Ok((0..length as usize).map(|i| one(self, bits, &lane(i))).collect())
    }

    fn negated_float(&mut self, bits: u8, a: Operand) -> Operand {
        let sign = if bits == 32 { Word::from(i32::MIN) } else { Word::MIN };
        let dst = self.temporary();
        self.arithmetic(dst, ArithmeticOp::Xor, bits, a, sign);
        Operand::Reg(dst)
    }

    fn vector_cast(&mut self, op: Cast, from: TypeId, value: Value, to: TypeId) -> Result<Vec<Operand>, Unsupported> {
        let (from_leaves, to_leaves) = (self.leaves(from)?, self.leaves(to)?);
        let values = self.values(from, value)?;
        if let Cast::BitCast = op {
            let widths = |leaves: &[super::leaves::Leaf]| leaves.iter().map(|leaf| leaf.bits).collect::<Vec<u32>>();
            return self.with_other_widths(&values, &widths(&from_leaves), &widths(&to_leaves));
        }
        let lanes = values.into_iter().zip(from_leaves).zip(to_leaves);
        Ok(lanes.map(|((value, from), to)| self.cast_word(op, from.bits as u8, to.bits as u8, value)).collect())
    }

    /// The same bits as words of other widths: powers of two from 8 to 64, each the same in a list; or single bits.
    fn with_other_widths(&mut self, values: &[Operand], from: &[u32], to: &[u32]) -> Result<Vec<Operand>, Unsupported> {
        let width = |widths: &[u32]| widths.first().copied().filter(|first| widths.iter().all(|width| width == first));
        let (Some(from_bits), Some(to_bits)) = (width(from), width(to)) else {
            return Err("a conversion of a vector to another type".to_owned());
        };
        if from_bits * from.len() as u32 != to_bits * to.len() as u32 {
            return Err("a conversion of a vector to one of another size".to_owned());
        }
        let mut out = Vec::new();
        for i in 0..to.len() as u32 {
            let start = i * to_bits;
            if from_bits >= to_bits {
                let (whole, shift) = (values[(start / from_bits) as usize], start % from_bits);
                let shifted = self.word(ArithmeticOp::LShr, whole, Operand::Const(shift.into()));
                out.push(self.converted(UnaryOp::Trunc, 64, to_bits as u8, shifted));
                continue;
            }
            let mut word = Operand::Const(0);
            for j in 0..to_bits / from_bits {
                let part = values[(start / from_bits + j) as usize];
                let part = self.converted(UnaryOp::ZExt, from_bits as u8, 64, part);
                let part = self.word(ArithmeticOp::Shl, part, Operand::Const((j * from_bits).into()));
                word = self.word(ArithmeticOp::Or, word, part);
            }
            out.push(self.converted(UnaryOp::Trunc, 64, to_bits as u8, word));
        }
        Ok(out)
    }

    /// Which elements of two vectors, one after the other, a shuffle takes; the largest number for any.
    fn mask(&mut self, mask: ConstantId, length: usize) -> Result<Vec<usize>, Unsupported> {
        let index = |id: ConstantId| match self.module.constant(id).kind {
            ConstantKind::Int { value, .. } => Ok(value as usize),
            ConstantKind::Undef => Ok(usize::MAX),
            ConstantKind::Zero => Ok(0),
            _ => Err("a shuffle that is not constant".to_owned()),
        };
        match &self.module.constant(mask).kind {
            ConstantKind::Zero => Ok(vec![0; length]),
            ConstantKind::Undef => Ok(vec![usize::MAX; length]),
            ConstantKind::Splat(element) => Ok(vec![index(*element)?; length]),
            ConstantKind::Aggregate(elements) => elements.iter().map(|&element| index(element)).collect(),
            _ => Err("a shuffle that is not constant".to_owned()),
        }
    }

    /// An intrinsic that makes one value of all elements. Returns false if it is none that we know.
    pub(super) fn reduction(&mut self, result: Option<LocalId>, call: &Call, base: &str) -> Result<bool, Unsupported> {
        let Some(name) = base.strip_prefix("vector.reduce.").and_then(|rest| rest.split('.').next()) else {
            return Ok(false);
        };
        let Some(argument) = call.arguments.last() else { return Ok(false) };
        let Some((element, _)) = self.vector(argument.ty) else { return Ok(false) };
        let bits = self.bits(element)?;
        let mut values = self.values(argument.ty, argument.value)?;
        let op = match name {
            "add" => ArithmeticOp::Add,
            "mul" => ArithmeticOp::Mul,
            "and" => ArithmeticOp::And,
            "or" => ArithmeticOp::Or,
            "xor" => ArithmeticOp::Xor,
            "smin" | "smax" => ArithmeticOp::SLt,
            "umin" | "umax" => ArithmeticOp::ULt,
            // These begin with a value of their own.
            "fadd" | "fmul" => {
                let first = call.arguments.first().ok_or("a reduction without arguments")?;
                values.insert(0, self.value(first.value)?);
                if name == "fadd" { ArithmeticOp::FAdd } else { ArithmeticOp::FMul }
            }
            "fmin" => ArithmeticOp::FMin,
            "fmax" => ArithmeticOp::FMax,
            _ => return Ok(false),
        };
        let mut values = values.into_iter();
        let mut so_far = values.next().ok_or("a vector without elements")?;
        for value in values {
            let dst = self.temporary();
            match name {
                "smin" | "umin" | "smax" | "umax" => {
                    let (a, b) = if name.ends_with("min") { (so_far, value) } else { (value, so_far) };
                    self.arithmetic(dst, op, bits, a, b);
                    let cond = Operand::Reg(dst);
                    let dst = self.temporary();
                    self.emit(Inst::Select { dst, cond, yes: so_far, no: value });
                    so_far = Operand::Reg(dst);
                    continue;
                }
                _ => self.arithmetic(dst, op, bits, so_far, value),
            }
            so_far = Operand::Reg(dst);
        }
        self.set_all(result, vec![so_far])?;
        Ok(true)
    }
}
