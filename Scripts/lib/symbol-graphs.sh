#!/usr/bin/env bash
# Writes the public symbols of everything that the umbrella exports, and of ProximityAlerts, as the compiler's symbol graphs.
#   Scripts/lib/symbol-graphs.sh FOLDER [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
# The package must be built with these options. MODULES names the folder of its modules instead.
set -euo pipefail
graphs=$(realpath -m "${1:?usage: Scripts/lib/symbol-graphs.sh FOLDER [OPTIONS]}")
shift
cd "$(dirname "$0")/../.."
modules=${MODULES:-$(swift build -c release "$@" --show-bin-path)/Modules}
options=(-I "$modules" -target "$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')" -minimum-access-level public)
for map in Sources/C*/module.modulemap "$modules"/../C*.build/module.modulemap; do
  [ ! -f "$map" ] || options+=(-Xcc "-fmodule-map-file=$map")
done
for include in Sources/C*/include; do options+=(-Xcc "-I$include"); done
for flag in $(pkg-config --cflags-only-I hdf5); do options+=(-Xcc "$flag"); done

exported=$(sed -n 's/^@_exported public import //p' Sources/*/Exports.swift | sort -u)
mkdir -p "$graphs"
for module in DepthEstimation ProximityAlerts $exported; do
  swift-symbolgraph-extract -module-name "$module" -output-dir "$graphs" "${options[@]}"
done
