#define _GNU_SOURCE  // syscall
#include "CDepthSandbox.h"

#include "CDepthThreads.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

void *cds_share(uint64_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void cds_unshare(void *memory, uint64_t bytes) { munmap(memory, bytes); }

/// Closes all descriptors except the standard streams and `kept`.
static void close_others(int kept) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)kept + 1, ~0u, 0) == 0 &&
      (kept <= 3 || syscall(SYS_close_range, 3u, (unsigned)kept - 1, 0) == 0)) return;
#endif
  // This is the fallback before Linux 5.9.
  const long most = sysconf(_SC_OPEN_MAX);
  for (int descriptor = 3; descriptor < (most > 0 && most < 65536 ? (int)most : 65536); descriptor++)
    if (descriptor != kept) close(descriptor);
}

/// Limits time and memory, resets the parent's signal handlers except ignored signals, and redirects the standard streams to
/// /dev/null.
static void become_child(cds_limits limits, int pipe_end, pid_t parent) {
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++) {
    struct sigaction before;
    const bool is_ignored = sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
    // These two signals enforce the limits of this process.
    if (!is_ignored || number == SIGXCPU || number == SIGALRM) sigaction(number, &standard, NULL);
  }
  // A terminal or service manager signals all processes, but the parent must decide when the child ends.
  if (limits.is_alone) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
  }
  const struct rlimit none = {0, 0}, processor = {limits.processor_seconds, limits.processor_seconds + 1};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &processor);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent ended before the signal was requested
  prctl(PR_SET_DUMPABLE, 0);
  char text[32] = "";
  const int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (statm >= 0 && read(statm, text, sizeof text - 1) > 0) {
    unsigned long long pages = 0;
    for (const char *c = text; *c >= '0' && *c <= '9'; c++) pages = 10 * pages + (unsigned)(*c - '0');
    struct rlimit space;
    const rlim_t wanted = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + limits.bytes);
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
  if (limits.is_alone) close_others(pipe_end);
  alarm(limits.seconds + 1);
  sigset_t nobody;
  sigemptyset(&nobody);
  sigprocmask(SIG_SETMASK, &nobody, NULL);
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits until the other end of a pipe is written or closed. Returns false after the deadline.
static bool waits(int end, long long deadline) {
  for (;;) {
    const long long left = deadline - milliseconds();
    struct pollfd wanted = {end, POLLIN, 0};
    const int ready = poll(&wanted, 1, left > 0 ? (int)left : 0);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool cds_wait(cds_child child, int patience) {
  const long long soon = milliseconds() + patience;
  return waits(child.pipe_end, soon < child.deadline ? soon : child.deadline) || milliseconds() >= child.deadline;
}

bool cds_start(cds_limits limits, void (*work)(const void *context), const void *context,
               cds_child *started) {
  int ends[2];
  if (ck_pipe(ends) != 0) return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // no handler of the parent runs in the child
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(ends[0]);
    become_child(limits, ends[1], parent);
    work(context);
    // Closing this end is not sufficient, because a child forked concurrently by another thread may also have this end open.
    _exit(write(ends[1], "", 1) == 1 ? 0 : 1);
  }
  const int reason = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    errno = reason;
    return false;
  }
  *started = (cds_child){child, ends[0], milliseconds() + 1000ll * limits.seconds};
  return true;
}

void cds_kill(cds_child child) {
  kill(child.process, SIGKILL);
  while (waitpid(child.process, NULL, 0) < 0 && errno == EINTR) {}
  close(child.pipe_end);
}

cds_outcome cds_end(cds_child child, const volatile int32_t *is_done) {
  const bool has_ended = waits(child.pipe_end, child.deadline);
  // A child that has reported success is also killed, because a malicious file may have taken over the child. A child that has
  // ended is unaffected.
  kill(child.process, SIGKILL);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {}
  close(child.pipe_end);
  // The status is unreliable, because a signal handler of the host may have reaped the child. Shared memory is reliable.
  if (*is_done) return CDS_FINISHED;
  return has_ended && !(WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM))
             ? CDS_CRASHED : CDS_TIMED_OUT;
}
