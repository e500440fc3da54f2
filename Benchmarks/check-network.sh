#!/usr/bin/env bash
# Compares the depth of a photo here with that of the authors' code, or of `transformers`, from the same weights.
#
#   Benchmarks/check-network.sh WEIGHTS PHOTO [--kind relative|indoor|outdoor] [--code FOLDER]...
#
# WEIGHTS is what `depth weights fetch` has downloaded, or the same file from elsewhere: the authors' .pth or .pt, or the
# hub's folder, its `model.safetensors` with `config.json` beside it.
#
#   Depth Anything V2   is compared with `transformers`; a .pth needs --kind unless it has its published name
#   ZipDepth            with --code FOLDER, a copy of github.com/fabiotosi92/ZipDepth
#   MoGe-2              with --code FOLDER --code UTILS3D, copies of github.com/microsoft/MoGe and of
#                       github.com/EasternJournalist/utils3d; the field of view is 60 degrees in both
#
# Prints sizes, and the largest and the mean difference, in metres for metric weights, and as a share of the map's range.
#
# Exit status 0: the largest difference is at most 1e-4 of the range. 1: it is above, or one sentence says why nothing
# was compared. 64: usage. DEPTH names the program (default: .build/release/depth), PEERS_VENV the folder of a Python
# with PyTorch and `transformers` (default: Benchmarks/peers/.venv). The first use makes it: 6 GB on Linux, where PyTorch
# brings CUDA with it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
depth=${DEPTH:-$root/.build/release/depth}

fail() {
  echo "check-network: error: $1" >&2
  exit 1
}

usage() {
  echo "usage: check-network.sh WEIGHTS PHOTO [--kind relative|indoor|outdoor] [--code FOLDER]..." >&2
  exit 64
}

paths=()
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --kind)
      case ${2:-} in indoor | outdoor | relative) options+=(--kind "$2") ;; *) usage ;; esac
      shift
      ;;
    --code)
      [ -n "${2:-}" ] || usage
      [ -d "$2" ] || fail "'$2' is no folder, expected a copy of the authors' code"
      options+=(--code "$2")
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
python_environment check-network "$environment" "$root/Benchmarks/peers/depth-anything-requirements.txt"
PYTHONDONTWRITEBYTECODE=1 exec "$environment/bin/python" "$root/Benchmarks/peers/compare_network.py" \
  "$depth" "$weights" "$photo" "${options[@]}"
