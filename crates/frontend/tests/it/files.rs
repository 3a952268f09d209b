//! The name of a file says what it is read as.

use fencepost_frontend::read;

#[test]
fn files_are_read_by_their_extension() {
    let folder = std::env::temp_dir().join(format!("fencepost-frontend-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("written");
        read(&path).map(|_| ()).map_err(|error| error.diagnostics[0].message.clone())
    };
    assert_eq!(message("a.fp", b"thread t { }"), Ok(()));
    assert_eq!(message("a.litmus", b"C t\n{}\nP0 () { }"), Ok(()));
    let endings = "`.fp`, `.litmus`, `.c`, `.i`, `.cc`, `.cpp`, `.cxx`, `.C`, `.ii`, `.ll` or `.bc`";
    let unknown = format!("no reader for `.txt` files: expected a name that ends in {endings}");
    assert_eq!(message("a.txt", b""), Err(unknown));
    assert_eq!(message("a", b""), Err(format!("the name of the file should end in {endings}")));
    assert_eq!(message("b.fp", b"thread t { } \xff"), Err("the file is not UTF-8".to_owned()));
    let too_large = "the file is too large: at most 1048576 bytes are read";
    assert_eq!(message("c.fp", &vec![b' '; 2_000_000]), Err(too_large.to_owned()));
    assert!(read(folder.join("none.fp")).map(|_| ()).is_err_and(|error| error.to_string().contains("cannot read")));
    std::fs::remove_dir_all(&folder).expect("removed");
}
