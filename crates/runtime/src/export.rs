//! How functions get the names that programs call. Every name is weak, so that a program with a `malloc` of its own keeps it,
//! and begins with two instructions that note the caller, which Rust has no other way to ask for.

/// `export! { ["malloc"] => malloc; ... }`: the caller is in [`crate::tls::caller`].
#[macro_export]
macro_rules! export {
    ($([$($name:literal),*] => $function:path;)*) => {
        $(#[cfg(feature = "standalone")]
        core::arch::global_asm!(
            concat!(".pushsection .text.", $($name),*, ",\"ax\",@progbits"),
            concat!(".weak ", $($name),*),
            concat!(".type ", $($name),*, ",@function"),
            concat!($($name),*, ":"),
            ".cfi_startproc",
            "mov r11, qword ptr [rsp]",
            "mov qword ptr fs:[fencepost_caller@TPOFF], r11",
            "jmp {function}",
            ".cfi_endproc",
            concat!(".size ", $($name),*, ", . - ", $($name),*),
            ".popsection",
            function = sym $function,
        );
        #[cfg(not(feature = "standalone"))]
        const _: () = {
            let _ = $function;
        };)*
    };
}

/// `export_access! { ["__tsan_read1"] => read::<1>; ... }`: for `fn(address, caller)`, with the caller in a register.
#[macro_export]
macro_rules! export_access {
    ($([$($name:literal),*] => $function:expr;)*) => {
        $(#[cfg(feature = "standalone")]
        core::arch::global_asm!(
            concat!(".pushsection .text.", $($name),*, ",\"ax\",@progbits"),
            concat!(".weak ", $($name),*),
            concat!(".type ", $($name),*, ",@function"),
            concat!($($name),*, ":"),
            ".cfi_startproc",
            "mov rsi, qword ptr [rsp]",
            "jmp {function}",
            ".cfi_endproc",
            concat!(".size ", $($name),*, ", . - ", $($name),*),
            ".popsection",
            function = sym $function,
        );
        #[cfg(not(feature = "standalone"))]
        const _: () = {
            let _ = $function;
        };)*
    };
}
