//! How functions get the names that programs call. Every name is weak, so that a program with a `malloc` of its own
//! keeps it, and begins with two instructions that note the caller, which Rust has no other way to ask for.

/// A weak function of this name that consists of these instructions. They end in a jump or a call to `{function}`.
macro_rules! define {
    ([$($name:literal),*] => $function:path, $($instruction:expr),* $(,)?) => {
        #[cfg(feature = "standalone")]
        core::arch::global_asm!(
            concat!(".pushsection .text.", $($name),*, ",\"ax\",@progbits"),
            concat!(".weak ", $($name),*),
            concat!(".type ", $($name),*, ",@function"),
            concat!($($name),*, ":"),
            ".cfi_startproc",
            $($instruction,)*
            ".cfi_endproc",
            concat!(".size ", $($name),*, ", . - ", $($name),*),
            ".popsection",
            function = sym $function,
        );
        #[cfg(not(feature = "standalone"))]
        const _: () = {
            let _ = $function;
        };
    };
}

/// `export! { ["malloc"] => malloc; ... }`: the caller is in [`crate::tls::caller`].
macro_rules! export {
    ($($name:tt => $function:path;)*) => {
        $($crate::export::define! { $name => $function,
            "mov r11, qword ptr [rsp]",
            "mov qword ptr fs:[fencepost_caller@TPOFF], r11",
            "jmp {function}",
        })*
    };
}

/// `export_access! { ["__tsan_read1"] => read::<1>; ... }`: for `fn(address, caller)`, with the caller in a register.
macro_rules! export_access {
    ($($name:tt => $function:path;)*) => {
        $($crate::export::define! { $name => $function,
            "mov rsi, qword ptr [rsp]",
            "jmp {function}",
        })*
    };
}

/// `export_variadic! { ["printf"], 1, "rsi" => vprintf; ... }`: passes the arguments after the first `$before` ones as
/// a `va_list`, in the register of the next argument. Rust has no way to define such functions yet.
macro_rules! export_variadic {
    ($($name:tt, $before:literal, $register:literal => $function:path;)*) => {
        $($crate::export::define! { $name => $function,
            "mov r11, qword ptr [rsp]",
            "mov qword ptr fs:[fencepost_caller@TPOFF], r11",
            // The list itself, then the registers that arguments may be in (System V ABI, AMD64 supplement, 3.5.7).
            "sub rsp, 216",
            ".cfi_adjust_cfa_offset 216",
            "mov qword ptr [rsp + 32], rdi",
            "mov qword ptr [rsp + 40], rsi",
            "mov qword ptr [rsp + 48], rdx",
            "mov qword ptr [rsp + 56], rcx",
            "mov qword ptr [rsp + 64], r8",
            "mov qword ptr [rsp + 72], r9",
            "test al, al",
            "je 2f",
            "movaps xmmword ptr [rsp + 80], xmm0",
            "movaps xmmword ptr [rsp + 96], xmm1",
            "movaps xmmword ptr [rsp + 112], xmm2",
            "movaps xmmword ptr [rsp + 128], xmm3",
            "movaps xmmword ptr [rsp + 144], xmm4",
            "movaps xmmword ptr [rsp + 160], xmm5",
            "movaps xmmword ptr [rsp + 176], xmm6",
            "movaps xmmword ptr [rsp + 192], xmm7",
            "2:",
            concat!("mov dword ptr [rsp], 8 * ", $before),
            "mov dword ptr [rsp + 4], 48",
            "lea r11, [rsp + 224]",
            "mov qword ptr [rsp + 8], r11",
            "lea r11, [rsp + 32]",
            "mov qword ptr [rsp + 16], r11",
            concat!("mov ", $register, ", rsp"),
            "call {function}",
            "add rsp, 216",
            ".cfi_adjust_cfa_offset -216",
            "ret",
        })*
    };
}

pub(crate) use {define, export, export_access, export_variadic};
