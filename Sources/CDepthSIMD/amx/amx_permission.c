#include "amx_permission.h"
#include "../cpuid.h"

#if defined(__x86_64__) && defined(__linux__)
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  /// arch/x86/include/uapi/asm/prctl.h of Linux 5.16; state components of XSAVE.
  arch_get_xcomp_perm = 0x1022,
  arch_req_xcomp_perm = 0x1023,
  xfeature_tile_config = 17,
  xfeature_tile_data = 18,
};

/// Returns whether CPUID reports AMX-TILE and the system saves the tile state (XCR0).
static bool processor_has_tiles(void) {
  const bool has_xgetbv = ck_cpuid(1, 0).c >> 27 & 1;
  if (!has_xgetbv || !(ck_cpuid(7, 0).d >> 24 & 1)) return false;
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low >> xfeature_tile_config & 1) && (low >> xfeature_tile_data & 1);
}

/// Requests the permission for tiles, which current and future threads and forked processes share. Systems before 5.16, some
/// sandboxes, and alternate signal stacks without room for tiles refuse the permission. After a refusal, this process has no
/// AMX.
static bool system_permits_tiles(void) {
  if (syscall(SYS_arch_prctl, arch_req_xcomp_perm, xfeature_tile_data) != 0) return false;
  unsigned long permitted = 0;
  if (syscall(SYS_arch_prctl, arch_get_xcomp_perm, &permitted) != 0) return false;
  return permitted >> xfeature_tile_data & 1;
}

static bool has_tiles(void) {
  // Concurrent first calls get the same answer.
  static _Atomic int known = -1;
  int answer = atomic_load(&known);
  if (answer < 0) {
    answer = processor_has_tiles() && system_permits_tiles();
    atomic_store(&known, answer);
  }
  return answer;
}

// The permission is requested only if the processor has the products.
bool ck_has_amx_int8(void) {
  return ck_cpuid(7, 0).d >> 25 & 1 && has_tiles();
}
#else
bool ck_has_amx_int8(void) { return false; }
#endif
