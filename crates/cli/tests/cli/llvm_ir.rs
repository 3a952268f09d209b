//! LLVM IR as it comes from other compilers.

use super::support::Sandbox;

/// Before LLVM 15 a thread-local variable is named directly, also in constants.
fn thread_local(written: u32) -> String {
    let second = "getelementptr inbounds (%node, ptr @own, i64 0, i32 1)";
    format!(
        "%node = type {{ i32, i32 }}
@own = internal thread_local global %node zeroinitializer, align 4
@told = global i64 0, align 8
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort()
define ptr @work(ptr %unused) {{
  store i32 {written}, ptr {second}, align 4
  store atomic i64 ptrtoint (ptr {second} to i64), ptr @told release, align 8
  br label %wait
wait:
  %again = load atomic i64, ptr @told acquire, align 8
  %taken = icmp eq i64 %again, 0
  br i1 %taken, label %end, label %wait
end:
  ret ptr null
}}
define i32 @main() {{
  %thread = alloca i64, align 8
  %1 = call i32 @pthread_create(ptr %thread, ptr null, ptr @work, ptr null)
  br label %wait
wait:
  %address = load atomic i64, ptr @told acquire, align 8
  %set = icmp ne i64 %address, 0
  br i1 %set, label %seen, label %wait
seen:
  %other = inttoptr i64 %address to ptr
  %theirs = load i32, ptr %other, align 4
  %mine = load i32, ptr {second}, align 4
  %sum = add i32 %theirs, %mine
  %right = icmp eq i32 %sum, 7
  br i1 %right, label %good, label %bad
bad:
  call void @abort()
  unreachable
good:
  store atomic i64 0, ptr @told release, align 8
  %id = load i64, ptr %thread, align 8
  %2 = call i32 @pthread_join(i64 %id, ptr null)
  ret i32 0
}}
"
    )
}

#[test]
fn a_thread_local_may_be_named_in_a_constant() {
    let sandbox = Sandbox::new("thread_local_constant", &[("a.ll", &thread_local(7)), ("b.ll", &thread_local(6))]);
    for command in ["check", "explore"] {
        let ran = sandbox.run(&[command, "a.ll"]);
        assert_eq!(ran.status, Some(0), "{command}: {}{}", ran.stdout, ran.stderr);
        let ran = sandbox.run(&[command, "b.ll"]);
        assert!(ran.stdout.contains("main aborts"), "{command}: {}{}", ran.stdout, ran.stderr);
    }
}
