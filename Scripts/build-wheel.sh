#!/usr/bin/env bash
# Makes the Python wheel for machines without Swift, and says which ones: auditwheel gives it the tag of the oldest
# system that has all it needs, and puts other libraries into it.
#   Scripts/build-wheel.sh OUTPUT_DIR [OPTIONS OF swift build]
set -euo pipefail
output=$(realpath -m "${1:?usage: Scripts/build-wheel.sh OUTPUT_DIR [OPTIONS]}")
cd "$(dirname "$0")/.."
source Scripts/lib/environment.sh
environment=${WHEEL_VENV:-$PWD/Python/.venv-wheel}
python_environment build-wheel "$environment" Python/requirements-wheel.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
SWIFT_DEPTH_BUILD_OPTIONS="${*:2}" "$environment/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --no-build-isolation --wheel-dir "$folder" ./Python
PATH=$environment/bin:$PATH "$environment/bin/python" -m auditwheel repair --wheel-dir "$output" "$folder"/swift_depth-*.whl
PATH=$environment/bin:$PATH "$environment/bin/python" -m auditwheel show "$output"/swift_depth-*.whl
ls -l "$output"/swift_depth-*.whl
unzip -l "$output"/swift_depth-*.whl
