#pragma once

// Reads a file in a child process, so that a hostile file can crash or hang only the child.
//
// Between fork and _exit the child runs only the library that reads and the C library: the parent's
// other threads do not exist there and may have held locks of any other runtime.

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum {
  CDS_FINISHED,
  CDS_CRASHED,
  CDS_TIMED_OUT,
  CDS_NO_PROCESS,
} cds_outcome;

/// Limits of a child.
typedef struct {
  /// Bytes of memory beyond what the parent has mapped.
  uint64_t bytes;
  /// Seconds of processor time and of the clock.
  unsigned processor_seconds, seconds;
  /// Whether all descriptors of the parent are closed, and no signal but SIGKILL from elsewhere ends the child.
  bool is_alone;
} cds_limits;

/// A child process, between `cds_start` and `cds_end`.
typedef struct {
  pid_t process;
  /// The end of a pipe whose other end the child holds open while it lives.
  int pipe_end;
  /// When the child is killed, in milliseconds of the monotonic clock.
  long long deadline;
} cds_child;

/// Zeros that parent and child share, or NULL. Pages that are never written take no memory.
void *cds_share(uint64_t bytes);
void cds_unshare(void *memory, uint64_t bytes);

/// Starts `work` in a child process with limits. The parent's signal handlers and mask are
/// preserved. Returns false if no process could be started; errno has the reason.
bool cds_start(cds_limits limits, void (*work)(const void *context), const void *context,
               cds_child *started);

/// Waits up to `milliseconds` until a child has finished, has ended, or its time is over. Returns false if it goes on.
bool cds_wait(cds_child child, int milliseconds);

/// Waits for a child; no zombie process is left. The child has set `is_done`, in shared memory, when it finished.
cds_outcome cds_end(cds_child child, const volatile int32_t *is_done);

/// Ends a child at once.
void cds_kill(cds_child child);

/// Confines the calling process, which must have one thread, from now on to computing in memory: it opens no file or socket, starts no
/// process and sends no signal to another one; such calls fail with EPERM. It may start threads, read and write what it has
/// open, and abort. Returns false where the system has no such filter (Linux 3.17 and later on x86-64 and arm64 have).
bool cds_confine(void);
