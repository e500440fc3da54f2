// Runs the kernels whose templates have code for arm64, and others of the network, on random calls of odd sizes, each against the set of
// plain C, and prints a digest of its results. Arguments: calls of each kernel.
#include "check.h"

const ck_kernels *tested, *plain;

static struct {
  const char *kernel;
  agreement agreement;
  uint64_t digest;
  size_t calls, wrong;
} results[96];
static size_t result_count;

static void record(const char *kernel, agreement agreement, bool is_right, const void *found, size_t bytes) {
  size_t i = 0;
  while (i < result_count && strcmp(results[i].kernel, kernel)) i++;
  if (i == result_count) {
    if (i == sizeof results / sizeof *results) abort();
    results[i].kernel = kernel;
    results[i].agreement = agreement;
    results[i].digest = 0xcbf29ce484222325u;
    result_count++;
  }
  for (size_t k = 0; k < bytes; k++)
    results[i].digest = (results[i].digest ^ ((const uint8_t *)found)[k]) * 0x100000001b3u;
  results[i].calls++;
  results[i].wrong += !is_right;
}

void expect_bytes(const char *kernel, const void *found, const void *expected, size_t bytes) {
  record(kernel, exact, memcmp(found, expected, bytes) == 0, found, bytes);
}

void expect_floats(const char *kernel, agreement agreement, const float *found, const float *expected, size_t count,
                   double tolerance) {
  bool is_right = true;
#if defined(__aarch64__)
  // The plain set has fused multiply-add too.
  const bool is_equal = agreement != sums;
#else
  const bool is_equal = agreement == exact;
#endif
  for (size_t i = 0; i < count; i++)
    is_right &= is_equal ? memcmp(found + i, expected + i, sizeof *found) == 0
                         : fabs((double)found[i] - (double)expected[i]) <= tolerance * (1 + fabs((double)expected[i]));
  record(kernel, agreement, is_right, found, count * sizeof *found);
}

static guarded held[256];
static size_t held_count;

void *bytes_of(size_t count) {
  if (held_count == sizeof held / sizeof *held) abort();
  held[held_count] = guarded_bytes(count ? count : 1);
  return held[held_count++].bytes;
}

uint8_t *random_bytes(size_t count) {
  uint8_t *p = bytes_of(count);
  // Runs of equal bytes too, as pictures have.
  for (size_t i = 0; i < count; i++) p[i] = i && below(3) == 0 ? p[i - 1] : (uint8_t)below(256);
  return p;
}

float *random_floats(size_t count, float low, float high) {
  float *p = bytes_of(count * sizeof *p);
  for (size_t i = 0; i < count; i++) p[i] = random_float(low, high);
  return p;
}

void *copy_of(const void *source, size_t bytes) { return memcpy(bytes_of(bytes), source, bytes); }

void release_all(void) {
  while (held_count) release(held[--held_count]);
}

int main(int count, char **arguments) {
  const size_t calls = count > 1 ? (size_t)atol(arguments[1]) : 20;
  static void (*const checks[])(size_t) = {check_network, check_tokens, check_upsampling, check_int8,
                                           check_digest};
  plain = tested = ck_kernels_for(ck_baseline);
  const char *name = "baseline";
  if (ck_is_supported(ck_neon)) tested = ck_kernels_for(ck_neon), name = "neon";
  if (ck_is_supported(ck_avx2)) tested = ck_kernels_for(ck_avx2), name = "avx2";
  for (size_t c = 0; c < sizeof checks / sizeof *checks; c++)
    for (size_t i = 0; i < calls; i++) checks[c](i), release_all();
  size_t wrong = 0;
  static const char *const words[] = {"exact", "fused", "sums"};
  for (size_t i = 0; i < result_count; i++) {
    printf("%s %s %016llx %zu calls%s\n", words[results[i].agreement], results[i].kernel,
           (unsigned long long)results[i].digest, results[i].calls, results[i].wrong ? " DIFFERS" : "");
    wrong += results[i].wrong;
  }
  printf("set %s: %zu kernels, %zu calls differ from plain C\n", name, result_count, wrong);
  return wrong != 0;
}
