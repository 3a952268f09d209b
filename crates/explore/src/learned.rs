use fencepost_program::{Division, Freed};

/// What an exploration begins with, and begins anew if it turns out to be otherwise.
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
