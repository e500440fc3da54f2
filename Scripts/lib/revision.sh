# shellcheck shell=bash
# Sourced in the package's folder by scripts that build the program for use: exports DEPTH_REVISION, the commit that `depth --version`
# says, unless it is set. Package.swift gives it to the compiler. Without git and in an archive of the sources there is none.
if [ -z "${DEPTH_REVISION+set}" ] && [ -e .git ]; then
  DEPTH_REVISION=$(git describe --always --exclude '*' --abbrev=8 --dirty 2>/dev/null || true)
fi
export DEPTH_REVISION
