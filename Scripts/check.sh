#!/usr/bin/env bash
# Everything a change must pass: format, then what CI runs; prints the three longest files.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --recursive Package.swift Sources Tests Tools Snippets Weights Examples
Scripts/test.sh
echo "longest files:"
git ls-files 'Sources/*.swift' 'Sources/*.[ch]' 'Tools/*.swift' 'Tests/*.swift' | xargs wc -l | grep -v ' total$' |
  sort -rn | head -3
