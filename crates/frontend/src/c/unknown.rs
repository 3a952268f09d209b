//! What is said of a function whose code is not known.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

/// A name as the source has it: `std::random_device::_M_getval()` for `_ZNSt13random_device9_M_getvalEv`.
pub(super) fn readable(name: &str) -> Cow<'_, str> {
    demangled(name, options())
}

/// The same without the types of parameters.
pub(super) fn readable_alone(name: &str) -> Cow<'_, str> {
    demangled(name, options().no_params())
}

fn options() -> DemangleOptions {
    DemangleOptions::new().no_return_type().hide_expression_literal_types()
}

fn demangled(name: &str, options: DemangleOptions) -> Cow<'_, str> {
    if !name.starts_with("_Z") {
        return Cow::Borrowed(name);
    }
    let demangled = Symbol::new(name).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    demangled.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// Why a call of the function is refused, and what to do about it.
pub(super) fn refusal(name: &str) -> String {
    let name = readable(name);
    let way_out = if name.starts_with("std::random_device") {
        ": any number may come (use `fencepost_choose`)"
    } else if matches!(name, Cow::Owned(_)) {
        " (define it in this file, or leave the call out)"
    } else {
        ""
    };
    format!("a call of `{name}`, whose code is not known{way_out}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cxx_are_shown_as_the_source_has_them() {
        assert_eq!(readable("_ZNSt13random_device9_M_getvalEv"), "std::random_device::_M_getval()");
        assert_eq!(readable("_ZSt4moveIRiEvOT_"), "std::move<int&>(int&)");
        assert_eq!(readable("pthread_kill"), "pthread_kill");
        assert_eq!(readable("_Z"), "_Z");
        assert_eq!(readable_alone("_ZNSt13random_device9_M_getvalEv"), "std::random_device::_M_getval");
        assert_eq!(readable_alone("_ZGVZ4mainE5queue"), "guard variable for main::queue");
    }

    #[test]
    fn a_refusal_says_what_to_do() {
        let refused = refusal("_ZNSt13random_device9_M_getvalEv");
        assert!(refused.contains("std::random_device") && refused.contains("fencepost_choose"), "{refused}");
        assert!(refusal("_Z3foov").contains("`foo()`, whose code is not known (define it in this file"));
        assert!(refusal("foo").ends_with("whose code is not known"));
    }
}
