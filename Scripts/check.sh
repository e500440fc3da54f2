#!/usr/bin/env bash
# All checks, from a clean clone on: what continuous integration runs. Cheap ones come first. Prints the minutes of each.
#   Scripts/check.sh [--quick | --complete]
# --quick ends after Scripts/test.sh, for before a commit. Steps and tests whose program is missing are skipped and named; with
# --complete, as in ci.yml, they fail. A step says by status 69 that a program is missing.
# Longer checks are in Scripts/checks/check-long.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
quick=
case ${1:-} in
  "") ;;
  --quick) quick=1 ;;
  --complete) export DEPTH_COMPLETE=1 ;;
  *) echo "usage: Scripts/check.sh [--quick | --complete]" >&2; exit 64 ;;
esac

summary=
logs=$(mktemp -d)
trap 'jobs -p | xargs -r kill 2>/dev/null; rm -rf "$logs"' EXIT
# Starts a step in the background; `joined` waits for it, shows what it printed, and fails as `step` does. Modules that the
# compiler builds one after another leave a processor idle, so what needs no build costs next to nothing beside one.
beside() {
  local name=$1
  shift
  (
    start=$SECONDS status=0
    "$@" || status=$?
    echo "$((SECONDS - start)) s of its own, beside other steps"
    exit "$status"
  ) >"$logs/$name" 2>&1 &
  beside_jobs[$name]=$!
}
declare -A beside_jobs
# shellcheck disable=SC2317  # called through step
joined() {
  local name=$1 status=0
  wait "${beside_jobs[$name]}" || status=$?
  cat "$logs/$name"
  return "$status"
}
step() {
  local name=$1 start=$SECONDS status=0
  shift
  echo "== $name"
  "$@" || status=$?
  if [ -z "${DEPTH_COMPLETE:-}" ] && [ "$status" = 69 ]; then
    name+=" (skipped: a program is missing)"
  elif [ "$status" != 0 ]; then
    printf '%s' "$summary"
    echo "check: failed: $name" >&2
    exit "$status"
  fi
  local line
  line=$(awk -v s=$((SECONDS - start)) -v n="$name" 'BEGIN { printf "%5.1f min  %s", s / 60, n }')
  echo "== $line"
  summary+=$line$'\n'
}
finish() {
  echo "longest files:"
  git ls-files 'Sources/*.swift' 'Sources/*.[ch]' 'Tools/*.swift' 'Tests/*.swift' | xargs wc -l | grep -v ' total$' | sort -rn | sed -n 1,3p
  printf '%s' "$summary"
  awk -v s="$SECONDS" 'BEGIN { printf "%5.1f min  in all\n", s / 60 }'
  exit
}

[ -n "$quick" ] || step "linters, and programs that tests ask" Scripts/checks/install-test-tools.sh
source Scripts/lib/readers.sh
step "links inside documents" Scripts/checks/check-links.py
step "raw memory" Scripts/checks/check-unsafe.sh
step "layers" Scripts/checks/check-layers.sh
step "shell and Python scripts" Scripts/checks/check-scripts.sh
step "format" swift format lint --strict --recursive Package.swift Sources Tests Tools Snippets Weights Examples
if [ -z "$quick" ]; then
  tiles="tiles of AMX, on a model under sanitizers" arm64="arm64 kernels under emulation"
  beside "$tiles" Scripts/checks/check-tiles.sh 40
  beside "$arm64" Scripts/checks/check-arm64.sh
fi
step "Scripts/test.sh" Scripts/test.sh
[ -z "$quick" ] || finish
built=(-Xswiftc -enable-testing)  # as Scripts/test.sh built it
step "public symbols as listed" Scripts/checks/check-face.sh "${built[@]}"
step "documentation without a warning" Scripts/checks/check-docs.sh "${built[@]}"
step "library for C" Scripts/checks/test-c.sh "${built[@]}"
step "damaged inputs" Scripts/checks/test-damaged.sh 20
step "examples of README and guides" Scripts/checks/check-guides.py
step "films by other versions of ffmpeg" Scripts/checks/test-ffmpeg.sh -c release "${built[@]}"
step "$tiles" joined "$tiles"
step "$arm64" joined "$arm64"
step "examples as a consumer" Scripts/checks/run-examples.sh
step "Python package" Scripts/checks/test-python.sh "${built[@]}"
step "slow tests: pages in a browser, memory, models" Scripts/checks/test-slow.sh
finish
