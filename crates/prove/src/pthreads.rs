//! Routines of pthreads as full fences, as paper 002 §4.3 takes them.

use fencepost_program::{Function, Inst, Ordering, Program};

/// What a routine of pthreads orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PthreadFences {
    /// What the accesses of our C library order: a lock is an acquire RMW, an unlock a release store.
    Library,
    /// Everything before it and everything after it.
    Full,
}

impl PthreadFences {
    pub const ALL: [PthreadFences; 2] = [PthreadFences::Library, PthreadFences::Full];

    pub fn name(self) -> &'static str {
        match self {
            PthreadFences::Library => "library",
            PthreadFences::Full => "full",
        }
    }

    /// Puts a fence at the start and at each end of the routines that synchronise memory (POSIX.1-2017, XBD 4.12), and
    /// of their namesakes in C11.
    pub fn apply(self, program: &mut Program) {
        if self == PthreadFences::Full {
            for function in program.functions.iter_mut().filter(|f| f.library && synchronises(f)) {
                let ends = |inst: &Inst| matches!(inst, Inst::Return { .. } | Inst::ReturnMany { .. });
                function.insert_before(|pc, inst| pc == 0 || ends(inst), &Inst::Fence { order: Ordering::SeqCst });
            }
        }
    }
}

fn synchronises(function: &Function) -> bool {
    const VERBS: [&str; 16] = [
        "create",
        "join",
        "exit",
        "lock",
        "trylock",
        "unlock",
        "rdlock",
        "tryrdlock",
        "wrlock",
        "trywrlock",
        "wait",
        "trywait",
        "signal",
        "broadcast",
        "post",
        "once",
    ];
    let of_threads =
        ["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "call_"].iter().any(|p| function.name.starts_with(p));
    of_threads && function.name.rsplit('_').next().is_some_and(|verb| VERBS.contains(&verb))
}
