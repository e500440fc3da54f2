// AMX instructions on processors without them: each raises #UD, and the handler of SIGILL decodes it and runs it on the
// model. So the compiled code of isa/int8_avx512vnni.c, with its encodings, addresses and strides, is tried without the hardware.
#include "trapped-tiles.h"

#if defined(__x86_64__) && defined(__linux__)
#define _GNU_SOURCE
#include "../../../Tests/CDepthSIMDModels/amx_model.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static _Thread_local struct ck_amx_model model;
static _Thread_local bool is_started;

/// A 64-bit register by its number in an instruction.
static greg_t *place(ucontext_t *context, int number) {
  static const int order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return &context->uc_mcontext.gregs[order[number]];
}

/// VEX.128.0F38.W0 with the opcodes 49, 4B and 5E; false for anything else.
static bool run_instruction(ucontext_t *context) {
  const uint8_t *code = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
  if (code[0] != 0xC4 || (code[1] & 0x1F) != 2 || (code[2] & 0x84) != 0) return false;
  const int x = code[1] & 0x40 ? 0 : 8, b = code[1] & 0x20 ? 0 : 8;
  const int second = ~(code[2] >> 3) & 15, prefix = code[2] & 3, opcode = code[3];
  const int mod = code[4] >> 6, reg = code[4] >> 3 & 7, rm = code[4] & 7;
  const uint8_t *next = code + 5;
  uintptr_t address = 0;
  size_t stride = 0;
  if (mod != 3) {
    if (rm == 4) {
      const int scale = *next >> 6, index = (*next >> 3 & 7) | x, base = *next & 7;
      next++;
      if (mod == 0 && base == 5) return false;
      address = (uintptr_t)*place(context, base | b);
      if (index != 4) stride = (size_t)*place(context, index) << scale;
    } else {
      if (mod == 0 && rm == 5) return false;
      address = (uintptr_t)*place(context, rm | b);
    }
    int32_t displacement = 0;
    if (mod == 1) displacement = (int8_t)*next++;
    if (mod == 2) memcpy(&displacement, next, 4), next += 4;
    address += (uintptr_t)(intptr_t)displacement;
  }
  if (!is_started) ck_amx_model_start(&model), is_started = true;
  void *memory = (void *)address;
  if (opcode == 0x49 && prefix == 0 && mod != 3 && reg == 0)
    ck_amx_model_configure(&model, (uint8_t *)memory + stride);
  else if (opcode == 0x49 && prefix == 0 && code[4] == 0xC0)
    ck_amx_model_release(&model);
  else if (opcode == 0x49 && prefix == 3 && mod == 3 && rm == 0)
    ck_amx_model_zero(&model, reg);
  else if (opcode == 0x4B && prefix == 3 && mod != 3 && rm == 4)
    ck_amx_model_load(&model, reg, memory, stride);
  else if (opcode == 0x4B && prefix == 2 && mod != 3 && rm == 4)
    ck_amx_model_store(&model, reg, memory, stride);
  else if (opcode == 0x5E && prefix == 1 && mod == 3)
    ck_amx_model_dot(&model, reg, rm, second);
  else
    return false;
  context->uc_mcontext.gregs[REG_RIP] = (greg_t)next;
  return true;
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  if (!run_instruction(context)) signal(SIGILL, SIG_DFL);  // which ends the process at the same instruction
}

bool trap_tiles(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  return sigaction(SIGILL, &action, NULL) == 0;
}

bool finish_trapped_tiles(void) {
  const bool was_started = is_started;
  if (was_started) ck_amx_model_finish(&model);
  is_started = false;
  return was_started;
}
#else
bool trap_tiles(void) { return false; }
bool finish_trapped_tiles(void) { return false; }
#endif
