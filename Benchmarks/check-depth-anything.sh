#!/usr/bin/env bash
# Compares the depth of a photo here with that of `transformers`, from the same weights of Depth Anything V2.
#
#   Benchmarks/check-depth-anything.sh WEIGHTS PHOTO [--kind relative|indoor|outdoor]
#
# WEIGHTS is the hub's folder, its `model.safetensors` with `config.json` beside it, or the authors' `.pth`, which
# needs --kind unless it has its published name. Prints sizes, and the largest and the mean difference, in metres for
# metric weights, and as a share of the map's range.
#
# Exit status 0: the largest difference is at most 1e-4 of the range. 1: it is above, or one sentence says why nothing
# was compared. 64: usage. DEPTH names the program (default: .build/release/depth), PEERS_VENV the folder of a Python
# with `transformers` and PyTorch (default: Benchmarks/peers/.venv). The first use makes it: 6 GB on Linux, where PyTorch
# brings CUDA with it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
depth=${DEPTH:-$root/.build/release/depth}

fail() {
  echo "check-depth-anything: error: $1" >&2
  exit 1
}

usage() {
  echo "usage: check-depth-anything.sh WEIGHTS PHOTO [--kind relative|indoor|outdoor]" >&2
  exit 64
}

paths=()
kind=()
while [ $# -gt 0 ]; do
  case $1 in
    --kind)
      case ${2:-} in indoor | outdoor | relative) kind=(--kind "$2") ;; *) usage ;; esac
      shift
      ;;
    -?*) usage ;;
    *) paths+=("$1") ;;
  esac
  shift
done
if [ ${#paths[@]} -ne 2 ] || [ -z "${paths[0]}" ] || [ -z "${paths[1]}" ]; then usage; fi
weights=${paths[0]}
photo=${paths[1]}

[ ! -d "$weights" ] || weights=${weights%/}/model.safetensors
[ -f "$weights" ] || fail "'$weights' does not exist"
case $weights in
  model.safetensors | */model.safetensors)
    [ -f "$(dirname "$weights")/config.json" ] || fail "there is no config.json beside '$weights'"
    ;;
  *.safetensors) fail "'$weights' has another name than the hub's, model.safetensors" ;;
esac
[ -f "$photo" ] || fail "'$photo' does not exist"
[ -x "$depth" ] || fail "there is no program '$depth': build it, or name one with DEPTH"

# shellcheck source=Scripts/lib/environment.sh
source "$root/Scripts/lib/environment.sh"
environment=${PEERS_VENV:-$root/Benchmarks/peers/.venv}
python_environment check-depth-anything "$environment" "$root/Benchmarks/peers/depth-anything-requirements.txt"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
peer() {
  PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" "$root/Benchmarks/peers/$1" "${@:2}"
}

said=()
[ ${#kind[@]} -eq 0 ] || said=(--weights-kind "${kind[1]}")
# One decoder for both: those of JPEG differ in their last bits.
peer upright.py "$photo" "$folder/photo.png"
refusal=$("$depth" predict "$folder/photo.png" --weights "$weights" "${said[@]}" --refine none --focal-length none \
  -o "$folder/depth.npy" --quiet 2>&1) || fail "${refusal//"$folder/"/}"
peer compare_depth_anything.py "$weights" "$folder/photo.png" "$folder/depth.npy" "$folder" "${kind[@]}"
