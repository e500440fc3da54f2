#!/usr/bin/env bash
# Builds the package in Examples/Consumer, which uses this one as a dependency, takes its programs away from the build
# with their resources, and runs them there: a stereo pipeline, a concurrent server and a robot's worker.
#   Scripts/checks/run-examples.sh [PHOTOS]      PHOTOS go through the server's memory test, 200 by default
# It shares the folder of the package's own build, made with the same options, so that little is compiled twice.
# STRICT=1 makes throughput and the time of cancelling bars too, which only an idle machine meets.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DEPTH_WEIGHTS

build=(--package-path Examples/Consumer --scratch-path .build -c release -Xswiftc -enable-testing)
swift build "${build[@]}" 2>&1 | tail -n 1
products=$(swift build "${build[@]}" --show-bin-path)
mkdir "$folder/away"
cp "$products"/{StereoPipeline,ConcurrentServer,RobotWorker} "$folder/away/"
cp -r "$products/swift-depth_DepthWeights.resources" "$folder/away/"
cd "$folder/away"

echo "== StereoPipeline"
./StereoPipeline "$root/Examples/living-room.jpg" "$folder/anaglyph.png"
[ -s "$folder/anaglyph.png" ]
echo "== RobotWorker"
./RobotWorker swift-depth_DepthWeights.resources/fcrn-lite2-nyu-int8.h5
echo "== RobotWorker, one thread by OMP_NUM_THREADS"
OMP_NUM_THREADS=1 ./RobotWorker swift-depth_DepthWeights.resources/fcrn-lite2-nyu-int8.h5
echo "== ConcurrentServer"
./ConcurrentServer "$root/Examples/living-room.jpg" "${1:-200}"

echo "== without its resources"
mkdir "$folder/alone"
cp StereoPipeline "$folder/alone/"
cd "$folder/alone"
status=0
said=$(./StereoPipeline "$root/Examples/living-room.jpg" "$folder/none.png") || status=$?
case "$status $said" in
  "1 "*"not installed"*) echo "$said" ;;
  *)
    echo "run-examples: without its resources a program says: $said (status $status)" >&2
    exit 1
    ;;
esac
