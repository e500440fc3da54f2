#!/usr/bin/env bash
# Times networks here and in other engines, in turn, and writes the tables of Benchmarks:
#   Benchmarks/compare-peers.sh [FOLDER [fcrn|depth-anything|all]]
# FOLDER keeps models and the peers' Python between calls. RESULTS.md has FCRN-50 in OpenVINO, ncnn and ONNX Runtime, DEPTH-ANYTHING.md has Depth
# Anything V2 Small in OpenVINO and ONNX Runtime, both float32 and int8. The second one exports its model with PyTorch and `transformers`, from
# Benchmarks/peers/.venv or PEERS_VENV; the first use makes it (6 GB on Linux, where PyTorch brings CUDA with it).
# DEPTH_ANYTHING_SIZE=tiny with DEPTH_ANYTHING_INPUTS="252x252 336x252" and PEER_OPTIONS="--rounds 1 --runs 1" tries the second one in a minute,
# and then RESULTS_FOLDER should be another one than Benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-.build/peers}")
part=${2:-all}
case $part in fcrn | depth-anything | all) ;; *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;; esac
results=${RESULTS_FOLDER:-Benchmarks}
mkdir -p "$folder" "$results"
export PYTHONDONTWRITEBYTECODE=1
python=$folder/venv/bin/python
if ! [ -x "$python" ]; then
  python3 -m venv "$folder/venv"
  "$python" -m pip install --quiet --disable-pip-version-check -r Benchmarks/peers/requirements.txt
fi
swift build -c release --product depth
depth=$(swift build -c release --show-bin-path)/depth
photos=(Examples/{living-room,fruit-bowl,dining-table}.jpg)

if [ "$part" != depth-anything ]; then
  if ! [ -f "$folder/deconv5.ncnn.bin" ]; then
    PYTHONPATH=Scripts/convert "$python" Benchmarks/peers/export.py "$folder"
    (cd "$folder" && venv/bin/pnnx deconv5.onnx 'inputshape=[1,3,228,304]' 'inputshape2=[1,3,228,304]' >pnnx.log)
  fi
  if ! [ -f "$folder/full-int8.h5" ]; then
    "$python" Benchmarks/peers/quantize.py "$folder" "${photos[@]}"
    "$depth" weights calibrate "$folder/full.h5" "$folder/photos" -o "$folder/full-int8.h5" --depth-scale 1000 --photos 8 --frames 1
  fi
  "$python" Benchmarks/peers/compare.py "$depth" "$folder" "$results/RESULTS.md"
fi

if [ "$part" != fcrn ]; then
  size=${DEPTH_ANYTHING_SIZE:-small}
  read -ra inputs <<<"${DEPTH_ANYTHING_INPUTS:-518x518 686x518}"
  options=()
  for input in "${inputs[@]}"; do options+=(--input "$input"); done
  models=$folder/depth-anything-$size
  if ! [ -f "$models/${inputs[-1]}.onnx" ]; then
    source Scripts/lib/environment.sh
    environment=${PEERS_VENV:-Benchmarks/peers/.venv}
    python_environment compare-peers "$environment" Benchmarks/peers/depth-anything-requirements.txt
    "$environment/bin/python" Benchmarks/peers/export_depth_anything.py "$models" "${photos[@]}" --size "$size" "${options[@]}"
  fi
  if ! [ -f "$models/${inputs[-1]}-int8.onnx" ]; then
    "$python" Benchmarks/peers/quantize_depth_anything.py "$models" "${inputs[@]}"
  fi
  read -ra more <<<"${PEER_OPTIONS:-}"
  "$python" Benchmarks/peers/compare_transformers.py "$depth" "$models" "$results/DEPTH-ANYTHING.md" "${options[@]}" \
    --name "Depth Anything V2 ${size^}" "${more[@]}"
fi
