#!/usr/bin/env bash
# Prints a checksum of the depth map of every photo, refinement method, precision and instruction set, and of what is in every file
# that each command makes of the first photo: pixels, points and values, not notes or compression. A change that should leave results
# alone leaves this list alone. Needs Pillow, and ffmpeg for the films:
#   Scripts/map-digests.sh .build/release/depth PHOTO… >before.txt
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM PHOTO…" >&2; exit 64; }
program=$(realpath "$1")
digests=$(realpath "$(dirname "$0")/lib/content-digests.py")
python=${DEPTH_PYTHON:-python3}
"$python" -c 'import PIL' 2>/dev/null || python=/usr/bin/python3
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for isa in baseline avx2 avx512 neon; do
  DEPTH_ISA=$isa "$program" weights info >/dev/null 2>&1 || continue
  for precision in int8 float32; do
    for method in none gaussian bilateral joint; do
      # Refinement does not know the precision: one method of it is enough for float32.
      [ $precision = int8 ] || [ $method = joint ] || [ $method = none ] || continue
      for photo in "$@"; do
        DEPTH_ISA=$isa "$program" predict "$photo" --precision $precision --refine "$method" --threads 2 --quiet -o "$folder/map.npy" >/dev/null
        echo "$isa $precision $method $(basename "$photo") $(sha256sum <"$folder/map.npy" | cut -c1-16)"
        rm "$folder/map.npy"
      done
    done
  done
done

# A page names its photo, so paths must be the same wherever this runs.
cp "$1" "$folder/photo.jpg"
cd "$folder"
made=""
make() { "$program" "$@" >/dev/null 2>&1 || made+="$* failed"$'\n'; }
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
"$program" predict photo.jpg --json -o j.png >predict.json
"$program" stereo photo.jpg --json -o j.jpg >stereo.json
"$program" export photo.jpg --json -o j.glb >export.json
if command -v ffmpeg >/dev/null; then
  ffmpeg -v error -loop 1 -i photo.jpg -vf "scale=320:240,crop=256:192:x=n:y=n" -frames:v 12 -r 25 -pix_fmt yuv420p film.mkv
  make video film.mkv depth.mkv --depth
  make video film.mkv stereo.mkv --stereo sbs-half
  make video film.mkv blur.mkv --effect blur
  ffmpeg -v error -i film.mkv -pix_fmt yuv420p -f yuv4mpegpipe - | "$program" stream >stream.y4m 2>/dev/null || made+="stream failed"$'\n'
fi
"$python" "$digests" --skip photo.jpg
printf '%s' "$made"
