//! The headers of ours that come before those of the system. Most are the C++ library's streams: ours print through
//! primitives, have no locales but the classic one, and keep no state that two threads that print would both write.

use std::path::PathBuf;

use fencepost_scratch::Directory;

/// Where these headers are, below a directory of any name. Their code counts as that of a library.
const PLACE: &str = "fencepost-headers";

const C: [(&str, &str); 2] =
    [("assert.h", include_str!("../../include/assert.h")), ("pthread.h", include_str!("../../include/pthread.h"))];

macro_rules! headers {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../../include/cxx/", $name)))),*] };
}

pub(super) const CXX: &[(&str, &str)] = headers![
    "__atomic/atomic_sync.h",
    "__locale",
    "__ostream/basic_ostream.h",
    "__string/extern_template_lists.h",
    "__thread/this_thread.h",
    "barrier",
    "bits/atomic_futex.h",
    "bits/atomic_wait.h",
    "bits/basic_ios.h",
    "bits/c++config.h",
    "bits/codecvt.h",
    "bits/ios_base.h",
    "bits/locale_classes.h",
    "bits/locale_facets.h",
    "bits/locale_facets_nonio.h",
    "bits/localefwd.h",
    "bits/ostream_insert.h",
    "bits/shared_ptr_atomic.h",
    "condition_variable",
    "fencepost/config.h",
    "fencepost/extract.h",
    "fencepost/fstream.h",
    "fencepost/insert.h",
    "fencepost/iomanip.h",
    "fencepost/ios.h",
    "fencepost/istream.h",
    "fencepost/locale.h",
    "fencepost/numbers.h",
    "fencepost/ostream.h",
    "fencepost/sstream.h",
    "fencepost/streambuf.h",
    "fencepost/syncstream.h",
    "fencepost/waits.h",
    "fstream",
    "iomanip",
    "ios",
    "iostream",
    "istream",
    "latch",
    "locale",
    "mutex",
    "ostream",
    "semaphore",
    "sstream",
    "streambuf",
    "string",
    "syncstream",
];

/// Writes the headers, and returns the directory to be searched first.
pub(super) fn write(directory: &Directory, is_cxx: bool) -> Result<PathBuf, String> {
    let cxx: &[_] = if is_cxx { CXX } else { &[] };
    for (name, text) in C.iter().chain(cxx) {
        directory.write(&format!("{PLACE}/{name}"), text)?;
    }
    Ok(directory.path().join(PLACE))
}

/// Whether a file is one of these headers.
pub(super) fn is_ours(name: &str) -> bool {
    name.split('/').any(|part| part == PLACE)
}
