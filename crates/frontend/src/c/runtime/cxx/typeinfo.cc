/* Which handler catches what (C++ [except.handle]), and dynamic_cast ([expr.dynamic.cast]). */
#include "typeinfo.h"

/* Bits of `__offset_flags`, whose rest is an offset, and of `__flags` of pointers. */
enum { VIRTUAL_BASE = 1, PUBLIC_BASE = 2, OFFSET_SHIFT = 8 };
enum { CONST_POINTEE = 1, QUALIFIERS = 1 | 2 | 4, NOEXCEPT_POINTEE = 0x40 };

namespace std {
type_info::~type_info() {}

static int order_of_names(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}
/* A name that starts with `*` is that of a type of one file. */
bool type_info::operator==(const type_info &other) const noexcept {
  return __type_name == other.__type_name ||
         (__type_name[0] != '*' && order_of_names(__type_name, other.__type_name) == 0);
}
bool type_info::before(const type_info &other) const noexcept {
  if (__type_name[0] == '*' && other.__type_name[0] == '*') return __type_name < other.__type_name;
  return order_of_names(__type_name, other.__type_name) < 0;
}
bool type_info::catches(const type_info *thrown, void **object) const { return *this == *thrown; }
bool type_info::catches_pointee(const type_info *thrown, void **object, bool constant) const { return *this == *thrown; }
} // namespace std

namespace __cxxabiv1 {
using std::type_info;

__class_type_info::~__class_type_info() {}
__si_class_type_info::~__si_class_type_info() {}
__vmi_class_type_info::~__vmi_class_type_info() {}
__fundamental_type_info::~__fundamental_type_info() {}
__array_type_info::~__array_type_info() {}
__function_type_info::~__function_type_info() {}
__enum_type_info::~__enum_type_info() {}
__pbase_type_info::~__pbase_type_info() {}
__pointer_type_info::~__pointer_type_info() {}
__pointer_to_member_type_info::~__pointer_to_member_type_info() {}

Part __class_type_info::base(unsigned number, const char *object) const { return {this, object, true}; }
Part __si_class_type_info::base(unsigned number, const char *object) const { return {__base_type, object, true}; }
Part __vmi_class_type_info::base(unsigned number, const char *object) const {
  long flags = __base_info[number].__offset_flags, offset = flags >> OFFSET_SHIFT;
  const char *base = object;
  if (object) base += flags & VIRTUAL_BASE ? *(const long *)(*(const char *const *)object + offset) : offset;
  return {__base_info[number].__base_type, base, (flags & PUBLIC_BASE) != 0};
}

/* The parts of an object that are wanted. */
struct Found {
  const __class_type_info *type;
  /* Only the part that is there, or only those that have such a part, unless null. */
  const char *at;
  const Part *with;
  /* How many there are, the last of them, and whether a path of public bases leads to it. */
  int count;
  const char *last;
  bool is_public;
};

static void look(const Part &part, Found &found) {
  if (*part.type == *found.type) {
    if (found.at && found.at != part.at) return;
    if (found.with) {
      Found inner = {found.with->type, found.with->at, nullptr, 0, nullptr, false};
      look({part.type, part.at, true}, inner);
      if (inner.count == 0) return;
    }
    /* A virtual base is met on several ways. */
    bool again = found.count > 0 && found.last == part.at;
    found.is_public = part.is_public || (again && found.is_public);
    found.count += !again;
    found.last = part.at;
    return;
  }
  for (unsigned i = 0; i < part.type->bases(); i++) {
    Part base = part.type->base(i, part.at);
    base.is_public &= part.is_public;
    look(base, found);
  }
}

bool __class_type_info::catches(const type_info *thrown, void **object) const {
  const __class_type_info *from = thrown->as_class();
  if (!from) return false;
  Found found = {this, nullptr, nullptr, 0, nullptr, false};
  look({from, (const char *)*object, true}, found);
  if (found.count != 1 || !found.is_public) return false;
  *object = (void *)found.last;
  return true;
}
/* Only the outermost pointer is converted to one to a base. */
bool __class_type_info::catches_pointee(const type_info *thrown, void **object, bool constant) const {
  if (object) return catches(thrown, object);
  return *this == *thrown;
}

const __pbase_type_info *__pointer_type_info::same_kind(const type_info *other) const {
  return other->is_pointer() ? (const __pointer_type_info *)other : nullptr;
}
const __pbase_type_info *__pointer_to_member_type_info::same_kind(const type_info *other) const {
  const __pointer_to_member_type_info *member = dynamic_cast<const __pointer_to_member_type_info *>(other);
  return member && *member->__context == *__context ? member : nullptr;
}
static bool is_null_pointer(const type_info *type) { return *type == typeid(decltype(nullptr)); }

bool __pbase_type_info::catches(const type_info *thrown, void **object) const {
  if (*this == *thrown) return true;
  if (is_null_pointer(thrown)) {
    /* A null pointer to a data member is -1, which nothing here can hand over. */
    if (!is_pointer()) __fencepost_refuse("a handler for pointers to members that gets a null pointer");
    *object = nullptr;
    return true;
  }
  const __pbase_type_info *from = same_kind(thrown);
  return from && takes(from, is_pointer() ? object : nullptr, true);
}
bool __pbase_type_info::catches_pointee(const type_info *thrown, void **object, bool constant) const {
  if (*this == *thrown) return true;
  const __pbase_type_info *from = same_kind(thrown);
  /* To add qualifiers within, those around must be constant. */
  return constant && from && takes(from, nullptr, constant);
}
bool __pbase_type_info::takes(const __pbase_type_info *thrown, void **object, bool constant) const {
  /* Qualifiers may be added, and `noexcept` may be lost. */
  if (thrown->__flags & ~__flags & QUALIFIERS || __flags & ~thrown->__flags & NOEXCEPT_POINTEE) return false;
  if (object && *__pointee == typeid(void)) return !thrown->__pointee->is_function();
  return __pointee->catches_pointee(thrown->__pointee, object, constant && __flags & CONST_POINTEE);
}

/* What libstdc++'s futures catch: a thread that is cancelled, and exceptions of other languages. Neither comes here. */
class __forced_unwind {
  virtual ~__forced_unwind() noexcept;
  virtual void unused() = 0;
};
__forced_unwind::~__forced_unwind() noexcept {}
class __foreign_exception {
  virtual ~__foreign_exception() noexcept;
  virtual void unused() = 0;
};
__foreign_exception::~__foreign_exception() noexcept {}

/* What comes before the functions of a table. */
struct Table {
  long offset_to_top;
  const __class_type_info *type;
};

extern "C" void *__dynamic_cast(const void *object, const __class_type_info *from, const __class_type_info *to, long hint) {
  const Table *table = *(const Table *const *)object - 1;
  const Part whole = {table->type, (const char *)object + table->offset_to_top, true}, part = {from, (const char *)object, true};
  /* Down, to the only part of the class that has this one as a public base. */
  Found down = {to, nullptr, &part, 0, nullptr, false};
  look(whole, down);
  if (down.count == 1) {
    Found self = {from, part.at, nullptr, 0, nullptr, false};
    look({to, down.last, true}, self);
    if (self.is_public) return (void *)down.last;
  }
  /* Across, from one public base of the whole object to another. */
  Found self = {from, part.at, nullptr, 0, nullptr, false}, across = {to, nullptr, nullptr, 0, nullptr, false};
  look(whole, self);
  look(whole, across);
  return self.is_public && across.count == 1 && across.is_public ? (void *)across.last : nullptr;
}
} // namespace __cxxabiv1
