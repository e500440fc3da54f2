#!/usr/bin/env bash
# One shard per task of a Slurm array: PHOTOS=/data/photos MAPS=/data/maps sbatch slurm-array.sh
# The argument is the number of shards, by default as many as the array's largest index says. Shards 3 and 7 of 16 once more:
#   PHOTOS=… MAPS=… sbatch --array=3,7 slurm-array.sh 16
# Arrays that begin with 0 are counted from 0; FIRST=0 says so of a part of one.
# Photos that cannot be read are listed in the shard's manifest with "error", and counted; the task has done its work and ends with 0.
# A task that is killed or requeued goes on where it stopped; any array may be submitted again, also with another number of
# tasks, since files that are there are left.
#SBATCH --job-name=depth
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --requeue
set -euo pipefail
: "${PHOTOS:?a folder of photos}" "${MAPS:?a folder for depth maps}"
first=${FIRST:-$((SLURM_ARRAY_TASK_MIN > 0))}
shards=${1:-$((SLURM_ARRAY_TASK_MAX + 1 - first))}
shard=$((SLURM_ARRAY_TASK_ID + 1 - first))
if [ "$shard" -lt 1 ] || [ "$shard" -gt "$shards" ]; then
  echo "slurm-array: task $SLURM_ARRAY_TASK_ID, expected $first to $((shards - 1 + first)) for $shards shards" >&2
  exit 64
fi
mkdir -p "$MAPS"
manifest=$MAPS/shard-$shard-of-$shards.jsonl
status=0
depth predict "$PHOTOS" --recursive --output-dir "$MAPS" --skip-existing --quiet \
  --shard "$shard/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}" --manifest "$manifest" || status=$?
if [ "$status" = 1 ] && [ -s "$manifest" ]; then
  echo "shard $shard: $(grep '"error":"' "$manifest" | grep -o '"path":"[^"]*"' | sort -u | wc -l) photos failed, see $manifest" >&2
  status=0
fi
exit "$status"
