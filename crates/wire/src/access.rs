//! One side of a report.

use alloc::vec::Vec;

macro_rules! words {
    ($(#[$meta:meta])* $type:ident { $($(#[$note:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "read", derive(serde::Deserialize, serde::Serialize))]
        #[repr(u8)]
        pub enum $type {
            $($(#[$note])* #[cfg_attr(feature = "read", serde(rename = $name))] $variant,)*
        }

        impl $type {
            pub const ALL: &[$type] = &[$($type::$variant),*];

            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)*
                }
            }

            /// The inverse of `as u8`.
            pub fn from_number(number: u8) -> Option<$type> {
                $type::ALL.get(number as usize).copied()
            }
        }
    };
}

words! {
    /// What an access is called.
    Operation {
        /// Not atomic, or all that is still known of an atomic one.
        Read = "read",
        Write = "write",
        Load = "load",
        Store = "store",
        Exchange = "exchange",
        FetchAdd = "fetch_add",
        FetchSub = "fetch_sub",
        FetchAnd = "fetch_and",
        FetchOr = "fetch_or",
        FetchXor = "fetch_xor",
        FetchNand = "fetch_nand",
        CompareExchange = "compare_exchange",
        Wait = "wait",
        BlockingCas = "bcas",
    }
}

words! {
    /// The ordering of an atomic access, as C spells it.
    Ordering {
        Relaxed = "relaxed",
        Acquire = "acquire",
        Release = "release",
        AcqRel = "acq_rel",
        SeqCst = "seq_cst",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "read", derive(serde::Deserialize))]
pub struct Access {
    /// In the order of creation; the main thread is 0. None if it is not known any more.
    pub thread: Option<u32>,
    pub operation: Operation,
    pub atomic: bool,
    /// None if it is not atomic, or not known any more.
    pub ordering: Option<Ordering>,
    pub address: u64,
    pub size: u64,
    /// Return addresses, innermost first.
    pub stack: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_comes_back_from_its_number() {
        for &operation in Operation::ALL {
            assert_eq!(Operation::from_number(operation as u8), Some(operation));
        }
        for &ordering in Ordering::ALL {
            assert_eq!(Ordering::from_number(ordering as u8), Some(ordering));
        }
        assert_eq!(Ordering::from_number(5), None);
    }
}
