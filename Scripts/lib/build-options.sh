# shellcheck shell=bash
# Sourced in the package's folder by try.sh and build-library.sh, so that the program and the library share one build: sets `options`,
# the options of `swift build`, and PKG_CONFIG_PATH.
options=(-c release)
# With Swift's own libraries inside, the program starts in half the time and runs where Swift is not installed.
libraries=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1_static/p')
[ -d "$libraries" ] && options+=(--static-swift-stdlib)
# No library that lies beside the program is loaded in place of the system's.
options+=(--disable-local-rpath)
# The system's libraries too, where it has archives of them: libhdf5 alone loads thirty shared libraries.
static=$PWD/.build/static-libraries
if Scripts/release/static-libraries.sh "$static" 2>/dev/null; then export PKG_CONFIG_PATH=$static/pc; fi
