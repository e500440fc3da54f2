#include "arm_features.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

// Bits of AT_HWCAP and AT_HWCAP2 that older headers lack, from asm/hwcap.h of Linux.
enum { hwcap_sha2 = 6, hwcap_asimddp = 20, hwcap2_i8mm = 13 };

unsigned ck_arm_features(void) {
  const unsigned long first = getauxval(AT_HWCAP), second = getauxval(AT_HWCAP2);
  return (first >> hwcap_asimddp & 1 ? ck_arm_dotprod : 0) |
         (second >> hwcap2_i8mm & 1 ? ck_arm_i8mm : 0) |
         (first >> hwcap_sha2 & 1 ? ck_arm_sha256 : 0);
}
#elif defined(__aarch64__) && defined(__APPLE__)
#include <stddef.h>
#include <sys/sysctl.h>

/// The feature's bit if the system reports it; 0 for unknown names.
static unsigned has(const char *name, unsigned feature) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value == 1 ? feature : 0;
}

unsigned ck_arm_features(void) {
  return has("hw.optional.arm.FEAT_DotProd", ck_arm_dotprod) |
         has("hw.optional.arm.FEAT_I8MM", ck_arm_i8mm) |
         has("hw.optional.arm.FEAT_SHA256", ck_arm_sha256);
}
#else
unsigned ck_arm_features(void) { return 0; }
#endif
