#!/usr/bin/env bash
# How many files of Sources take part in a command: those of which at least one function runs.
#   Scripts/files-run.sh PHOTO [--list]      builds `depth` with coverage (minutes; kept in .build/coverage), then prints one line a
#                                            walk; --list names the files
# Numerics and codecs are counted apart: the folders of NUMERICS.
set -euo pipefail
photo=$(realpath "$1") list=${2:-}
cd "$(dirname "$0")/.."
swift build -c release --product depth --scratch-path .build/coverage -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping >&2
program=$PWD/.build/coverage/release/depth
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
count() {
  "$tools/llvm-profdata" merge -o "$1.profdata" "$1"-*.profraw
  "$tools/llvm-cov" export -summary-only -instr-profile "$1.profdata" "$program" >"$1.json"
  python3 - "$1" "$list" <<'PYTHON'
import collections, json, sys
NUMERICS = ("NeuralEngine/", "DepthNetworks/", "DepthRefinement/", "DepthImages/", "PictureFiles/", "ViewSynthesis/", "DepthEffects/",
            "DepthBase/InstructionSets/")
files = json.load(open(sys.argv[1] + ".json"))["data"][0]["files"]
ran = sorted(file["filename"].rsplit("/Sources/", 1)[1] for file in files
             if "/checkouts/" not in file["filename"] and "/Sources/" in file["filename"] and file["summary"]["functions"]["covered"])
others = [name for name in ran if not name.startswith(NUMERICS)]
targets = collections.Counter(name.split("/")[0] for name in others)
print(f"{sys.argv[1]:8s} files {len(ran):4d}, outside numerics and codecs {len(others):4d}:",
      ", ".join(f"{target} {number}" for target, number in targets.most_common()))
if sys.argv[2] == "--list":
    print("\n".join("  " + name for name in others))
PYTHON
}
profile() { LLVM_PROFILE_FILE=$1-%p.profraw "$program" "${@:2}" >/dev/null 2>&1; }
profile predict predict "$photo" -o map.png
count predict
LLVM_PROFILE_FILE=post-%p.profraw "$program" serve --port 0 >address 2>/dev/null &
server=$!
while ! [ -s address ]; do kill -0 $server && sleep .1; done
curl -s --data-binary @"$photo" -H 'Accept: application/x-npy' "$(cat address)v1/depth" -o map.npy
kill -TERM $server
wait $server || true
count post
ffmpeg -v error -f lavfi -i testsrc=size=320x240:rate=10:duration=1 -pix_fmt yuv420p in.mp4
profile film video in.mp4 out.mp4 --stereo sbs-half
count film
ffmpeg -v error -i in.mp4 -f yuv4mpegpipe -pix_fmt yuv420p frames.y4m
profile watch watch --near 2m <frames.y4m
count watch
