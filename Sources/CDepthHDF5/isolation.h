// Describes a file in a child process, so that a hostile file can crash or hang only the child.
//
// Between fork and _exit the child runs only HDF5 and the C library: the parent's other threads do
// not exist there and may have held locks of any other runtime.
#ifndef CHDF5_ISOLATION_H
#define CHDF5_ISOLATION_H
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "describe.h"

typedef enum {
  CH5_FINISHED,
  CH5_CRASHED,
  CH5_TIMED_OUT,
} ch5_outcome;

/// An arena that parent and child share, or NULL. Pages that are never written take no memory.
static inline ch5_arena *ch5_make_arena(uint64_t capacity) {
  void *memory = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  ch5_arena *arena = (ch5_arena *)memory;
  arena->capacity = capacity;
  arena->used = (sizeof *arena + 7) & ~(uint64_t)7;
  return arena;
}

static inline void ch5_free_arena(ch5_arena *arena, uint64_t capacity) { munmap(arena, capacity); }

/// Limits time and memory, resets the parent's signal handlers, and redirects the standard streams
/// to /dev/null.
static inline void ch5_become_child(unsigned processor_seconds, unsigned seconds) {
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
  const struct rlimit none = {0, 0}, processor = {processor_seconds, processor_seconds + 1};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &processor);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  // Half a gigabyte more than the parent has mapped.
  char text[32] = "";
  const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm >= 0 && read(statm, text, sizeof text - 1) > 0) {
    unsigned long long pages = 0;
    for (const char *c = text; *c >= '0' && *c <= '9'; c++) pages = 10 * pages + (unsigned)(*c - '0');
    struct rlimit space;
    const rlim_t wanted = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + (512ull << 20));
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
  alarm(seconds + 1);
  sigset_t nobody;
  sigemptyset(&nobody);
  sigprocmask(SIG_SETMASK, &nobody, NULL);
}

static inline long long ch5_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits until the other end of a pipe is written or closed; returns false after the deadline.
static inline bool ch5_waits(int end, long long deadline) {
  for (;;) {
    const long long left = deadline - ch5_milliseconds();
    struct pollfd wanted = {end, POLLIN, 0};
    const int ready = poll(&wanted, 1, left > 0 ? (int)left : 0);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

/// A child process that describes a file, between `ch5_start_child` and `ch5_end_child`.
typedef struct {
  pid_t process;
  /// The end of a pipe whose other end the child holds open while it lives.
  int pipe_end;
  /// When the child is killed, in milliseconds of the monotonic clock.
  long long deadline;
} ch5_child;

/// Starts `ch5_describe` in a child process with limits of processor time and wall-clock time in seconds. The parent's
/// signal handlers and mask are preserved. Returns false if no process could be started; errno has the reason.
static inline bool ch5_start_child(const char *path, const char *request, ch5_arena *arena,
                                   unsigned processor_seconds, unsigned seconds, ch5_child *started) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of the parent runs in the child
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    ch5_become_child(processor_seconds, seconds);
    ch5_describe(path, request, arena);
    _exit(0);
  }
  const int reason = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    errno = reason;
    return false;
  }
  *started = (ch5_child){child, ends[0], ch5_milliseconds() + 1000ll * seconds};
  return true;
}

/// Waits for a child, or kills it at once if it `is_abandoned`; no zombie process is left.
static inline ch5_outcome ch5_end_child(ch5_child child, bool is_abandoned, const ch5_arena *arena) {
  const bool has_ended = !is_abandoned && ch5_waits(child.pipe_end, child.deadline);
  if (!has_ended) kill(child.process, SIGKILL);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {}
  close(child.pipe_end);
  // A signal handler of the host may have waited for the child, so its status is not reliable; the
  // arena is.
  if (arena->is_done) return CH5_FINISHED;
  return has_ended && !(WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
             ? CH5_CRASHED : CH5_TIMED_OUT;
}
#endif
