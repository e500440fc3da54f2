#!/usr/bin/env bash
# Checks that take longer than continuous integration may.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/check-consumer.sh
