// The entries of libFuzzer, which brings the main function. FUZZ_TARGET names the parser. With FUZZ_SEEDS, a folder, and
// FUZZ_WEIGHTS, a file, the program writes the parser's seeds and ends; with FUZZ_LIST it prints the parsers' names.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int32_t depth_fuzz_one(const char *name, const uint8_t *bytes, ptrdiff_t count);

int32_t depth_fuzz_seeds(const char *name, const char *folder, const char *weights);

void depth_fuzz_list(void);

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  if (*variable("FUZZ_LIST")) {
    depth_fuzz_list();
    exit(0);
  }
  const char *folder = variable("FUZZ_SEEDS");
  if (*folder) exit(depth_fuzz_seeds(variable("FUZZ_TARGET"), folder, variable("FUZZ_WEIGHTS")) == 0 ? 0 : 1);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  if (depth_fuzz_one(variable("FUZZ_TARGET"), bytes, (ptrdiff_t)count) != 0) {
    fprintf(stderr, "fuzz: FUZZ_TARGET is not one of FuzzTarget.swift\n");
    exit(64);
  }
  return 0;
}
