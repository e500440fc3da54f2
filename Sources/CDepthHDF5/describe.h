// Describes the objects of an HDF5 file in one block of memory, in plain C.
//
// A hostile file can crash the library, so this code also runs in a child process (isolation.h). It therefore
// calls only HDF5 and the C library, and writes to memory shared by parent and child. Soft and external links
// are not followed, attributes are opened by name, and text of variable length is not read.
#ifndef CHDF5_DESCRIBE_H
#define CHDF5_DESCRIBE_H
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "arena.h"

/// Describes the extents, and sets `count` to the number of elements, `limit` + 1 at most. Returns false if the
/// extents are damaged.
static inline bool ch5_describe_space(hid_t space, ch5_facts *facts, uint64_t limit, uint64_t *count) {
  hsize_t extents[CH5_RANK];
  *count = 0;
  facts->space = H5Sget_simple_extent_type(space);
  if (facts->space == H5S_NULL) return true;
  facts->rank = H5Sget_simple_extent_ndims(space);
  if (facts->rank < 0 || facts->rank > CH5_RANK) return false;
  if (facts->rank > 0 && H5Sget_simple_extent_dims(space, extents, NULL) != facts->rank) return false;
  *count = 1;
  for (int i = 0; i < facts->rank; i++) {
    facts->extents[i] = extents[i];
    if (extents[i] && *count > limit / extents[i]) *count = limit + 1;
    else *count *= extents[i];
  }
  return true;
}

static inline void ch5_describe_type(hid_t type, ch5_facts *facts) {
  facts->type = H5Tget_class(type);
  facts->element_bytes = H5Tget_size(type);
  facts->is_variable = H5Tis_variable_str(type) > 0;
  if (facts->type != H5T_INTEGER && facts->type != H5T_FLOAT) return;
  facts->order = H5Tget_order(type);
  facts->precision = H5Tget_precision(type);
  if (facts->type == H5T_INTEGER) {
    facts->sign = H5Tget_sign(type) == H5T_SGN_2;
    return;
  }
  size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0, mantissa_bits = 0;
  H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits);
  facts->sign_bit = sign;
  facts->exponent = exponent;
  facts->exponent_bits = exponent_bits;
  facts->mantissa = mantissa;
  facts->mantissa_bits = mantissa_bits;
  facts->bias = H5Tget_ebias(type);
  facts->is_implied_one = H5Tget_norm(type) == H5T_NORM_IMPLIED;
}

/// Returns whether the elements are numbers or text of fixed length, the only types that are read.
static inline bool ch5_is_plain(const ch5_facts *facts) {
  return facts->element_bytes > 0 &&
         (facts->type == H5T_INTEGER || facts->type == H5T_FLOAT ||
          (facts->type == H5T_STRING && !facts->is_variable));
}

/// The length of the user block, which HDF5 before 1.14.4 does not include in a chunk's address.
static inline uint64_t ch5_missing_base(hid_t file) {
  unsigned major = 0, minor = 0, release = 0;
  hsize_t block = 0;
  H5get_libversion(&major, &minor, &release);
  if (major > 1 || (major == 1 && (minor > 14 || (minor == 14 && release >= 4)))) return 0;
  hid_t creation = H5Fget_create_plist(file);
  if (creation < 0 || H5Pget_userblock(creation, &block) < 0) block = 0;
  H5Pclose(creation);
  return block;
}

static inline bool ch5_describe_chunks(
    hid_t file, hid_t dataset, hid_t space, hid_t creation, ch5_facts *facts, ch5_arena *arena) {
  hsize_t chunk[CH5_RANK] = {0}, count = 0;
  bool is_known = true;
  facts->chunk_rank = H5Pget_chunk(creation, CH5_RANK, chunk);
  if (facts->chunk_rank < 0 || facts->chunk_rank != facts->rank) return false;
  for (int i = 0; i < facts->chunk_rank; i++) {
    facts->chunk[i] = chunk[i];
    if (!chunk[i]) return false;
  }
  unsigned options = 0;
  facts->leaves_edges = H5Pget_chunk_opts(creation, &options) >= 0 &&
                        (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  facts->filter_count = H5Pget_nfilters(creation);
  if (facts->filter_count < 0 || facts->filter_count > CH5_FILTERS) return false;
  for (int i = 0; i < facts->filter_count; i++) {
    unsigned flags = 0, setting = 0;
    size_t settings = 0;
    char name[64] = "";
    facts->filters[i] = H5Pget_filter2(
        creation, (unsigned)i, &flags, &settings, &setting, sizeof name, name, NULL);
    if (facts->filters[i] == H5Z_FILTER_SHUFFLE || facts->filters[i] == H5Z_FILTER_DEFLATE) continue;
    if (is_known) facts->filter_name = ch5_text(arena, name);
    is_known = false;
  }
  // Traverses the whole index to detect a damaged index here.
  if (H5Dget_num_chunks(dataset, space, &count) < 0) return false;
  facts->chunk_count = count;
  if (!is_known || count > CH5_CHUNKS) return true;
  const uint64_t base = ch5_missing_base(file), words = 3 + (uint64_t)facts->rank;
  uint64_t *table = (uint64_t *)ch5_room(arena, count * words * sizeof *table, &facts->data);
  if (!table) return true;
  facts->data_bytes = count * words * sizeof *table;
  for (hsize_t i = 0; i < count; i++, table += words) {
    hsize_t origin[CH5_RANK + 1] = {0}, bytes = 0;
    haddr_t address = HADDR_UNDEF;
    unsigned mask = 0;
    if (H5Dget_chunk_info(dataset, space, i, origin, &mask, &address, &bytes) < 0) return false;
    table[0] = address == HADDR_UNDEF ? UINT64_MAX : address + base;
    table[1] = bytes;
    table[2] = mask;
    for (int k = 0; k < facts->rank; k++) table[3 + k] = origin[k];
  }
  return true;
}

static inline bool ch5_describe_layout(
    hid_t file, hid_t dataset, hid_t space, hid_t type, hid_t creation, uint64_t count,
    ch5_facts *facts, ch5_arena *arena) {
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  facts->layout = H5Pget_layout(creation);
  switch (facts->layout) {
    case H5D_CONTIGUOUS:
      facts->external_files = H5Pget_external_count(creation);
      facts->is_allocated = H5Dget_space_status(dataset, &status) >= 0 &&
                            status != H5D_SPACE_STATUS_NOT_ALLOCATED;
      facts->offset = H5Dget_offset(dataset);
      return true;
    case H5D_COMPACT:
      if (!ch5_is_plain(facts) || count > CH5_VALUES || facts->element_bytes > CH5_VALUES) return true;
      if (count * facts->element_bytes > CH5_VALUES) return true;
      void *values = ch5_room(arena, count * facts->element_bytes, &facts->data);
      if (!values) return true;
      facts->data_bytes = count * facts->element_bytes;
      return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    case H5D_CHUNKED:
      return ch5_describe_chunks(file, dataset, space, creation, facts, arena);
    default:
      return true;
  }
}

static inline void ch5_describe_dataset(hid_t file, hid_t dataset, ch5_facts *facts, ch5_arena *arena) {
  uint64_t count = 0;
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  hid_t creation = H5Dget_create_plist(dataset);
  const bool is_whole =
      space >= 0 && type >= 0 && creation >= 0 && ch5_describe_space(space, facts, CH5_VALUES, &count) &&
      (ch5_describe_type(type, facts), true) &&
      ch5_describe_layout(file, dataset, space, type, creation, count, facts, arena);
  if (!is_whole) ch5_mark_damaged(arena, facts);
  if (creation >= 0) H5Pclose(creation);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
}

/// Returns whether all links along `path` are hard links; otherwise sets the kind of `facts`.
static inline bool ch5_is_inside(hid_t file, const char *path, ch5_facts *facts, ch5_arena *arena) {
  char prefix[CH5_PATH];
  const size_t length = strlen(path);
  for (size_t i = 1; i <= length; i++) {
    if (path[i] && path[i] != '/') continue;
    memcpy(prefix, path, i);
    prefix[i] = 0;
    H5L_info_t info;
    if (H5Lget_info(file, prefix, &info, H5P_DEFAULT) < 0) {
      facts->kind = CH5_ABSENT;
      facts->cause = ch5_cause(arena);
      return false;
    }
    if (info.type != H5L_TYPE_HARD) {
      facts->kind = CH5_LINK;
      return false;
    }
  }
  return true;
}

/// Describes the object at `path`, which does not begin with a slash.
static inline ch5_facts *ch5_describe_object(hid_t file, const char *path, ch5_arena *arena) {
  ch5_facts *facts = ch5_add(arena, path, CH5_OTHER);
  if (!facts) return NULL;
  if (!*path || strlen(path) >= CH5_PATH) {
    facts->kind = CH5_DAMAGED;
    return facts;
  }
  if (!ch5_is_inside(file, path, facts, arena)) return facts;
  hid_t object = H5Oopen(file, path, H5P_DEFAULT);
  if (object < 0) {
    ch5_mark_damaged(arena, facts);
    return facts;
  }
  switch (H5Iget_type(object)) {
    case H5I_GROUP: facts->kind = CH5_GROUP; break;
    case H5I_DATASET:
      facts->kind = CH5_DATASET;
      ch5_describe_dataset(file, object, facts, arena);
      break;
    default: break;
  }
  H5Oclose(object);
  return facts;
}

typedef struct {
  ch5_arena *arena;
  uint64_t names, count;  // the names are consecutive in the arena, 512 bytes each
} ch5_names;

static inline herr_t ch5_keep_name(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  (void)group, (void)info;
  ch5_names *names = (ch5_names *)context;
  uint64_t offset;
  const size_t length = strlen(name);
  if (++names->count > CH5_MEMBERS) return -1;
  if (!length || length >= CH5_PATH / 2 || strchr(name, '/')) return -1;
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)name[i] < ' ' || name[i] == 0x7f) return -1;  // would break a line of an error message
  char *copy = (char *)ch5_room(names->arena, 512, &offset);
  if (!copy) return -1;
  if (!names->names) names->names = offset;
  strcpy(copy, name);
  return 0;
}

/// Describes a group and its members; with `depth` 2 also the members of its groups.
static inline void ch5_describe_group(hid_t file, const char *path, int depth, ch5_arena *arena) {
  const bool is_root = !strcmp(path, "/");
  ch5_facts *facts = is_root ? ch5_add(arena, path, CH5_GROUP) : ch5_describe_object(file, path, arena);
  if (!facts || facts->kind != CH5_GROUP || depth == 0) return;
  hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
  if (group < 0) return ch5_mark_damaged(arena, facts);
  ch5_names names = {arena, 0, 0};
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, ch5_keep_name, &names) < 0)
    ch5_mark_damaged(arena, facts);
  facts->links = (uint32_t)names.count;
  H5Gclose(group);
  if (facts->kind != CH5_GROUP) return;
  for (uint64_t i = 0; i < names.count && !arena->is_full; i++) {
    char member[CH5_PATH];
    const char *name = (char *)arena + names.names + 512 * i;
    const int length = snprintf(member, sizeof member, is_root ? "%s%s" : "%s/%s", is_root ? "" : path, name);
    if (length > 0 && length < (int)sizeof member) ch5_describe_group(file, member, depth - 1, arena);
  }
}

static inline bool ch5_read_attribute(hid_t attribute, ch5_facts *facts, ch5_arena *arena) {
  uint64_t count = 0;
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  bool is_whole = type >= 0 && space >= 0 && ch5_describe_space(space, facts, CH5_VALUES, &count);
  if (is_whole) ch5_describe_type(type, facts);
  const bool is_number = facts->type == H5T_INTEGER || facts->type == H5T_FLOAT;
  if (is_whole && ch5_is_plain(facts) && facts->rank <= 1 && count > 0 && count <= CH5_VALUES &&
      facts->element_bytes <= CH5_VALUES && count * facts->element_bytes <= CH5_VALUES) {
    // Integers and floats of 64 bits; the library converts within one buffer.
    const uint64_t size = is_number && facts->element_bytes < 8 ? 8 : facts->element_bytes;
    void *values = ch5_room(arena, count * size, &facts->data);
    facts->data_bytes = values ? count * (is_number ? 8 : size) : 0;
    is_whole = values && H5Aread(attribute, facts->type == H5T_INTEGER ? H5T_NATIVE_INT64
                                 : facts->type == H5T_FLOAT            ? H5T_NATIVE_DOUBLE
                                                                       : type, values) >= 0;
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  return is_whole;
}

/// Describes and reads one attribute of the root.
static inline void ch5_describe_attribute(hid_t file, const char *name, ch5_arena *arena) {
  ch5_facts *facts = ch5_add(arena, name, CH5_ABSENT);
  if (!facts) return;
  facts->is_attribute = 1;
  const htri_t exists = H5Aexists(file, name);
  if (exists == 0) return;
  hid_t attribute = exists > 0 ? H5Aopen(file, name, H5P_DEFAULT) : -1;
  facts->kind = CH5_ATTRIBUTE;
  if (attribute < 0 || !ch5_read_attribute(attribute, facts, arena)) ch5_mark_damaged(arena, facts);
  if (attribute >= 0) H5Aclose(attribute);
}

/// Returns the access properties for files: without locking, which fails on read-only disks; closing a file
/// closes all objects in it.
static inline hid_t ch5_access(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return access;
  H5Pset_file_locking(access, 0, 1);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}

/// Gives the library a copy of the descriptor's file in memory, since it cannot open anonymous files.
static inline bool ch5_read_from_memory(hid_t access, int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || status.st_size <= 0) return false;
  const size_t count = (size_t)status.st_size;
  void *bytes = mmap(NULL, count, PROT_READ, MAP_SHARED, descriptor, 0);
  if (bytes == MAP_FAILED) return false;
  const bool is_set = H5Pset_fapl_core(access, 1 << 16, false) >= 0 && H5Pset_file_image(access, bytes, count) >= 0;
  munmap(bytes, count);
  return is_set;
}

/// Prefix of a path for an open descriptor; no file can have such a path.
#define CH5_DESCRIPTOR "/dev/null/descriptor:"

/// Opens a file for reading; on failure, stores the reason in the arena.
///
/// The path is a file path, or CH5_DESCRIPTOR followed by the number of an open descriptor.
static inline hid_t ch5_open_for_reading(const char *path, ch5_arena *arena) {
  hid_t access = ch5_access();
  if (access < 0) return access;
  const size_t prefix = strlen(CH5_DESCRIPTOR);
  hid_t file = -1;
  if (strncmp(path, CH5_DESCRIPTOR, prefix) != 0 || ch5_read_from_memory(access, atoi(path + prefix)))
    file = H5Fopen(path, H5F_ACC_RDONLY, access);
  if (file < 0 && arena) arena->cause = ch5_cause(arena);
  H5Pclose(access);
  return file;
}

/// Describes parts of the file at `path`. The request is a sequence of zero-terminated strings of a letter and
/// a name, ended by an empty string: `w` describes the root, its groups and their members; `g` a group and its
/// members; `o` an object; `a` an attribute of the root.
static inline void ch5_describe(const char *path, const char *request, ch5_arena *arena) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = ch5_open_for_reading(path, arena);
  arena->is_open = file >= 0;
  if (file >= 0) {
    for (; *request; request += strlen(request) + 1) {
      switch (*request) {
        case 'w': ch5_describe_group(file, "/", 2, arena); break;
        case 'g': ch5_describe_group(file, request + 1, 1, arena); break;
        case 'o': ch5_describe_object(file, request + 1, arena); break;
        case 'a': ch5_describe_attribute(file, request + 1, arena); break;
        default: break;
      }
    }
    H5Fclose(file);
  }
  arena->is_done = 1;
}
#endif
