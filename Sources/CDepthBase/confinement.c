#define _GNU_SOURCE  // syscall
#include "CDepthSandbox.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#else
#define SYS_rseq 293
#endif
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW 4u
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/// Loads the low half of an argument. Supported processors are little-endian.
#define LOAD_ARGUMENT(index) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (index))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
/// Skips `count` instructions unless the loaded number is `value`.
#define UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define ALLOW(call) UNLESS(SYS_##call, 1), RETURN(SECCOMP_RET_ALLOW)
#define REFUSAL(reason) RETURN(SECCOMP_RET_ERRNO | (reason))
/// Allows a call if the low half of an argument has this value, and rejects it otherwise.
#define ALLOW_WITH(call, index, value)                                                                   \
  UNLESS(SYS_##call, 4), LOAD_ARGUMENT(index), UNLESS((uint32_t)(value), 1), RETURN(SECCOMP_RET_ALLOW), \
      REFUSAL(EPERM)

bool cds_confine(void) {
  struct sock_filter filter[] = {
    LOAD(arch),
    // Rejects calls with another architecture's numbers.
    UNLESS(ARCHITECTURE, 1),
    BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
    REFUSAL(EPERM),
    LOAD(nr),
    // Memory.
    ALLOW(futex), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(brk),
    // Open descriptors.
    ALLOW(read), ALLOW(write), ALLOW(readv), ALLOW(writev), ALLOW(pread64), ALLOW(lseek), ALLOW(fstat), ALLOW(close),
    // Threads. The C library first tries clone3, whose arguments a filter cannot check, then clone.
    UNLESS(SYS_clone3, 1), REFUSAL(ENOSYS),
    UNLESS(SYS_clone, 4), LOAD_ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
    RETURN(SECCOMP_RET_ALLOW), REFUSAL(EPERM),
    ALLOW(exit), ALLOW(exit_group), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(gettid), ALLOW(getpid), ALLOW(sched_yield),
    ALLOW(sched_getaffinity), ALLOW(getcpu), ALLOW(membarrier), ALLOW_WITH(prctl, 0, PR_SET_NAME),
    // Signals to this process.
    ALLOW_WITH(tgkill, 0, getpid()), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
    ALLOW(restart_syscall),
    // Time and random numbers. Alarms and limits, which end this process, cannot be changed.
    ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
    ALLOW(getrandom), ALLOW(getrusage), ALLOW(sysinfo), ALLOW(uname),
    REFUSAL(EPERM),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  // Without this flag, older kernels would also slow down all memory accesses of the process.
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0 ||
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

#else

bool cds_confine(void) { return false; }

#endif
