// The block of memory that holds the description of an HDF5 file.
//
// Parent and child process share the block (isolation.h), so the block contains offsets instead of pointers.
#ifndef CHDF5_ARENA_H
#define CHDF5_ARENA_H
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CH5_RANK = H5S_MAX_RANK, CH5_FILTERS = 32, CH5_PATH = 1024, CH5_MEMBERS = 4096,
       CH5_OBJECTS = 1 << 15, CH5_CHUNKS = 4096, CH5_VALUES = 1 << 16 };

typedef enum {
  CH5_ABSENT,   // no such object or attribute
  CH5_DAMAGED,  // the library cannot read it
  CH5_LINK,     // a soft, external or user-defined link
  CH5_GROUP,
  CH5_DATASET,
  CH5_OTHER,
  CH5_ATTRIBUTE,
} ch5_kind;

/// An object or attribute. Offsets count from the start of the arena; 0 means none.
typedef struct {
  uint64_t next, path, cause;
  int32_t kind, is_attribute;
  uint32_t links;  // of a group
  // Type of the elements.
  int32_t type, order, sign, is_variable, is_implied_one;
  uint64_t element_bytes, precision, sign_bit, exponent, exponent_bits, mantissa, mantissa_bits, bias;
  // Extents.
  int32_t space, rank;
  uint64_t extents[CH5_RANK];
  // Layout of a dataset.
  int32_t layout, external_files, is_allocated, chunk_rank, filter_count;
  uint32_t leaves_edges;
  uint64_t offset;
  uint64_t chunk[CH5_RANK];
  int32_t filters[CH5_FILTERS];
  uint64_t filter_name;  // of the first filter that is neither gzip nor shuffle
  // Values of an attribute or a compact dataset, or the chunk table: address, bytes, mask, origin.
  uint64_t data, data_bytes, chunk_count;
} ch5_facts;

/// The header of the arena.
typedef struct {
  uint64_t capacity, used, first, last, cause;
  uint32_t objects;
  int32_t is_open, is_full;
  volatile int32_t is_done;
} ch5_arena;

/// Reserves `bytes` bytes; returns NULL and marks the arena as full if they do not fit.
static inline void *ch5_room(ch5_arena *arena, uint64_t bytes, uint64_t *offset) {
  const uint64_t rounded = (bytes + 7) & ~(uint64_t)7;
  *offset = 0;
  if (rounded < bytes || rounded > arena->capacity - arena->used) {
    arena->is_full = 1;
    return NULL;
  }
  *offset = arena->used;
  arena->used += rounded;
  return (char *)arena + *offset;
}

static inline uint64_t ch5_text(ch5_arena *arena, const char *text) {
  uint64_t offset;
  char *copy = (char *)ch5_room(arena, strlen(text) + 1, &offset);
  if (copy) strcpy(copy, text);
  return offset;
}

enum { CH5_MESSAGE = 256 };

static inline herr_t ch5_keep_cause(unsigned n, const H5E_error2_t *error, void *text) {
  (void)n;
  if (error->desc) snprintf((char *)text, CH5_MESSAGE, "%s", error->desc);
  return 1;
}

/// Writes the innermost cause of this thread's last failure into `text`, of CH5_MESSAGE bytes.
static inline void ch5_innermost_error(char *text) {
  text[0] = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, ch5_keep_cause, text);
}

/// Copies the innermost cause of the library's last failure into the arena; returns the offset.
static inline uint64_t ch5_cause(ch5_arena *arena) {
  char text[CH5_MESSAGE];
  ch5_innermost_error(text);
  H5Eclear2(H5E_DEFAULT);
  return text[0] ? ch5_text(arena, text) : 0;
}

/// Appends the description of an object.
static inline ch5_facts *ch5_add(ch5_arena *arena, const char *path, ch5_kind kind) {
  uint64_t offset;
  if (arena->objects == CH5_OBJECTS) arena->is_full = 1;
  if (arena->is_full) return NULL;
  ch5_facts *facts = (ch5_facts *)ch5_room(arena, sizeof *facts, &offset);
  if (!facts) return NULL;
  memset(facts, 0, sizeof *facts);
  facts->kind = kind;
  facts->path = ch5_text(arena, path);
  if (arena->last) ((ch5_facts *)((char *)arena + arena->last))->next = offset;
  else arena->first = offset;
  arena->last = offset;
  arena->objects++;
  return facts;
}

static inline void ch5_mark_damaged(ch5_arena *arena, ch5_facts *facts) {
  facts->kind = CH5_DAMAGED;
  facts->cause = ch5_cause(arena);
}
#endif
