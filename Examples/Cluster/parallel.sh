#!/usr/bin/env bash
# One process per shard with GNU parallel, or with xargs where that is not installed:
#   parallel.sh PHOTOS MAPS SHARDS [JOBS]
# GNU parallel also runs them on other machines: PARALLEL='--sshlogin host1,host2' parallel.sh …
# `depth predict` uses all processors of a machine by itself; several processes are for several machines, and for
# limits of memory per process. Run it again to go on where it stopped: photos whose maps are there are left. With
# PARALLEL='--joblog jobs.log --resume-failed' shards that are done are not even started again.
set -euo pipefail
[ $# -ge 3 ] || { echo "usage: parallel.sh PHOTOS MAPS SHARDS [JOBS]" >&2; exit 64; }
photos=$1 maps=$2 shards=$3 jobs=${4:-2}
mkdir -p "$maps"
command=(depth predict "$photos" --recursive --output-dir "$maps" --skip-existing --quiet --threads 1)
if command -v parallel >/dev/null; then
  seq "$shards" | parallel --will-cite -q -j "$jobs" "${command[@]}" --shard "{}/$shards" --manifest "$maps/shard-{}-of-$shards.jsonl"
else
  seq "$shards" | xargs -P "$jobs" -I '{}' "${command[@]}" --shard "{}/$shards" --manifest "$maps/shard-{}-of-$shards.jsonl"
fi
