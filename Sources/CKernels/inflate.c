#include <string.h>

#include "CKernels.h"

// Deflate (RFC 1951) into memory of known length, in about half the time that zlib takes for depth maps:
// 64 bits of input are kept ready, one look at a table decodes nearly every code, and matches are copied
// sixteen bytes at a time.

enum {
  literal_bits = 11,  // codes up to here need one look; longer ones a second one
  distance_bits = 8,
  longest_code = 15,
  longest_match = 258,
  /// Bytes that a match's copy may write behind its end.
  slack = 32,
};

/// What a code means. `length` is the number of its bits that this look used. `extra` bits follow, whose
/// value is to be added to `base`.
typedef struct {
  uint16_t base;
  uint8_t length;
  uint8_t kind : 3, extra : 5;
} entry;

enum { invalid = 0, literal, match, end_of_block, subtable };

typedef struct {
  const uint8_t *next, *end;
  uint64_t bits;
  unsigned count;
  /// Zero bytes taken from behind the end.
  unsigned missing;
} input;

/// Behind the first looks' entries stand the second ones'. Every first look that needs a second one
/// leads to two codes at least.
typedef struct {
  entry literals[(1 << literal_bits) + (288 / 2 << (longest_code - literal_bits))];
  entry distances[(1 << distance_bits) + (32 / 2 << (longest_code - distance_bits))];
} tables;

/// At least 56 bits.
static inline void refill(input *in) {
  if (in->end - in->next >= 8) {
    uint64_t word;
    memcpy(&word, in->next, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    in->bits |= word << in->count;
    in->next += (63 - in->count) >> 3;
    in->count |= 56;
    return;
  }
  while (in->count <= 56) {
    if (in->next < in->end)
      in->bits |= (uint64_t)*in->next++ << in->count;
    else
      in->missing++;
    in->count += 8;
  }
}

static inline uint64_t take(input *in, unsigned count) {
  const uint64_t value = in->bits & ((1ull << count) - 1);
  in->bits >>= count;
  in->count -= count;
  return value;
}

/// Whether bits from behind the end were used.
static inline bool is_overrun(const input *in) { return in->missing * 8 > in->count; }

static entry meaning_of_literal(unsigned symbol) {
  static const uint8_t extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  if (symbol < 256) return (entry){.kind = literal, .base = (uint16_t)symbol};
  if (symbol == 256) return (entry){.kind = end_of_block};
  if (symbol > 285) return (entry){.kind = invalid};
  return (entry){.kind = match, .extra = extra[symbol - 257], .base = base[symbol - 257]};
}

static entry meaning_of_distance(unsigned symbol) {
  if (symbol > 29) return (entry){.kind = invalid};
  const unsigned extra = symbol < 4 ? 0 : symbol / 2 - 1;
  const unsigned base = symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1;
  return (entry){.kind = match, .extra = (uint8_t)extra, .base = (uint16_t)base};
}

static entry meaning_of_length(unsigned symbol) {
  return (entry){.kind = literal, .base = (uint16_t)symbol};
}

static unsigned reversed(unsigned code, unsigned length) {
  unsigned result = 0;
  for (unsigned i = 0; i < length; i++) result |= ((code >> i) & 1) << (length - 1 - i);
  return result;
}

/// Fills a table with 1 << `bits` entries for one look, and tables for the second look behind it. False
/// when the code is not complete; a single code of one bit is complete where `may_be_single`.
static bool fill(entry *table, unsigned bits, const uint8_t *lengths, unsigned symbols,
                 entry (*meaning)(unsigned), bool may_be_single) {
  unsigned counts[longest_code + 1] = {0}, codes[longest_code + 1] = {0};
  for (unsigned i = 0; i < symbols; i++) counts[lengths[i]]++;
  counts[0] = 0;
  unsigned space = 0, used = 0;
  for (unsigned length = 1; length <= longest_code; length++) {
    codes[length] = (codes[length - 1] + counts[length - 1]) << 1;
    space += counts[length] << (longest_code - length);
    used += counts[length];
  }
  const bool is_single = may_be_single && (used == 0 || (used == 1 && counts[1] == 1));
  if (space != 1u << longest_code && !is_single) return false;

  for (unsigned i = 0; i < 1u << bits; i++) table[i] = (entry){0};
  unsigned end = 1u << bits;
  // Ascending lengths, as the codes are numbered: those behind one first look follow each other.
  for (unsigned length = 1; length <= longest_code; length++) {
    for (unsigned symbol = 0; symbol < symbols && counts[length] > 0; symbol++) {
      if (lengths[symbol] != length) continue;
      const unsigned code = reversed(codes[length]++, length);
      entry found = meaning(symbol);
      if (length <= bits) {
        found.length = (uint8_t)length;
        for (unsigned i = code; i < 1u << bits; i += 1u << length) table[i] = found;
        continue;
      }
      entry *first = &table[code & ((1u << bits) - 1)];
      if (first->kind != subtable) {
        // As large as any code needs.
        *first = (entry){.kind = subtable, .length = (uint8_t)bits, .extra = longest_code - bits,
                         .base = (uint16_t)end};
        for (unsigned i = 0; i < 1u << (longest_code - bits); i++) table[end++] = (entry){0};
      }
      found.length = (uint8_t)(length - bits);
      for (unsigned i = code >> bits; i < 1u << (longest_code - bits); i += 1u << found.length)
        table[first->base + i] = found;
    }
  }
  return true;
}

static inline entry look(const entry *table, unsigned bits, input *in) {
  entry found = table[in->bits & ((1u << bits) - 1)];
  if (found.kind == subtable) {
    take(in, found.length);
    found = table[found.base + (in->bits & ((1u << found.extra) - 1))];
  }
  take(in, found.length);
  return found;
}

/// Reads a block's two codes, which are themselves coded.
static bool read_codes(input *in, tables *codes) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  enum { bits = 7 };
  refill(in);
  const unsigned literals = (unsigned)take(in, 5) + 257, distances = (unsigned)take(in, 5) + 1;
  const unsigned count = (unsigned)take(in, 4) + 4;
  if (literals > 286 || distances > 30) return false;
  uint8_t lengths[286 + 30 + 138] = {0};
  for (unsigned i = 0; i < count; i++) {
    refill(in);
    lengths[order[i]] = (uint8_t)take(in, 3);
  }
  entry table[1 << bits];
  if (!fill(table, bits, lengths, 19, meaning_of_length, false)) return false;
  memset(lengths, 0, 19);
  for (unsigned i = 0; i < literals + distances;) {
    refill(in);
    const entry found = look(table, bits, in);
    if (found.kind == invalid) return false;
    unsigned times = 1;
    uint8_t value = (uint8_t)found.base;
    if (found.base == 16) {
      if (i == 0) return false;
      value = lengths[i - 1];
      times = 3 + (unsigned)take(in, 2);
    } else if (found.base > 16) {
      value = 0;
      times = found.base == 17 ? 3 + (unsigned)take(in, 3) : 11 + (unsigned)take(in, 7);
    }
    while (times-- > 0) lengths[i++] = value;
    if (i > literals + distances) return false;
  }
  // A block without its end cannot be decoded.
  return lengths[256] > 0 && !is_overrun(in) &&
         fill(codes->literals, literal_bits, lengths, literals, meaning_of_literal, false) &&
         fill(codes->distances, distance_bits, lengths + literals, distances, meaning_of_distance, true);
}

static bool use_fixed_codes(tables *codes) {
  uint8_t lengths[288];
  for (unsigned i = 0; i < 288; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  bool isWhole = fill(codes->literals, literal_bits, lengths, 288, meaning_of_literal, false);
  memset(lengths, 5, 32);
  return isWhole && fill(codes->distances, distance_bits, lengths, 32, meaning_of_distance, false);
}

/// Copies what stands `distance` back. Writes up to `slack` bytes more than `length`.
static inline void copy_freely(uint8_t *out, size_t distance, size_t length) {
  const uint8_t *from = out - distance, *const end = out + length;
  if (distance >= 16) {
    for (; out < end; out += 16, from += 16) memcpy(out, from, 16);
    return;
  }
  // The first 16 bytes one by one; from there a whole number of repetitions reaches back further.
  for (int i = 0; i < 16; i++) out[i] = from[i];
  const size_t period = distance * (16 / distance);
  for (out += period; out < end; out += period) memmove(out, out - period, 16);
}

/// Decodes a block's codes behind `out`, which has room up to `end`; NULL when they are damaged.
static uint8_t *decode(input *source, const tables *codes, const uint8_t *start, uint8_t *out,
                       const uint8_t *end) {
  input in = *source;
  while (true) {
    refill(&in);
    entry found = look(codes->literals, literal_bits, &in);
    if (found.kind == literal) {
      if (out == end) return NULL;
      *out++ = (uint8_t)found.base;
      // Two more codes fit into what a refill leaves: 56 - 15 - 15 - 15 bits.
      found = look(codes->literals, literal_bits, &in);
      if (found.kind == literal) {
        if (out == end) return NULL;
        *out++ = (uint8_t)found.base;
        if (is_overrun(&in)) return NULL;
        continue;
      }
      if (found.kind == match) {
        const size_t extra = found.extra;
        found.base += (uint16_t)take(&in, (unsigned)extra);
        found.extra = 0;
        refill(&in);
      }
    }
    if (found.kind == end_of_block) break;
    if (found.kind != match) return NULL;
    // 20 bits for the length and 28 for the distance are there.
    const size_t length = found.base + take(&in, found.extra);
    const entry far = look(codes->distances, distance_bits, &in);
    if (far.kind != match) return NULL;
    const size_t distance = far.base + take(&in, far.extra);
    if (distance > (size_t)(out - start) || length > (size_t)(end - out) || is_overrun(&in)) return NULL;
    if ((size_t)(end - out) >= length + slack) {
      copy_freely(out, distance, length);
      out += length;
    } else {
      for (size_t i = 0; i < length; i++, out++) *out = *(out - distance);
    }
  }
  *source = in;
  return is_overrun(&in) ? NULL : out;
}

/// Copies a block that was not compressed.
static uint8_t *store(input *in, uint8_t *out, const uint8_t *end) {
  take(in, in->count & 7);
  refill(in);
  const size_t length = take(in, 16), complement = take(in, 16);
  if (length != (complement ^ 0xFFFF) || is_overrun(in)) return NULL;
  // Whole bytes that were taken ahead go back; those from behind the end were never there.
  const size_t ahead = in->count / 8 - in->missing;
  in->next -= ahead;
  in->bits = in->count = in->missing = 0;
  if (length > (size_t)(in->end - in->next) || length > (size_t)(end - out)) return NULL;
  memcpy(out, in->next, length);
  in->next += length;
  return out + length;
}

bool ck_inflate(const uint8_t *bytes, size_t size, uint8_t *output, size_t length,
                uint32_t *sum) {
  // RFC 1950: method 8, a window of at most 32 KiB, no dictionary, the header a multiple of 31.
  if (size < 6 || (bytes[0] & 0x0F) != 8 || bytes[0] >> 4 > 7 || bytes[1] & 0x20 ||
      (bytes[0] * 256 + bytes[1]) % 31 != 0)
    return false;
  input in = {.next = bytes + 2, .end = bytes + size};
  uint8_t *out = output, *const end = output + length;
  tables codes;
  bool is_last = false;
  while (!is_last) {
    refill(&in);
    is_last = take(&in, 1);
    switch (take(&in, 2)) {
      case 0: out = store(&in, out, end); break;
      case 1: out = use_fixed_codes(&codes) ? decode(&in, &codes, output, out, end) : NULL; break;
      case 2: out = read_codes(&in, &codes) ? decode(&in, &codes, output, out, end) : NULL; break;
      default: return false;
    }
    if (!out) return false;
  }
  take(&in, in.count & 7);
  refill(&in);
  *sum = __builtin_bswap32((uint32_t)take(&in, 32));
  return !is_overrun(&in) && out == end;
}
