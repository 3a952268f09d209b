//! title: Singleton with double-checked locking
//! source: H. Bahmann and T. Blechmann, Boost.Atomic usage examples, 2012; Margalit and Lahav, POPL 2021, section 7
//! expect: rc20=robust rc20-observational=robust
//! note: Boost reads the pointer with consume, here acquire. The mutex is a lock taken by a blocking CAS. The object
//! note: is written once, before the pointer is published, and is read by everyone who has the pointer.

atomic instance: bool;  // the pointer, null or not
atomic mutex: bool;
nonatomic object: bool;

fn get_instance() {
  pointer = instance.load(acq);
  if (!pointer) {
    mutex.bcas(0, 1, acq);
    pointer = instance.load(acq);
    if (!pointer) {
      object.store(1, na);
      instance.store(1, rel);
    }
    mutex.store(0, rel);
  }
}

thread user[4] {
  loop {
    get_instance();
    value = object.load(na);
    assert(value == 1);
  }
}
