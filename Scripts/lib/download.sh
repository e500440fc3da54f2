# shellcheck shell=bash
# Sourced by the scripts that download. They set `program`, the name that errors begin with, and before `download` also `by_hand`,
# what else the user can do.

fail() {
  echo "${program:?}: error: $1" >&2
  exit 1
}

digest() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

size() {
  wc -c <"$1" | tr -d ' '
}

# How the file $1 differs from $2 bytes of the SHA-256 $3; nothing where it does not.
mismatch() { # FILE BYTES SHA256
  local found
  found=$(size "$1")
  if [ "$found" -ne "$2" ]; then
    echo "$found bytes, expected $2"
  else
    found=$(digest "$1")
    [ "$found" = "$3" ] || echo "SHA-256 $found, expected $3"
  fi
}

# Ends the script where curl's status is that of a server out of reach, or without the file $2.
require_reachable() { # STATUS URL REASON
  case $1 in
    5 | 6 | 7 | 28 | 35) fail "no connection to $2 ($3); run this again when online, ${by_hand:?}" ;;
    22) fail "the server does not give $2 ($3); $by_hand" ;;
  esac
}

# Downloads $3 bytes from $2 to $1, from where an earlier attempt ended, for as long as each attempt brings
# something.
download() { # FILE URL BYTES
  local have before=-1 status reason
  while have=$([ ! -f "$1" ] || size "$1") && have=${have:-0} && [ "$have" -lt "$3" ]; do
    [ "$have" -gt "$before" ] || fail "the download stopped: $reason; run this again to resume at byte $have, $by_hand"
    before=$have
    [ "$have" -eq 0 ] || echo "$program: resuming at byte $have of $3" >&2
    status=0
    reason=$(curl --fail --location --silent --show-error --connect-timeout 20 --speed-limit 1024 \
      --speed-time 60 --continue-at "$have" --output "$1" "$2" 2>&1 >/dev/null | tail -n 1) || status=$?
    reason=${reason#curl: }
    [ $status -ne 0 ] || reason="the server's file ended early"
    require_reachable $status "$2" "$reason"
    if [ $status -eq 33 ]; then # The server cannot resume: begin again.
      rm -f "$1"
      [ "$have" -gt 0 ] || fail "the download stopped: $reason"
      before=-1
    fi
  done
}

require_curl() {
  command -v curl >/dev/null || fail "there is no curl to download with; install it, ${by_hand:?}"
}
