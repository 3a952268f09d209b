//! title: threads that talk through pipes and sockets, and strings that travel through them
//! expect: nothing
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../threads.h"

static int ends[2], pair[2], listener, copied;
static char text[64];
static int by_pipe, by_pair, by_socket;

static void *sender(void *unused) {
  strcpy(text, "a text");
  by_pipe = 1;
  write(ends[1], text, 4);
  by_pair = 2;
  struct iovec parts[2] = {{text, 1}, {text + 1, 3}};
  writev(pair[0], parts, 2);
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  getsockname(listener, (struct sockaddr *)&address, &size);
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr *)&address, size) != 0)
    abort();
  by_socket = 3;
  send(connection, text, strlen(text) + 1, 0);
  close(connection);
  return unused;
}

static void *receiver(void *unused) {
  char buffer[64];
  if (read(copied, buffer, 4) != 4 || by_pipe != 1)
    abort();
  if (recv(pair[1], buffer, 4, MSG_WAITALL) != 4 || by_pair != 2)
    abort();
  int connection = accept(listener, NULL, NULL);
  if (recvfrom(connection, buffer, 7, MSG_WAITALL, NULL, NULL) != 7 || by_socket != 3)
    abort();
  close(connection);
  char *copy = strdup(text);
  printf("%s %d %d\n", copy, strcmp(copy, buffer), memcmp(copy, text, 7));
  free(copy);
  return unused;
}

int main(void) {
  pipe(ends);
  copied = dup(ends[0]);
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  bind(listener, (struct sockaddr *)&address, sizeof address);
  listen(listener, 1);
  run2(receiver, sender);
  return 0;
}
