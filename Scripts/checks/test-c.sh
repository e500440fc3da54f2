#!/usr/bin/env bash
# Builds libdepth, compiles Examples/depth.c against it as Documentation/Programs.md says, and runs it from another folder.
#   Scripts/checks/test-c.sh [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Scripts/build-library.sh "$folder/libdepth" "$@"
flags=$(PKG_CONFIG_PATH=$folder/libdepth pkg-config --cflags --libs depth)
# shellcheck disable=SC2086  # flags are words
${CC:-cc} -std=c99 -Wall -Wextra -Werror Examples/depth.c $flags -o "$folder/middle"
cd /
unset DEPTH_WEIGHTS LD_LIBRARY_PATH
said=$(env -i PATH=/usr/bin:/bin "$folder/middle" "$root/Examples/living-room.jpg")
echo "$said"
[[ $said =~ ^640\ x\ 480,\ middle\ [0-9.]+\ m$ ]] || { echo "test-c: expected the size and the depth of the middle" >&2; exit 1; }
if "$folder/middle" "$root/README.md" 2>"$folder/error"; then
  echo "test-c: a text was taken for a photo" >&2
  exit 1
fi
cat "$folder/error"

# Loaded, used and unloaded again and again, as plug-ins are, while helper threads of the library live.
cat >"$folder/unloading.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
#include "depth.h"

int main(int count, char **arguments) {
  static unsigned char pixels[240 * 320 * 3];
  static float values[240 * 320];
  for (int round = 0; count == 2 && round < 5; round++) {
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    depth_status (*open)(const depth_open_options *, depth_estimator **, depth_failure *);
    depth_status (*estimate)(depth_estimator *, const depth_picture *, const depth_refine_options *, depth_map *,
                             depth_estimate_facts *, depth_failure *);
    void (*close)(depth_estimator *);
    *(void **)&open = dlsym(library, "depth_open");
    *(void **)&estimate = dlsym(library, "depth_estimate");
    *(void **)&close = dlsym(library, "depth_close");
    depth_open_options options = DEPTH_OPEN_OPTIONS_INIT;
    depth_picture photo = DEPTH_PICTURE_INIT;
    depth_map map = DEPTH_MAP_INIT;
    depth_failure failure = DEPTH_FAILURE_INIT;
    depth_estimator *estimator = 0;
    const char *compact[] = {"compact"};
    options.weights = compact, options.weights_count = 1, options.threads = 2;
    photo.format = DEPTH_PICTURE_RGB, photo.bytes = pixels, photo.byte_count = sizeof pixels;
    photo.height = 240, photo.width = 320;
    map.values = values, map.value_count = 240 * 320;
    if (open(&options, &estimator, &failure) != DEPTH_OK ||
        estimate(estimator, &photo, 0, &map, 0, &failure) != DEPTH_OK)
      return fprintf(stderr, "%s\n", failure.message), 1;
    close(estimator);
    dlclose(library);
    usleep(20000); /* for threads that would wake up in code that is gone */
  }
  puts("unloaded");
  return 0;
}
END
${CC:-cc} -std=gnu99 -Wall -Wextra -Werror -I "$folder/libdepth" "$folder/unloading.c" -o "$folder/unloading" -ldl
[ "$("$folder/unloading" "$folder/libdepth/libdepth.so.1")" = unloaded ] || { echo "test-c: a program that unloads the library ended" >&2; exit 1; }
