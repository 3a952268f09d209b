/* Statics of functions, which are initialised once (Itanium C++ ABI 3.3.3). Byte 0 of a guard says that the variable is
 * initialised, and word 1 is a lock. */

extern "C" int __cxa_guard_acquire(long *guard) {
  if (__atomic_load_n((char *)guard, __ATOMIC_ACQUIRE)) return 0;
  __fencepost_bcas((int *)guard + 1, 0, 1, 4, __ATOMIC_ACQUIRE);
  if (!__atomic_load_n((char *)guard, __ATOMIC_ACQUIRE)) return 1;
  __atomic_store_n((int *)guard + 1, 0, __ATOMIC_RELEASE);
  return 0;
}
extern "C" void __cxa_guard_release(long *guard) {
  __atomic_store_n((char *)guard, 1, __ATOMIC_RELEASE);
  __atomic_store_n((int *)guard + 1, 0, __ATOMIC_RELEASE);
}
/* The initialisation threw: the next thread tries again. */
extern "C" void __cxa_guard_abort(long *guard) { __atomic_store_n((int *)guard + 1, 0, __ATOMIC_RELEASE); }
