// Dispatch for machines that are not there: the features that were found, less those that the variable MISSING_FEATURES names.
// Scripts/checks/check-arm64.sh compiles arm_features.c under another name.
#include "../../../Sources/CDepthSIMD/arm_features.h"

#include <stdlib.h>
#include <string.h>

unsigned ck_found_arm_features(void);

unsigned ck_arm_features(void) {
  const char *missing = getenv("MISSING_FEATURES");
  unsigned features = ck_found_arm_features();
  if (!missing) return features;
  if (strstr(missing, "dotprod")) features &= ~(unsigned)ck_arm_dotprod;
  if (strstr(missing, "i8mm")) features &= ~(unsigned)ck_arm_i8mm;
  if (strstr(missing, "sha256")) features &= ~(unsigned)ck_arm_sha256;
  return features;
}
