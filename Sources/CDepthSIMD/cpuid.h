// CPUID, for features that the compiler's own test does not support everywhere.
#pragma once

#if defined(__x86_64__)
typedef struct {
  unsigned a, b, c, d;
} ck_registers;

/// The registers of a leaf; zeros if the processor lacks it.
static inline ck_registers ck_cpuid(unsigned leaf, unsigned subleaf) {
  ck_registers r = {.a = 0};
  __asm__ volatile("cpuid" : "+a"(r.a), "=b"(r.b), "+c"(r.c), "=d"(r.d));
  if (r.a < leaf) return (ck_registers){0};
  r = (ck_registers){.a = leaf, .c = subleaf};
  __asm__ volatile("cpuid" : "+a"(r.a), "=b"(r.b), "+c"(r.c), "=d"(r.d));
  return r;
}
#endif
