//! What is said about functions of the C library that are not supported.

use super::unknown;

/// Reads what nobody wrote in the program.
const INPUT: [&str; 26] = [
    "scanf",
    "__isoc99_scanf",
    "__isoc23_scanf",
    "fscanf",
    "__isoc99_fscanf",
    "__isoc23_fscanf",
    "vscanf",
    "vfscanf",
    "fgets",
    "gets",
    "fgetc",
    "getc",
    "getchar",
    "getchar_unlocked",
    "getc_unlocked",
    "ungetc",
    "getline",
    "getdelim",
    "fread",
    "read",
    "pread",
    "readv",
    "recv",
    "getrandom",
    "getentropy",
    "feof",
];

const FILES: [&str; 24] = [
    "fopen", "fopen64", "fdopen", "freopen", "popen", "pclose", "tmpfile", "open", "open64", "openat", "creat",
    "close", "lseek", "fseek", "ftell", "rewind", "stat", "fstat", "unlink", "remove", "rename", "mkdir", "pipe",
    "socket",
];

const PROCESSES: [&str; 16] = [
    "fork",
    "vfork",
    "_Fork",
    "pthread_atfork",
    "__register_atfork",
    "execve",
    "execv",
    "execvp",
    "execl",
    "execlp",
    "posix_spawn",
    "system",
    "wait",
    "waitpid",
    "shm_open",
    "shmget",
];

const SIGNALS: [&str; 12] = [
    "pthread_kill",
    "pthread_sigqueue",
    "kill",
    "tgkill",
    "sigwait",
    "sigwaitinfo",
    "sigsuspend",
    "pause",
    "alarm",
    "setitimer",
    "timer_create",
    "sigaltstack",
];

const CALENDAR: [&str; 14] = [
    "localtime",
    "localtime_r",
    "gmtime",
    "gmtime_r",
    "mktime",
    "timegm",
    "strftime",
    "strptime",
    "ctime",
    "ctime_r",
    "asctime",
    "asctime_r",
    "tzset",
    "times",
];

const MATHEMATICS: [&str; 28] = [
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp",
    "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "cbrt", "hypot", "erf", "tgamma", "lgamma",
    "fma",
];

/// Whether it is known that a function is not supported.
pub(super) fn is_known(name: &str) -> bool {
    !refusal(name).ends_with("whose code is not known")
}

/// Why a call is refused.
pub(super) fn refusal(name: &str) -> String {
    let has = |names: &[&str]| names.contains(&name);
    let why = if has(&INPUT) {
        "reads input (`fencepost_choose` gives values from outside)"
    } else if has(&FILES) {
        "is about files"
    } else if has(&PROCESSES) {
        "is about other processes"
    } else if has(&SIGNALS) {
        "is about signals"
    } else if has(&CALENDAR) {
        "is about the calendar"
    } else if name == "pthread_cancel" {
        return "a call of `pthread_cancel`: threads cannot be cancelled (let them look at a flag)".to_owned();
    } else if name.ends_with("longjmp") || name == "__longjmp_chk" {
        return format!("a call of `{name}`: jumps out of a function");
    } else if has(&MATHEMATICS) || name.strip_suffix('f').is_some_and(|name| MATHEMATICS.contains(&name)) {
        "is a function of `math.h` whose result is rounded in a way that is not specified"
    } else {
        return unknown::refusal(name);
    };
    format!("a call of `{name}`, which {why}")
}
