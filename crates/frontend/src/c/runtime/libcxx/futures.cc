/* What futures and promises share. */

namespace std {
inline namespace __1 {
void __assoc_sub_state::__on_zero_shared() noexcept { delete this; }
void __assoc_sub_state::__make_ready() {
  unique_lock<mutex> held(__mut_);
  __state_ |= ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_value() {
  unique_lock<mutex> held(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed | ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_value_at_thread_exit() {
  unique_lock<mutex> held(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __state_ |= __constructed;
  __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::set_exception(exception_ptr error) {
  unique_lock<mutex> held(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = error;
  __state_ |= ready;
  __cv_.notify_all();
}
void __assoc_sub_state::set_exception_at_thread_exit(exception_ptr error) {
  unique_lock<mutex> held(__mut_);
  if (__has_value()) __throw_future_error(future_errc::promise_already_satisfied);
  __exception_ = error;
  __thread_local_data()->__make_ready_at_thread_exit(this);
}
void __assoc_sub_state::__sub_wait(unique_lock<mutex> &held) {
  if (__is_ready()) return;
  if (__state_ & static_cast<unsigned>(deferred)) {
    __state_ &= ~static_cast<unsigned>(deferred);
    held.unlock();
    __execute();
    return;
  }
  while (!__is_ready()) __cv_.wait(held);
}
void __assoc_sub_state::wait() {
  unique_lock<mutex> held(__mut_);
  __sub_wait(held);
}
void __assoc_sub_state::copy() {
  unique_lock<mutex> held(__mut_);
  __sub_wait(held);
  if (__exception_ != nullptr) rethrow_exception(__exception_);
}
void __assoc_sub_state::__execute() { __throw_future_error(future_errc::no_state); }

future<void>::future(__assoc_sub_state *state) : __state_(state) { __state_->__attach_future(); }
future<void>::~future() {
  if (__state_) __state_->__release_shared();
}
void future<void>::get() {
  unique_ptr<__shared_count, __release_shared_count> released(__state_);
  __assoc_sub_state *state = __state_;
  __state_ = nullptr;
  state->copy();
}
shared_future<void>::~shared_future() {
  if (__state_) __state_->__release_shared();
}
shared_future<void> &shared_future<void>::operator=(const shared_future &other) {
  if (other.__state_) other.__state_->__add_shared();
  if (__state_) __state_->__release_shared();
  __state_ = other.__state_;
  return *this;
}

promise<void>::promise() : __state_(new __assoc_sub_state) {}
promise<void>::~promise() {
  if (!__state_) return;
  if (!__state_->__has_value() && __state_->use_count() > 1)
    __state_->set_exception(make_exception_ptr(future_error(future_errc::broken_promise)));
  __state_->__release_shared();
}
future<void> promise<void>::get_future() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  return future<void>(__state_);
}
void promise<void>::set_value() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_value();
}
void promise<void>::set_exception(exception_ptr error) {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_exception(error);
}
void promise<void>::set_value_at_thread_exit() {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_value_at_thread_exit();
}
void promise<void>::set_exception_at_thread_exit(exception_ptr error) {
  if (!__state_) __throw_future_error(future_errc::no_state);
  __state_->set_exception_at_thread_exit(error);
}
}
}
