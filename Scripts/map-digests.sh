#!/usr/bin/env bash
# Prints a checksum of the depth map of every photo, refinement method and instruction set, and of every file that each
# command makes of the first photo. A change that should leave results alone leaves this list alone:
#   Scripts/map-digests.sh .build/release/depth PHOTO… >before.txt
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM PHOTO…" >&2; exit 64; }
program=$(realpath "$1")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for isa in baseline avx2 avx512 neon; do
  DEPTH_ISA=$isa "$program" weights info >/dev/null 2>&1 || continue
  for method in none gaussian bilateral joint; do
    for photo in "$@"; do
      DEPTH_ISA=$isa "$program" predict "$photo" --refine "$method" --threads 2 -o "$folder/map.npy" >/dev/null
      echo "$isa $method $(basename "$photo") $(sha256sum <"$folder/map.npy" | cut -c1-16)"
      rm "$folder/map.npy"
    done
  done
done

# Files name what they were made with, so paths must be the same wherever this runs.
cp "$1" "$folder/photo.jpg"
cd "$folder"
made=""
make() { "$program" "$@" >/dev/null 2>&1 || made+="$* failed"$'\n'; }
show() { sed 's/"milliseconds":[^}]*}/"milliseconds":{}/g'; }
make predict photo.jpg -o d.png --view v.png --depth-photo g.jpg
make predict photo.jpg -o d.pfm --view v.jpg --color-map turbo --depth-photo y.jpg --depth-photo-format dynamic-depth
make predict photo.jpg -o n.png --refine none --fill --fov 70 --compression small
make predict photo.jpg -o s.npy --resolution 200x150 --detail 0.2 --focal-length 525px --precision auto
make refine photo.jpg n.png -o r.png
make refine g.jpg embedded -o e.png
for format in left-right sbs sbs-half tb tb-half cross-eyed anaglyph-red-cyan anaglyph-half-color rows columns wiggle gif mpo \
  quilt holes; do
  make stereo photo.jpg --format "$format" --output-dir "stereo-$format"
done
make stereo photo.jpg --depth d.pfm --renderer gather --lossless -o a.png
make stereo photo.jpg --baseline 63mm --screen-distance 2m --fov 65 -o m.jpg
for effect in mask spotlight highlight blur; do make effect $effect photo.jpg --focus 0.6 --output-dir effects; done
make effect mask photo.jpg --focus 0.6 --16-bit --scaling bicubic -o effects/sixteen.png
make effect haze photo.jpg --density 0.2 --output-dir effects
make effect blur photo.jpg --depth d.png --focus 2m --aperture f/2 --fov 60 --blades 6 -o effects/lens.png
make effect blur photo.jpg --focus 0.5 --style mask -o effects/mask-blur.png
for format in glb ply obj html; do make export photo.jpg --format $format --output-dir "export-$format"; done
make export photo.jpg --depth d.pfm --kind cloud --flying-pixels drop -o export-glb/cloud.glb
make calibrate photo.jpg --at 100,100=2.5m --at 300,200=3m -o calibration.json
make predict photo.jpg --calibration calibration.json -o c.pfm
make weights info
"$program" predict photo.jpg --json -o j.png | show >predict.json
"$program" stereo photo.jpg --json -o j.jpg | show >stereo.json
"$program" export photo.jpg --json -o j.glb | show >export.json
printf '%s\n' '{"id":1,"input":"photo.jpg","output":"w.png"}' '{"input":"none.jpg"}' '{"x":1}' |
  "$program" worker | show >worker.json
find . -type f ! -name photo.jpg | LC_ALL=C sort | xargs sha256sum | awk '{ print $2, substr($1, 1, 16) }'
printf '%s' "$made"
