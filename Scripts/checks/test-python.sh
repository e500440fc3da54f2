#!/usr/bin/env bash
# Installs the Python package into a virtual environment of its own and runs its tests, and those of the recipes in Examples
# that the environment has the programs for; with DEPTH_COMPLETE=1, a skipped one is a failure.
#   Scripts/checks/test-python.sh [OPTIONS OF swift build, such as -Xswiftc -enable-testing]
# PYTHON_PACKAGES names further packages to install first: "ray[data] pyspark[sql]" for the recipes of Ray and Spark, which also needs
# Java. Without it, these recipes do not run.
set -euo pipefail
cd "$(dirname "$0")/../.."
environment=${PYTHON_VENV:-$PWD/Python/.venv}
install=("$environment/bin/python" -m pip install --quiet --disable-pip-version-check)
if ! python3 -m venv "$environment" || ! "${install[@]}" "setuptools >= 70.1" numpy pytest; then
  echo "test-python: it needs python3 with venv, and the Python package index" >&2
  exit 69
fi
for package in pillow ${PYTHON_PACKAGES:-}; do
  "${install[@]}" "$package" || echo "test-python: $package cannot be installed" >&2
done
chosen=()
[ -n "${PYTHON_PACKAGES:-}" ] || chosen=(-k "not test_ray and not test_spark")
SWIFT_DEPTH_BUILD_OPTIONS="$*" "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
  --no-build-isolation --force-reinstall --no-deps ./Python
DEPTH=$(swift build -c release "$@" --show-bin-path)/depth
[ -x "$DEPTH" ] || swift build -c release "$@" --product depth
export DEPTH
unset DEPTH_WEIGHTS
"$environment/bin/python" -m pytest -q -rs -p no:cacheprovider "${chosen[@]}" Python/tests Examples |
  Scripts/checks/check-skipped.sh
