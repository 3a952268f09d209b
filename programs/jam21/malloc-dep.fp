//! title: Two threads that allocate and count
//! source: GenMC test suite, litmus/malloc-dep
//! expect-executions: rc11=2+0 jam21=2+0
//! note: The original allocates two objects in each thread and stores one pointer into one of them. Those are private
//! note: to the thread, so only the increment of the shared counter is left here.

atomic count;

thread t1 {
  count.fetch_add(1, rlx);
}

thread t2 {
  count.fetch_add(1, rlx);
}
