/* Depth of the middle of a photo, in metres, or relative disparity of weights that know no metres:
 *   cc depth.c $(pkg-config --cflags --libs depth) -o middle && ./middle photo.jpg */
#include <depth.h>
#include <stdio.h>
#include <stdlib.h>

/* The bytes of a file; ends the program where it cannot be read. */
static void *contents(const char *path, uint64_t *count) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(1);
  }
  *count = (uint64_t)ftell(file);
  rewind(file);
  void *bytes = malloc(*count ? *count : 1);
  if (!bytes || fread(bytes, 1, *count, file) != *count) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s PHOTO\n", argv[0]);
    return 64;
  }
  depth_open_options opening = DEPTH_OPEN_OPTIONS_INIT;
  depth_refine_options options = DEPTH_REFINE_OPTIONS_INIT;
  depth_picture photo = DEPTH_PICTURE_INIT;
  depth_map map = DEPTH_MAP_INIT;
  depth_failure failure = DEPTH_FAILURE_INIT;
  depth_estimator *estimator = NULL;
  photo.bytes = contents(argv[1], &photo.byte_count);

  /* The first call to depth_estimate asks for the size, the second one computes. */
  depth_status status = depth_open(&opening, &estimator, &failure);
  if (status == DEPTH_OK) status = depth_estimate(estimator, &photo, &options, &map, NULL, &failure);
  if (status == DEPTH_OK) {
    map.value_count = (uint64_t)map.height * (uint64_t)map.width;
    map.values = malloc(map.value_count * sizeof(float));
    status = depth_estimate(estimator, &photo, &options, &map, NULL, &failure);
  }
  if (status != DEPTH_OK) {
    fprintf(stderr, "%s: %s\n", argv[1], failure.message);
    return 1;
  }
  printf("%d x %d, middle %.2f%s\n", map.width, map.height,
         map.values[(size_t)(map.height / 2) * (size_t)map.width + (size_t)(map.width / 2)],
         map.unit == DEPTH_METRES ? " m" : " of unknown scale");
  free(map.values);
  free((void *)photo.bytes);
  depth_close(estimator);
  return 0;
}
