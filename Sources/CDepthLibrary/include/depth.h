/* depth.h: depth in metres from one photo, from any language that calls C.
 *
 *   depth_estimator *estimator = NULL;
 *   depth_failure failure = DEPTH_FAILURE_INIT;
 *   if (depth_open(NULL, &estimator, &failure) != DEPTH_OK) { puts(failure.message); return 1; }
 *
 *   depth_picture photo = DEPTH_PICTURE_INIT;          // the bytes of a JPEG or PNG file
 *   photo.bytes = bytes;
 *   photo.byte_count = count;
 *   depth_map map = DEPTH_MAP_INIT;                    // without memory: asks for the size
 *   depth_estimate(estimator, &photo, NULL, &map, NULL, &failure);
 *   map.values = malloc(sizeof(float) * map.height * map.width);
 *   map.value_count = (uint64_t)map.height * map.width;
 *   depth_estimate(estimator, &photo, NULL, &map, NULL, &failure);
 *   depth_close(estimator);
 *
 * Rules
 *
 * - Every structure begins with its own size. A library that is newer than the program takes defaults for
 *   the fields that the program does not know; one that is older refuses fields that it does not know
 *   unless they are zero. The macros DEPTH_..._INIT fill in sizes and defaults.
 * - Every call returns a depth_status and, where it is not DEPTH_OK, writes one sentence to `failure`,
 *   which may be NULL. A call that fails leaves the memory of results as it was.
 * - The caller owns all memory. Pointers are used during the call only.
 * - All calls but depth_close may be made by several threads at once, also with one estimator. Calls at the
 *   same time divide the threads among themselves. The same picture gives the same bits whatever the
 *   number of threads and calls.
 * - After `fork` an estimator of the parent is refused with DEPTH_FORKED; a child opens its own. A process
 *   must not fork while another of its threads is inside depth_open.
 * - Rows, then columns; row 0 at the top. Depth is in metres along the optical axis, larger is farther; of
 *   weights that know no metres it is DEPTH_RELATIVE_DISPARITY, which the map's unit says.
 *   A value that is not finite, or not positive in metres and disparity, means that nothing is known.
 */
#ifndef SWIFT_DEPTH_DEPTH_H
#define SWIFT_DEPTH_DEPTH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Changes when a program that was compiled with this header would no longer work. */
#define DEPTH_ABI_VERSION 1

/** The ABI version of the library that was loaded: compare it with DEPTH_ABI_VERSION. */
uint32_t depth_abi_version(void);

/** The version of the library, such as "0.2.0"; lives as long as the process. */
const char *depth_version(void);

/** What a call returns. More may be added. */
typedef int32_t depth_status;
enum {
  DEPTH_OK = 0,
  /** A number, name or setting outside what makes sense for it; a size that is too small. */
  DEPTH_INVALID_ARGUMENT = 1,
  /** The system does not let a file be read, or it is not there. */
  DEPTH_UNREADABLE = 2,
  /** The bytes are no picture of a kind that is read. */
  DEPTH_UNSUPPORTED_FORMAT = 3,
  /** The bytes begin as their format says and then break its rules, or end too early. */
  DEPTH_DAMAGED = 4,
  /** More pixels than allowed. */
  DEPTH_TOO_LARGE = 5,
  /** More memory than this process may take. */
  DEPTH_INSUFFICIENT_MEMORY = 6,
  /** A map's unit does not go with what is asked of it. */
  DEPTH_UNKNOWN_UNIT = 7,
  /** A map and its picture have different proportions. */
  DEPTH_SIZE_MISMATCH = 8,
  /** No pixel has a depth where one is needed. */
  DEPTH_NO_DEPTH = 9,
  /** No weights are installed, or they do not fit the network they describe. */
  DEPTH_WEIGHTS = 10,
  /** The estimator belongs to a process of which this one is a child. */
  DEPTH_FORKED = 11,
  /** Anything else; the message says what. */
  DEPTH_OTHER = 12
};

/** Why a call failed. */
typedef struct depth_failure {
  uint32_t struct_size;
  depth_status status;
  /** One sentence, UTF-8, ended by a zero byte; cut where it is longer. */
  char message[1016];
} depth_failure;
#define DEPTH_FAILURE_INIT {sizeof(depth_failure), DEPTH_OK, {0}}

/** Loaded weights and the memory of their networks; opaque. */
typedef struct depth_estimator depth_estimator;

/** The arithmetic of the networks' convolutions, independent of how a weights file stores its numbers. */
enum {
  /** 32-bit floats. */
  DEPTH_PRECISION_FLOAT32 = 0,
  /** 8-bit integers, but for the last layer: less than half the time and a third of the memory.
   *  Needs weights with scales, which those that came with the library have and `depth weights calibrate`
   *  adds to others; without them depth_open fails with DEPTH_WEIGHTS. */
  DEPTH_PRECISION_INT8 = 1,
  /** DEPTH_PRECISION_INT8 where the weights state that they lose at most .002 of delta1,
   *  DEPTH_PRECISION_FLOAT32 elsewhere; depth_precision says which. */
  DEPTH_PRECISION_AUTO = 2,
  /** Maps and weights rounded to bfloat16 in the layers where that is faster, sums and the rest in 32-bit floats.
   *  Needs a processor with AVX512-BF16, AMX-BF16 or FEAT_BF16; without it depth_open fails with
   *  DEPTH_INVALID_ARGUMENT. */
  DEPTH_PRECISION_BFLOAT16 = 3
};

/** How an estimator is opened. */
typedef struct depth_open_options {
  uint32_t struct_size;
  /** 1 to 256; 0 for one per processor. */
  int32_t threads;
  /** Names or paths: "default", "compact", or HDF5 files, which make one estimate together. NULL for
   *  "default". Named weights are looked for beside the library: in `Weights`, and in
   *  `../share/swift-depth/Weights`. */
  const char *const *weights;
  uint32_t weights_count;
  /** Whether the mirrored picture takes part, for twice the time: 0, 1, or -1 as it belongs to the name. */
  int32_t mirrored;
  /** DEPTH_PRECISION_...; DEPTH_PRECISION_FLOAT32 for programs whose structure ends before it. */
  int32_t precision;
  /** The shorter side of what a network sees that keeps a photo's proportions (Depth Anything V2): a multiple of 14
   *  from 252 to 1036; 0 for that of its training, 518, and for all other networks. */
  int32_t input_size;
} depth_open_options;
#define DEPTH_OPEN_OPTIONS_INIT {sizeof(depth_open_options), 0, 0, 0, -1, DEPTH_PRECISION_AUTO, 0}

/** Loads weights.
 *
 * @param options   NULL for the weights that came with the library, on all processors.
 * @param estimator Receives the estimator, to be closed by depth_close.
 */
depth_status depth_open(
    const depth_open_options *options, depth_estimator **estimator, depth_failure *failure);

/** Frees an estimator that no call uses; NULL is ignored. */
void depth_close(depth_estimator *estimator);

/** What the networks of an estimator compute with.
 *
 * @param precision Receives DEPTH_PRECISION_FLOAT32, DEPTH_PRECISION_BFLOAT16 or DEPTH_PRECISION_INT8, also of
 *                  an estimator that was opened with DEPTH_PRECISION_AUTO.
 */
depth_status depth_precision(
    depth_estimator *estimator, int32_t *precision, depth_failure *failure);

/** What identifies the weights: SHA-256 in hexadecimal, joined by "+", see `weights_id` of `depth predict`.
 *  It ends in "+int8" where the networks compute with integers, and in "+bfloat16" with that precision.
 *
 * @param text     Receives the text, ended by a zero byte; NULL to ask for the size.
 * @param capacity Bytes of `text`.
 * @param needed   Receives the bytes that the text takes, the zero byte included; may be NULL.
 */
depth_status depth_weights_id(
    depth_estimator *estimator, char *text, uint64_t capacity, uint64_t *needed,
    depth_failure *failure);

/** What the bytes of a picture are. */
enum {
  /** A JPEG or PNG file: its Exif block turns it upright and says the focal length. */
  DEPTH_PICTURE_FILE = 0,
  DEPTH_PICTURE_RGB = 1,
  DEPTH_PICTURE_RGBA = 2,
  DEPTH_PICTURE_BGRA = 3,
  DEPTH_PICTURE_GRAY = 4
};

/** A picture that is read. */
typedef struct depth_picture {
  uint32_t struct_size;
  /** DEPTH_PICTURE_... */
  int32_t format;
  const void *bytes;
  uint64_t byte_count;
  /** Pixels of a picture in memory; ignored for a file. */
  int32_t height, width;
  /** Bytes from one row to the next; 0 for rows without padding. */
  int64_t row_bytes;
  /** The largest picture or result, pixels; 0 for 2^28. */
  int64_t max_pixels;
} depth_picture;
#define DEPTH_PICTURE_INIT {sizeof(depth_picture), DEPTH_PICTURE_FILE, 0, 0, 0, 0, 0, 0}

/** What the numbers of a map mean. */
enum {
  DEPTH_METRES = 0,
  /** 1 / metres. */
  DEPTH_DISPARITY = 1,
  /** 1 = nearest, 0 = farthest. */
  DEPTH_NORMALIZED_NEAR_WHITE = 2,
  /** 0 = nearest, 1 = farthest. */
  DEPTH_NORMALIZED_NEAR_BLACK = 3,
  /** scale / metres + shift, neither of which anybody knows; larger is nearer, and 0 is a value. */
  DEPTH_RELATIVE_DISPARITY = 4
};

/** A depth map, read or written. */
typedef struct depth_map {
  uint32_t struct_size;
  /** DEPTH_METRES and so on; of a result it is set. */
  int32_t unit;
  /** Value (y, x) is at y * row_floats + x. NULL in a result asks for the size: the call sets height, width
   *  and unit, and computes nothing. */
  float *values;
  /** Floats that there is room for. */
  uint64_t value_count;
  /** Of a result they are set. */
  int32_t height, width;
  /** Floats from one row to the next; 0 for rows without padding. */
  int64_t row_floats;
} depth_map;
#define DEPTH_MAP_INIT {sizeof(depth_map), DEPTH_METRES, 0, 0, 0, 0, 0}

/** How a map gets the edges of its picture. */
enum {
  /** Filtered and upsampled by the picture: what `depth predict` does. */
  DEPTH_REFINE_JOINT = 0,
  /** Left as it is, or stretched. */
  DEPTH_REFINE_NONE = 1,
  DEPTH_REFINE_BILATERAL = 2,
  DEPTH_REFINE_GAUSSIAN = 3
};

/** The size of a result. */
enum {
  /** The picture's; the network's for DEPTH_REFINE_NONE. */
  DEPTH_SIZE_DEFAULT = 0,
  DEPTH_SIZE_PICTURE = 1,
  /** That of the map before refinement. */
  DEPTH_SIZE_NETWORK = 2,
  /** `height` and `width`. */
  DEPTH_SIZE_GIVEN = 3
};

/** How a focal length is given. */
enum {
  /** By the file's Exif block; without one, that of the camera of the training data. */
  DEPTH_FOCAL_LENGTH_OF_PICTURE = 0,
  DEPTH_FOCAL_LENGTH_PIXELS = 1,
  /** Millimetres on a frame of 36 x 24 mm with the same diagonal. */
  DEPTH_FOCAL_LENGTH_35MM = 2,
  /** The angle of view along the longer side, degrees. */
  DEPTH_FOCAL_LENGTH_FIELD_OF_VIEW = 3,
  /** No correction. */
  DEPTH_FOCAL_LENGTH_UNCORRECTED = 4
};

/** How a map is refined; for depth_estimate also the camera. The options of `depth predict`. */
typedef struct depth_refine_options {
  uint32_t struct_size;
  /** Threads of depth_refine: 1 to 256; 0 for one per processor. depth_estimate has those of its
   *  estimator. */
  int32_t threads;
  /** DEPTH_REFINE_... */
  int32_t method;
  /** How much of the picture DEPTH_REFINE_JOINT lets through, 0 to 1; negative for the default. */
  float detail;
  /** DEPTH_SIZE_... */
  int32_t size;
  int32_t height, width;
  /** Whether pixels without a value get one from their neighborhood: 0 or 1. */
  int32_t fill;
  /** DEPTH_FOCAL_LENGTH_...; ignored by depth_refine. */
  int32_t focal_length_kind;
  int32_t reserved;
  double focal_length;
} depth_refine_options;
#define DEPTH_REFINE_OPTIONS_INIT \
  {sizeof(depth_refine_options), 0, DEPTH_REFINE_JOINT, -1, DEPTH_SIZE_DEFAULT, 0, 0, 0, 0, 0, 0}

/** What is known of an estimate beside its map. */
typedef struct depth_estimate_facts {
  uint32_t struct_size;
  /** 0 Exif, 1 given, 2 assumed. */
  int32_t focal_length_source;
  /** Pixels of the picture. */
  double focal_length;
  /** How far the averaged maps disagree; NaN where there is one only. */
  double spread;
  /** The relative error to expect; NaN where it is not known. */
  double uncertainty;
} depth_estimate_facts;
#define DEPTH_ESTIMATE_FACTS_INIT {sizeof(depth_estimate_facts), 0, 0, 0, 0}

/** The depth of a picture: the map of `depth predict` to the bit, in metres, or DEPTH_RELATIVE_DISPARITY of weights
 *  that know no metres.
 *
 * @param options NULL for defaults.
 * @param map     Receives the map and its unit; see depth_map.values for asking its size.
 * @param facts   Receives what else is known; may be NULL.
 */
depth_status depth_estimate(
    depth_estimator *estimator, const depth_picture *photo, const depth_refine_options *options,
    depth_map *map, depth_estimate_facts *facts, depth_failure *failure);

/** Any depth map with the edges of its picture, in the same unit.
 *
 * @param depth   A map of the picture, of any size.
 * @param options NULL for defaults.
 * @param map     Receives the result; it may use the memory of `depth`.
 */
depth_status depth_refine(
    const depth_picture *photo, const depth_map *depth, const depth_refine_options *options,
    depth_map *map, depth_failure *failure);

/** How two views are made. */
typedef struct depth_stereo_options {
  uint32_t struct_size;
  /** 1 to 256; 0 for one per processor. */
  int32_t threads;
  /** The largest movement of a point in each view, as a fraction of the width; .01 is 1 %. */
  double maximum_shift;
  /** The depth in the plane of the screen: 0 the farthest to 1 the nearest; negative for the subject's. */
  double convergence;
  /** 0 keeps the photo as the left view, 1 as the right view, .5 moves both by half. */
  double balance;
} depth_stereo_options;
#define DEPTH_STEREO_OPTIONS_INIT {sizeof(depth_stereo_options), 0, .01, .5, .5}

/** Two views of the size of the picture, RGB. */
typedef struct depth_views {
  uint32_t struct_size;
  int32_t reserved;
  /** NULL asks for the size: the call sets height and width, and computes nothing. */
  uint8_t *left, *right;
  /** Bytes of each view. */
  uint64_t byte_count;
  int32_t height, width;
  /** Bytes from one row to the next; 0 for rows without padding. */
  int64_t row_bytes;
} depth_views;
#define DEPTH_VIEWS_INIT {sizeof(depth_views), 0, 0, 0, 0, 0, 0, 0}

/** A picture as two eyes would see it.
 *
 * @param depth   A map of the picture, of any size and unit.
 * @param options NULL for defaults.
 * @param views   Receives both views.
 */
depth_status depth_stereo(
    const depth_picture *photo, const depth_map *depth, const depth_stereo_options *options,
    depth_views *views, depth_failure *failure);

#ifdef __cplusplus
}
#endif
#endif
