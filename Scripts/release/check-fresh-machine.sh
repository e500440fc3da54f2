#!/usr/bin/env bash
# Runs README's commands, and the Dockerfile's steps, in a fresh Debian 12 with nothing but Swift; says how long each took.
#   Scripts/release/check-fresh-machine.sh FOLDER [--tests]
# Needs root, debootstrap (DEBOOTSTRAP names another program) and the network. The roots are made in FOLDER and removed at
# the end, unless KEEP is set. SITE_FILES names files that a machine at this place needs to reach the network, such as certificates or
# /etc/gitconfig; they are copied. With --tests also the second of README's commands, which takes long. The commit that is checked out is
# what is tested; changes that are not committed are not.
set -euo pipefail
folder=$(realpath -m "${1:?usage: Scripts/release/check-fresh-machine.sh FOLDER [--tests]}")
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "check-fresh-machine: must be run as root" >&2; exit 1; }
swift=$(dirname "$(dirname "$(dirname "$(realpath "$(command -v swift)")")")")
mirror=${MIRROR:-http://deb.debian.org/debian}
summary=

step() {
  local name=$1 start=$SECONDS
  shift
  echo "== $name"
  "$@"
  summary+=$(printf '%5d s  %s' $((SECONDS - start)) "$name")$'\n'
}

# Runs a command in a root, with Swift in its path and nothing of this machine's environment.
inside() {
  local root=$1
  shift
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH="$swift/usr/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" "$@"
}

mounted=()
fresh() {
  local root=$1
  mkdir -p "$folder"
  ${DEBOOTSTRAP:-debootstrap} --variant=minbase bookworm "$root" "$mirror" >"$root.log"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  for file in ${SITE_FILES:-}; do
    mkdir -p "$root$(dirname "$file")"
    cp -r "$file" "$root$file"
  done
  for place in proc dev; do
    mount --rbind "/$place" "$root/$place"
    mounted+=("$root/$place")
  done
}

clean() {
  for place in "${mounted[@]}"; do umount -l "$place" || true; done
  [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$folder/machine" "$folder/image" "$folder"/{machine,image}.log
}
trap clean EXIT

add_swift() {
  # What https://www.swift.org/install asks for on Debian 12, and git for the packages that SwiftPM fetches.
  inside "$folder/machine" apt-get update -qq
  inside "$folder/machine" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    ca-certificates git binutils-gold gcc libc6-dev libcurl4-openssl-dev libedit2 libgcc-12-dev libncurses-dev \
    libpython3-dev libsqlite3-0 libstdc++-12-dev libxml2-dev libz3-dev pkg-config python3 tzdata unzip zlib1g-dev >/dev/null
  mkdir -p "$folder/machine$swift"
  mount --bind -o ro "$swift" "$folder/machine$swift"
  mounted=("$folder/machine$swift" "${mounted[@]}")
  git clone -q . "$folder/machine/src"
}

readme() { inside "$folder/machine" bash -ec "cd /src && $1"; }

docker_steps() {
  # The RUN lines of the stage that builds, in their order.
  sed -n '/AS build/,/^FROM debian/s/^RUN //p' Dockerfile | while IFS= read -r line; do
    inside "$folder/machine" bash -ec "cd /src && $line" </dev/null
  done
}

image() {
  fresh "$folder/image"
  inside "$folder/image" bash -ec "$(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' Dockerfile | sed -n '/^FROM debian/,$s/^RUN //p' | head -n 1)" >/dev/null
  cp -r "$folder/machine/out/usr/local/." "$folder/image/usr/local/"
  inside "$folder/image" ldconfig
  cp Examples/living-room.jpg "$folder/image/tmp/"
  inside "$folder/image" depth predict /tmp/living-room.jpg -o /tmp/depth.png --json
}

step "debootstrap" fresh "$folder/machine"
step "what Swift needs" add_swift
step "Scripts/try.sh" readme Scripts/try.sh
# The lines of Documentation/Programs.md, as they are printed there.
# shellcheck disable=SC2016  # Markdown's backquotes
c_section() { sed -n '/^## C and other languages/,/^## /p' Documentation/Programs.md | sed -n '/^```sh/,/^```/p' | sed '/^```/d'; }
step "C, as printed" readme "$(c_section)"
[ "${2:-}" != --tests ] || step "Scripts/test.sh" readme Scripts/test.sh
step "Dockerfile: build" docker_steps
step "Dockerfile: image" image
printf '%s' "$summary"
