/* The number of the last error, of each thread for itself, and its text. */

static __thread int errno;

/* Calls of this are the address itself, so that a number of which no other thread knows the address is private. */
int *__errno_location(void) { return &errno; }
/* Stands in for __fencepost_set_errno in programs that look at the number. */
void __fencepost_store_errno(int number) { errno = number; }

static const char *error_text(int number) {
  switch (number) {
  case 0: return "Success";
  case 1: return "Operation not permitted";
  case 2: return "No such file or directory";
  case 3: return "No such process";
  case 4: return "Interrupted system call";
  case 5: return "Input/output error";
  case 9: return "Bad file descriptor";
  case 10: return "No child processes";
  case 11: return "Resource temporarily unavailable";
  case 12: return "Cannot allocate memory";
  case 13: return "Permission denied";
  case 14: return "Bad address";
  case 16: return "Device or resource busy";
  case 17: return "File exists";
  case 22: return "Invalid argument";
  case 24: return "Too many open files";
  case 28: return "No space left on device";
  case 32: return "Broken pipe";
  case 33: return "Numerical argument out of domain";
  case 34: return "Numerical result out of range";
  case 35: return "Resource deadlock avoided";
  case 38: return "Function not implemented";
  case 75: return "Value too large for defined data type";
  case 95: return "Operation not supported";
  case 110: return "Connection timed out";
  case 125: return "Operation canceled";
  case 130: return "Owner died";
  case 131: return "State not recoverable";
  }
  __fencepost_refuse("the text of a rare error number");
  return NULL;
}

char *strerror(int number) { return (char *)error_text(number); }
char *strerror_l(int number, void *locale) { return (char *)error_text(number); }
/* The one of POSIX. */
int __xpg_strerror_r(int number, char *to, size_type size) {
  const char *text = error_text(number);
  size_type at = 0;
  for (; at + 1 < size && text[at]; at++) to[at] = text[at];
  if (size > 0) to[at] = 0;
  return text[at] ? ERANGE_ : 0;
}
/* The one of GNU. It need not use the memory that it is given. */
char *strerror_r(int number, char *to, size_type size) { return (char *)error_text(number); }

void perror(const char *text) {
  if (text) __fencepost_read_string(text, -1);
  if (text && *text)
    __fencepost_show("%s: %s\n", text, error_text(errno));
  else
    __fencepost_show("%s\n", error_text(errno));
}
