//! Abstract domains of register values. The analysis of a thread is written against the trait [`Domain`] alone.

mod chunks;
pub(crate) mod interval_domain;
pub(crate) mod octagon;
pub(crate) mod octagon_domain;
#[cfg(test)]
mod tests;

pub use fencepost_program::code::Interval;
pub use interval_domain::IntervalDomain;
pub use octagon_domain::OctagonDomain;

/// Where the bounds of an interval stop when they are widened.
pub(crate) const THRESHOLDS: [i64; 6] = [-1, 0, 1, u8::MAX as i64, u16::MAX as i64, u32::MAX as i64];

use fencepost_program::{ArithmeticOp, Operand, Reg, Ty, UnaryOp};

/// An over-approximation of the register values with which a thread may reach a place. The empty one has no
/// representation: operations that may find it return whether something is left.
pub trait Domain: Clone + PartialEq {
    /// All registers hold 0, wrapped into their types.
    fn start(types: &[Ty]) -> Self;

    /// The values that an operand may have.
    fn interval(&self, operand: Operand) -> Interval;

    /// Any of these values, with no relation to others.
    fn assign(&mut self, dst: Reg, value: Interval, ty: Ty);

    fn assign_copy(&mut self, dst: Reg, a: Operand, ty: Ty);

    fn assign_unary(&mut self, dst: Reg, op: UnaryOp, from: u8, to: u8, a: Operand, ty: Ty);

    /// Returns whether some result exists: a division may always be by zero.
    #[must_use]
    fn assign_arithmetic(&mut self, dst: Reg, op: ArithmeticOp, bits: u8, a: Operand, b: Operand, ty: Ty) -> bool;

    /// Keeps what makes the operand nonzero, or zero.
    #[must_use]
    fn assume(&mut self, condition: Operand, nonzero: bool) -> bool;

    /// Keeps what makes the operand one of these values.
    #[must_use]
    fn restrict(&mut self, operand: Operand, to: Interval) -> bool;

    fn join(&mut self, other: &Self);

    /// Like [`Domain::join`], but a chain of widenings ends.
    fn widen(&mut self, other: &Self);
}
