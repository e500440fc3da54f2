#!/usr/bin/env bash
# One shard per task of a Slurm array: PHOTOS=/data/photos MAPS=/data/maps sbatch slurm-array.sh
# A task that is killed or requeued goes on where it stopped; any array may be submitted again, also with another number of
# tasks, since files that are there are left.
#SBATCH --job-name=depth
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#SBATCH --requeue
set -euo pipefail
: "${PHOTOS:?a folder of photos}" "${MAPS:?a folder for depth maps}"
mkdir -p "$MAPS"
exec depth predict "$PHOTOS" --recursive --output-dir "$MAPS" --skip-existing --quiet \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --manifest "$MAPS/shard-$SLURM_ARRAY_TASK_ID-of-$SLURM_ARRAY_TASK_COUNT.jsonl"
