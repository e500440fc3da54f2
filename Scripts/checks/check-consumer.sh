#!/usr/bin/env bash
# Builds a package that depends on this checkout, takes its program away from the build, and runs it with
# and without its resources: what somebody sees who deploys a program that uses the library.
#   Scripts/checks/check-consumer.sh        takes some minutes, as it builds the package from scratch; part of Scripts/checks/check-long.sh
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset DEPTH_WEIGHTS

fail() {
  echo "check-consumer: $1" >&2
  exit 1
}

mkdir -p "$folder/consumer/Sources/consumer" "$folder/away"
# Targets whose names collided with those of the first version: a module's name must be unique in a whole build.
names="Kernels Tensors ImageCoding NeuralLayers StereoCoding Images Errors Threads"
for name in $names; do
  mkdir -p "$folder/consumer/Sources/$name"
  echo "public let name = \"$name\"" >"$folder/consumer/Sources/$name/$name.swift"
done
for name in CPNG CKernels CHDF5 CThreads; do
  mkdir -p "$folder/consumer/Sources/$name/include"
  echo "int ${name}_answer(void);" >"$folder/consumer/Sources/$name/include/$name.h"
  echo "int ${name}_answer(void) { return 42; }" >"$folder/consumer/Sources/$name/$name.c"
  names+=" $name"
done
# shellcheck disable=SC2059,SC2086  # a format, and words
list() { printf "$1, " $names; }
cat >"$folder/consumer/Package.swift" <<END
// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "consumer",
  dependencies: [.package(name: "swift-depth", path: "$root")],
  targets: [
    $(list '.target(name: "%s")')
    .executableTarget(
      name: "consumer",
      dependencies: [
        $(list '"%s"') .product(name: "DepthEstimation", package: "swift-depth"),
      ])
  ])
END
cat >"$folder/consumer/Sources/consumer/main.swift" <<'END'
import CPNG
import DepthEstimation
import Foundation
import Tensors

do {
  let estimator = try DepthEstimator()
  let photo = try Image(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
  let depth = try estimator.depth(of: photo)
  precondition(Tensors.name == "Tensors" && CPNG_answer() == 42)
  print("\(depth.width)x\(depth.height) from \(estimator.weights[0].path)")
} catch {
  print(error.localizedDescription)
  exit(1)
}
END
cd "$folder/consumer"
start=$SECONDS
swift build -c release 2>&1 | tail -n 1
echo "built in $((SECONDS - start)) s"
products=$(swift build -c release --show-bin-path)
cp "$products/consumer" "$folder/away/"
cp -r "$products"/*.resources "$folder/away/"
cd "$folder/away"
rm -rf "$folder/consumer"

said=$(./consumer "$root/Examples/living-room.jpg") || fail "with its resources: $said"
case $said in
  "640x480 from $(pwd -P)/swift-depth_DepthWeights.resources/"*) echo "with its resources: $said" ;;
  *) fail "with its resources it says: $said" ;;
esac

rm -r ./*.resources
# Weights that somebody planted in the folder above are not to be loaded.
cp -r "$root/Weights" "$folder/Weights"
status=0
said=$(./consumer "$root/Examples/living-room.jpg" 2>&1) || status=$?
[ "$status" = 1 ] || fail "without its resources it ends with $status, expected 1: $said"
[ "$(wc -l <<<"$said")" = 1 ] || fail "without its resources it says more than one line: $said"
case $said in
  *"looked in"*"$(pwd -P)/Weights"*) echo "without: $said" ;;
  *) fail "without its resources it says: $said" ;;
esac
