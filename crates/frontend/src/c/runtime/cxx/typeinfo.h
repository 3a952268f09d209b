#pragma once
/* Type information as compilers lay it out (Itanium C++ ABI 2.9.5). What the virtual functions are is the library's own affair. */
namespace __cxxabiv1 {
class __class_type_info;
}

namespace std {
class type_info {
public:
  virtual ~type_info();
  bool operator==(const type_info &other) const noexcept;
  bool before(const type_info &other) const noexcept;
  /* Whether a handler of this type catches an exception of another. `object` is what was thrown, or the pointer that was, and
   * becomes what the handler gets. */
  virtual bool catches(const type_info *thrown, void **object) const;
  /* The same for what pointers point to; the pointers around this one, but the outermost, are all constant, or not. */
  virtual bool catches_pointee(const type_info *thrown, void **object, bool constant) const;
  virtual const __cxxabiv1::__class_type_info *as_class() const { return nullptr; }
  virtual bool is_pointer() const { return false; }
  virtual bool is_function() const { return false; }

protected:
  const char *__type_name;
};
} // namespace std

namespace __cxxabiv1 {
/* A part of an object: of which class, where, and whether its base is public. */
struct Part {
  const __class_type_info *type;
  const char *at;
  bool is_public;
};

class __class_type_info : public std::type_info {
public:
  ~__class_type_info() override;
  bool catches(const type_info *thrown, void **object) const override;
  bool catches_pointee(const type_info *thrown, void **object, bool constant) const override;
  const __class_type_info *as_class() const override { return this; }
  /* The direct bases of an object; of a null pointer, as if all were at its start. */
  virtual unsigned bases() const { return 0; }
  virtual Part base(unsigned number, const char *object) const;
};

class __si_class_type_info : public __class_type_info {
public:
  ~__si_class_type_info() override;
  unsigned bases() const override { return 1; }
  Part base(unsigned number, const char *object) const override;
  const __class_type_info *__base_type;
};

struct __base_class_type_info {
  const __class_type_info *__base_type;
  long __offset_flags;
};

class __vmi_class_type_info : public __class_type_info {
public:
  ~__vmi_class_type_info() override;
  unsigned bases() const override { return __base_count; }
  Part base(unsigned number, const char *object) const override;
  unsigned __flags;
  unsigned __base_count;
  __base_class_type_info __base_info[1];
};

class __fundamental_type_info : public std::type_info {
public:
  ~__fundamental_type_info() override;
};
class __array_type_info : public std::type_info {
public:
  ~__array_type_info() override;
};
class __function_type_info : public std::type_info {
public:
  ~__function_type_info() override;
  bool is_function() const override { return true; }
};
class __enum_type_info : public std::type_info {
public:
  ~__enum_type_info() override;
};

class __pbase_type_info : public std::type_info {
public:
  ~__pbase_type_info() override;
  bool catches(const type_info *thrown, void **object) const override;
  bool catches_pointee(const type_info *thrown, void **object, bool constant) const override;
  /* Whether the other is a pointer of the same kind. */
  virtual const __pbase_type_info *same_kind(const type_info *other) const = 0;
  unsigned __flags;
  const std::type_info *__pointee;

private:
  bool takes(const __pbase_type_info *thrown, void **object, bool constant) const;
};

class __pointer_type_info : public __pbase_type_info {
public:
  ~__pointer_type_info() override;
  bool is_pointer() const override { return true; }
  const __pbase_type_info *same_kind(const type_info *other) const override;
};

class __pointer_to_member_type_info : public __pbase_type_info {
public:
  ~__pointer_to_member_type_info() override;
  const __pbase_type_info *same_kind(const type_info *other) const override;
  const __class_type_info *__context;
};
} // namespace __cxxabiv1
