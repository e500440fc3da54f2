#!/usr/bin/env bash
# Times FCRN-50 here and in OpenVINO, ncnn and ONNX Runtime, float32 and int8, in turn, and writes Benchmarks/RESULTS.md.
#   Scripts/compare-peers.sh [FOLDER]       FOLDER keeps models and the peers' Python between calls
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-.build/peers}")
mkdir -p "$folder"
python=$folder/venv/bin/python
if ! [ -x "$python" ]; then
  python3 -m venv "$folder/venv"
  "$python" -m pip install --quiet --disable-pip-version-check -r Scripts/peers/requirements.txt
fi
if ! [ -f "$folder/deconv5.ncnn.bin" ]; then
  PYTHONPATH=Scripts/convert PYTHONDONTWRITEBYTECODE=1 "$python" Scripts/peers/export.py "$folder"
  (cd "$folder" && venv/bin/pnnx deconv5.onnx 'inputshape=[1,3,228,304]' 'inputshape2=[1,3,228,304]' >pnnx.log)
fi
swift build -c release --product depth
depth=$(swift build -c release --show-bin-path)/depth
if ! [ -f "$folder/full-int8.h5" ]; then
  "$python" Scripts/peers/quantize.py "$folder" Examples/{living-room,fruit-bowl,dining-table}.jpg
  "$depth" weights calibrate "$folder/full.h5" "$folder/photos" -o "$folder/full-int8.h5" --depth-scale 1000 --photos 8 --frames 1
fi
PYTHONDONTWRITEBYTECODE=1 "$python" Scripts/peers/compare.py \
  "$depth" "$folder" Benchmarks/RESULTS.md
