# shellcheck shell=bash
# Sourced in the package's folder by scripts that make a program for use.
#
#   write_revision PROGRAM
#
# Writes the commit into a linked program, for `depth --version`: DEPTH_REVISION, or that of the clone. In an archive of the sources
# there is none. A variable of the compiler would compile every target again for each commit.
write_revision() {
  local revision=${DEPTH_REVISION:-}
  if [ -z "$revision" ] && [ -e .git ]; then
    revision=$(git describe --always --exclude '*' --abbrev=8 --dirty 2>/dev/null || true)
  fi
  [ -n "$revision" ] && command -v objcopy >/dev/null || return 0
  local section
  section=$(mktemp)
  printf '%-24.24s' "$revision" | tr ' ' '\0' >"$section"
  objcopy --update-section ".depth_revision=$section" "$1"
  rm "$section"
}
