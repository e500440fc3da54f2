#include "CDepthPartFiles.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 256, LONGEST_PATH = 4096 };
enum { FREE, CHANGING, USED };

static struct {
  atomic_int state;
  char path[LONGEST_PATH];
} slots[SLOTS];

static atomic_int finishes;    // whether the first SIGINT is only counted
static atomic_int interrupts;  // number of counted SIGINTs
static atomic_int renaming;    // number of threads that are renaming files
static atomic_int pending;     // a signal received during renaming

int cpf_remember(const char *path) {
  size_t length = strlen(path);
  if (length >= LONGEST_PATH) return -1;
  for (int slot = 0; slot < SLOTS; slot++) {
    int expected = FREE;
    if (atomic_compare_exchange_strong(&slots[slot].state, &expected, CHANGING)) {
      memcpy(slots[slot].path, path, length + 1);
      atomic_store(&slots[slot].state, USED);
      return slot;
    }
  }
  return -1;
}

void cpf_forget(int slot) {
  if (slot >= 0) atomic_store(&slots[slot].state, FREE);
}

static void end(int number) {
  for (int slot = 0; slot < SLOTS; slot++)
    if (atomic_load(&slots[slot].state) == USED) unlink(slots[slot].path);
  // The first process of a container has no default actions, so it exits with a shell's status for the
  // signal.
  if (getpid() == 1) _exit(128 + number);
  signal(number, SIG_DFL);
  raise(number);
}

static void handle(int number) {
  int saved = errno;
  if (number == SIGINT && atomic_load(&finishes) && atomic_fetch_add(&interrupts, 1) == 0) {
    errno = saved;
    return;
  }
  if (atomic_load(&renaming) > 0) {
    atomic_store(&pending, number);
    // Another thread may have renamed the last file in the meantime, and found no pending signal.
    if (atomic_load(&renaming) > 0 || (number = atomic_exchange(&pending, 0)) == 0) {
      errno = saved;
      return;
    }
  }
  end(number);
  // The default action takes effect when this handler returns, which unblocks the signal.
  errno = saved;
}

void cpf_remove_on_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  // While a handler runs, all of these signals are blocked.
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 3; i++) sigaddset(&action.sa_mask, numbers[i]);
  for (int i = 0; i < 3; i++)
    if (!cpf_is_ignored(numbers[i])) sigaction(numbers[i], &action, NULL);
}

int cpf_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void cpf_finish_on_interrupt(int on) { atomic_store(&finishes, on); }

int cpf_interrupts(void) { return atomic_load(&interrupts); }

void cpf_begin_renaming(void) { atomic_fetch_add(&renaming, 1); }

void cpf_end_renaming(void) {
  if (atomic_fetch_sub(&renaming, 1) > 1) return;
  int number = atomic_exchange(&pending, 0);
  if (number != 0) raise(number);
}
