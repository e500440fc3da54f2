// Reads a file in a child process, so that a hostile file can crash or hang only the child.
//
// Between fork and _exit the child runs only OpenEXR and the C library: the parent's other threads do
// not exist there and may have held locks of any other runtime.
#ifndef CEXR_ISOLATION_H
#define CEXR_ISOLATION_H
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "read.h"

typedef enum {
  CEXR_FINISHED,
  CEXR_CRASHED,
  CEXR_TIMED_OUT,
  CEXR_NO_PROCESS,
} cexr_outcome;

/// Memory that parent and child share: how reading ended, and the values.
typedef struct {
  int32_t is_done;
  exr_result_t result;
  float values[];
} cexr_arena;

static inline uint64_t cexr_arena_size(uint64_t values) { return sizeof(cexr_arena) + values * sizeof(float); }

/// NULL where there is no memory. Pages that are never written take none; values begin as zeros.
static inline cexr_arena *cexr_make_arena(uint64_t values) {
  void *memory =
      mmap(NULL, cexr_arena_size(values), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : (cexr_arena *)memory;
}

static inline void cexr_free_arena(cexr_arena *arena, uint64_t values) { munmap(arena, cexr_arena_size(values)); }

static inline const float *cexr_values(const cexr_arena *arena) { return arena->values; }

/// Limits time and memory, resets the parent's signal handlers, and redirects the standard streams
/// to /dev/null.
static inline void cexr_become_child(uint64_t bytes, unsigned seconds) {
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
  const struct rlimit none = {0, 0}, processor = {seconds, seconds + 1};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &processor);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  // `bytes` more than the parent has mapped.
  char text[32] = "";
  const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm >= 0 && read(statm, text, sizeof text - 1) > 0) {
    unsigned long long pages = 0;
    for (const char *c = text; *c >= '0' && *c <= '9'; c++) pages = 10 * pages + (unsigned)(*c - '0');
    struct rlimit space;
    const rlim_t wanted = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + bytes);
    if (pages && getrlimit(RLIMIT_AS, &space) == 0 && (space.rlim_cur == RLIM_INFINITY || space.rlim_cur > wanted)) {
      space.rlim_cur = wanted;
      setrlimit(RLIMIT_AS, &space);
    }
  }
  if (statm >= 0) close(statm);
#endif
  const int nothing = open("/dev/null", O_RDWR);
  for (int stream = 0; stream < 3; stream++) {
    if (nothing >= 0) dup2(nothing, stream);
    else close(stream);
  }
  if (nothing > 2) close(nothing);
  sigset_t nobody;
  sigemptyset(&nobody);
  sigprocmask(SIG_SETMASK, &nobody, NULL);
}

/// Waits until the child has closed its end of the pipe; returns false after so many seconds.
static inline bool cexr_waits(int end, unsigned seconds) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long long deadline = (now.tv_sec + (long long)seconds) * 1000 + now.tv_nsec / 1000000;
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long left = deadline - (now.tv_sec * 1000ll + now.tv_nsec / 1000000);
    struct pollfd wanted = {end, POLLIN, 0};
    const int ready = poll(&wanted, 1, left > 0 ? (int)left : 0);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

/// Runs `cexr_read` in a child process, with `bytes` of memory and so many seconds of processor time, and ten times
/// as many of wall-clock time, for a processor that many others use. The parent's signal handlers and mask are
/// preserved.
static inline cexr_outcome cexr_read_apart(const cexr_request *request, cexr_arena *arena, uint64_t bytes,
                                           unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0) return CEXR_NO_PROCESS;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of the parent runs in the child
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    cexr_become_child(bytes, seconds);
    arena->result = cexr_read(request, arena->values);
    arena->is_done = 1;
    _exit(0);
  }
  const int reason = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    errno = reason;
    return CEXR_NO_PROCESS;
  }
  const bool has_ended = cexr_waits(ends[0], 10 * seconds);
  if (!has_ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  close(ends[0]);
  // A signal handler of the host may have waited for the child, so its status is not reliable; the
  // arena is.
  if (arena->is_done) return CEXR_FINISHED;
  return has_ended && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) ? CEXR_CRASHED : CEXR_TIMED_OUT;
}
#endif
