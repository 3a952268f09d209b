/* Streams that are printed to. What prints is in output.rs; nothing is read, and no file is opened. */

static int is_printed_to(const void *stream) { return stream == stdout || stream == stderr; }
int fileno(void *stream) {
  if (stream == stdin) return 0;
  if (!is_printed_to(stream)) __fencepost_refuse("a stream that is not `stdin`, `stdout` or `stderr`");
  return stream == stdout ? 1 : 2;
}
int setvbuf(void *stream, char *buffer, int mode, size_type size) { return 0; }
void setbuf(void *stream, char *buffer) {}
void setbuffer(void *stream, char *buffer, size_type size) {}
void setlinebuf(void *stream) {}
/* What one call prints stays together anyway. A thread that holds a stream keeps others from printing, and nothing else. */
void flockfile(void *stream) {}
void funlockfile(void *stream) {}
int ftrylockfile(void *stream) { return 0; }
int ferror(void *stream) { return 0; }
void clearerr(void *stream) {}
int fclose(void *stream) { return 0; }
void sync(void) {}
int fsync(int file) { return 0; }

/* What is printed must have been written. */
void __fencepost_read_bytes(const char *from, size_type size) {
  for (size_type i = 0; i < size; i++) __fencepost_print(from[i]);
}
/* To a file by its number. */
void __fencepost_must_be_printed_to(int file) {
  if (file != 1 && file != 2) __fencepost_refuse("output to a file, a pipe or a socket (standard output is 1, and errors are 2)");
}
