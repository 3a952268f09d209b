//! The C library's own functions behind those that are interposed.

use core::ffi::{CStr, c_void};
use core::sync::atomic::{AtomicPtr, Ordering};

/// A function of the C library, looked up when it is first called.
pub(crate) struct Real {
    name: &'static CStr,
    /// Where a name has several versions, dlsym may give the oldest.
    version: Option<&'static CStr>,
    address: AtomicPtr<c_void>,
}

impl Real {
    pub(crate) const fn new(name: &'static CStr) -> Real {
        Real { name, version: None, address: AtomicPtr::new(core::ptr::null_mut()) }
    }

    pub(crate) const fn versioned(name: &'static CStr, version: &'static CStr) -> Real {
        Real { name, version: Some(version), address: AtomicPtr::new(core::ptr::null_mut()) }
    }

    #[inline]
    pub(crate) fn address(&self) -> *mut c_void {
        let address = self.address.load(Ordering::Relaxed);
        if address.is_null() { self.look_up() } else { address }
    }

    #[cold]
    fn look_up(&self) -> *mut c_void {
        // SAFETY: the names end with a zero byte.
        let address = unsafe {
            let versioned =
                self.version.map(|version| libc::dlvsym(libc::RTLD_NEXT, self.name.as_ptr(), version.as_ptr()));
            match versioned {
                Some(address) if !address.is_null() => address,
                _ => libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()),
            }
        };
        if address.is_null() {
            crate::complain!("the C library has no {}", self.name.to_str().unwrap_or("?"));
            crate::sys::abort();
        }
        self.address.store(address, Ordering::Relaxed);
        address
    }
}

/// `real!(c"pthread_join", fn(pthread_t, *mut *mut c_void) -> c_int)`: that function, to be called.
macro_rules! real {
    ($name:literal, fn($($argument:ty),*) $(-> $result:ty)?) => {{
        static REAL: $crate::real::Real = $crate::real::Real::new($name);
        // SAFETY: the C library's function of this name has this type.
        unsafe {
            core::mem::transmute::<*mut core::ffi::c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(
                REAL.address(),
            )
        }
    }};
    ($name:literal @ $version:literal, fn($($argument:ty),*) $(-> $result:ty)?) => {{
        static REAL: $crate::real::Real = $crate::real::Real::versioned($name, $version);
        // SAFETY: the C library's function of this name has this type.
        unsafe {
            core::mem::transmute::<*mut core::ffi::c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(
                REAL.address(),
            )
        }
    }};
}

pub(crate) use real;
