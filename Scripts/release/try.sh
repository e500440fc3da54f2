#!/usr/bin/env bash
# Installs and tries a release's program and Debian package in bare roots that know nothing else of it.
#   Scripts/release/try.sh OUTPUT_DIR FOLDER [SUITE=MIRROR ...]
# OUTPUT_DIR is what Scripts/release/build.sh made. Needs root and debootstrap. The roots are made in FOLDER, one for each suite, and
# removed at the end unless KEEP is set. By default Debian 12 and 13 and Ubuntu 24.04. DEBOOTSTRAP_OPTIONS has further options, such as
# --no-check-gpg where Ubuntu's keyring is not installed. The glibc that the program needs excludes Debian 11.
set -euo pipefail
usage="usage: Scripts/release/try.sh OUTPUT_DIR FOLDER [SUITE=MIRROR ...]"
output=$(realpath "${1:?$usage}") folder=$(realpath -m "${2:?$usage}")
shift 2
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo "try: must be run as root" >&2; exit 1; }
debian=${MIRROR:-http://deb.debian.org/debian}
[ $# -gt 0 ] || set -- "bookworm=$debian" "trixie=$debian" "noble=${UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}"
program=$(cd "$output" && echo depth-*-linux-x86_64.tar.gz)
package=$(cd "$output" && echo swift-depth_*_amd64.deb)
(cd "$output" && sha256sum --quiet -c SHA256SUMS)

root=
clean() {
  [ -n "$root" ] || return 0
  umount -l "$root/proc" "$root/dev" 2>/dev/null || true
  [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root" "$root.log"
}
trap clean EXIT

inside() { chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@"; }

# Runs the program in the bare root and checks the files it wrote.
predict() {
  inside sh -ec "cd /tmp && rm -f photo_depth* && '$1' photo.jpg --view && '$1' export photo.jpg -o room.glb --overwrite"
  for file in photo_depth.png photo_depth_view.jpg room.glb; do
    [ -s "$root/tmp/$file" ] || { echo "try: $1 did not write $file" >&2; exit 1; }
  done
}

for suite in "$@"; do
  mirror=${suite#*=} suite=${suite%%=*} root=$folder/${suite%%=*}
  echo "== $suite"
  mkdir -p "$folder"
  # A suite that is newer than debootstrap is made as the suites before it.
  script=
  if [ ! -e "/usr/share/debootstrap/scripts/$suite" ]; then
    case $mirror in *ubuntu*) script=jammy ;; *) script=sid ;; esac
  fi
  # shellcheck disable=SC2086  # options are words
  debootstrap ${DEBOOTSTRAP_OPTIONS:-} --variant=minbase "$suite" "$root" "$mirror" ${script:+"/usr/share/debootstrap/scripts/$script"} >"$root.log" 2>&1 ||
    { tail -n 3 "$root.log" >&2; exit 1; }
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
  cp Examples/living-room.jpg "$root/tmp/photo.jpg"
  tar -C "$root/opt" -xzf "$output/$program"
  predict "/opt/${program%.tar.gz}/bin/depth"
  before=$(inside find /usr /etc /opt | sort | sha256sum)
  cp "$output/$package" "$root/tmp/"
  inside dpkg -i "/tmp/$package"
  predict depth
  inside dpkg -r swift-depth
  [ "$before" = "$(inside find /usr /etc /opt | sort | sha256sum)" ] || { echo "try: removing the package left files" >&2; exit 1; }
  echo "$suite: program and package installed, ran, and removed"
  clean
  root=
done
