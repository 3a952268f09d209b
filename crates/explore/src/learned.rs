use fencepost_program::{Division, Freed};

/// Assumptions of an exploration. If one turns out to be wrong, the exploration restarts.
#[derive(Clone, Debug)]
pub(crate) struct Learned {
    pub division: Division,
    /// Which objects can be freed, if their memory can be allocated again.
    pub freed: Freed,
    pub one_order_at_barriers: bool,
}

impl Learned {
    pub(crate) fn nothing(one_order_at_barriers: bool) -> Learned {
        Learned { division: Division::default(), freed: Freed::default(), one_order_at_barriers }
    }
}
