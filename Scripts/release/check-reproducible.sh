#!/usr/bin/env bash
# Makes a release twice, in clones, home folders, build folders and environments that differ, and compares all files to the byte.
#   Scripts/release/check-reproducible.sh [FOLDER]
# The clones are made in FOLDER, a new one by default, and removed at the end unless KEEP is set. Takes two whole builds.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "${1:-$(mktemp -d)}")
mkdir -p "$folder"
trap '[ -n "${KEEP:-}" ] || rm -rf "$folder"' EXIT
config=${GIT_CONFIG_GLOBAL:-$HOME/.gitconfig}

# make CLONE HOME BUILD OUTPUT [VARIABLE=VALUE…]
make() {
  local clone=$folder/$1 home=$folder/$2 build=$folder/$3 output=$folder/$4
  shift 4
  git clone -q . "$clone"
  mkdir -p "$home"
  echo "== $clone"
  env "$@" HOME="$home" GIT_CONFIG_GLOBAL="$config" BUILD="$build" "$clone/Scripts/release/build.sh" "$output" --without-wheel >"$output.log" 2>&1 ||
    { tail -n 20 "$output.log" >&2; exit 1; }
  rm -rf "$clone" "$build"
}

make one home one/.build/release-build first TZ=UTC LANG=C
(umask 077 && make clone-of-another-name other/home another/place/to-build-in second TZ=Asia/Tokyo LANG=C.UTF-8)

status=0
for file in "$folder"/first/*; do
  other=$folder/second/${file##*/}
  if cmp -s "$file" "$other"; then
    echo "the same: ${file##*/}"
  else
    echo "check-reproducible: ${file##*/} differs in $(cmp -l "$file" "$other" | wc -l) bytes" >&2
    status=1
  fi
done
[ "$(ls "$folder/first")" = "$(ls "$folder/second")" ] || { echo "check-reproducible: the names of files differ" >&2; status=1; }
exit $status
