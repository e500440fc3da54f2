// SHA-256 by the processor's instructions, where it has them.
#include "check.h"

void check_digest(size_t number) {
  const size_t blocks = number % 5;
  const uint8_t *bytes = random_bytes(64 * blocks);
  uint32_t found[8], expected[8];
  for (int i = 0; i < 8; i++) found[i] = expected[i] = (uint32_t)below(1u << 31);
  ck_sha256_blocks(found, bytes, blocks, ck_has_sha256());
  ck_sha256_blocks(expected, bytes, blocks, false);
  expect_bytes("sha256", found, expected, sizeof found);
}
