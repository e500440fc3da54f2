#define _GNU_SOURCE  // pipe2, accept4
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CDepthThreads.h"

#if !defined(__linux__)
static void close_on_exec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }
#endif

int ck_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC);
#else
  if (pipe(ends) != 0) return -1;
  close_on_exec(ends[0]);
  close_on_exec(ends[1]);
  return 0;
#endif
}

int ck_accept(int descriptor) {
#if defined(__linux__)
  return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC);
#else
  const int client = accept(descriptor, NULL, NULL);
  if (client >= 0) close_on_exec(client);
  return client;
#endif
}
