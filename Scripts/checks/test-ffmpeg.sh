#!/usr/bin/env bash
# Runs tests of films with other versions of ffmpeg than the system's: those in packages of Python's index, which hold ffmpeg alone, so
# that ffprobe and the films of the tests are the system's. Scripts/test.sh builds the tests.
#   Scripts/checks/test-ffmpeg.sh [OPTIONS OF swift test]
# FFMPEG_FOLDER keeps the programs; by default in .build.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${FFMPEG_FOLDER:-$PWD/.build/ffmpeg}
if [ "$(uname -sm)" != "Linux x86_64" ] || ! command -v ffprobe >/dev/null; then
  echo "test-ffmpeg: it needs Linux on x86-64 and ffprobe" >&2
  exit 69
fi
status=0
# The package's version and that of ffmpeg in it.
for versions in 0.6.0=7.0 0.8.1=9.0; do
  package=${versions%=*} version=${versions#*=}
  programs=$folder/$version
  if [ ! -x "$programs/ffmpeg" ]; then
    mkdir -p "$programs"
    if ! python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --upgrade \
      --target "$programs/package" "imageio-ffmpeg == $package"; then
      echo "test-ffmpeg: ffmpeg $version is not installed; it needs pip and the Python package index" >&2
      status=69
      continue
    fi
    chmod +x "$programs"/package/imageio_ffmpeg/binaries/ffmpeg-*
    ln -sf "$(echo "$programs"/package/imageio_ffmpeg/binaries/ffmpeg-*)" "$programs/ffmpeg"
  fi
  "$programs/ffmpeg" -version | sed -n 1p
  # Two tests compare time bases and rates of frames, which versions write differently.
  PATH=$programs:$PATH swift test "$@" --skip-build --filter 'FilmColorTests|FilmFrameKindTests|VideoTests|VideoChromaTests|gapsInSoundStay' \
    --skip 'oddFilms|everythingElseStays' 2>&1 | Scripts/checks/check-skipped.sh
done
exit "$status"
