#!/usr/bin/env bash
# What to run before a commit: the format, then README's test command; prints the three longest files.
set -euo pipefail
cd "$(dirname "$0")/.."
swift format lint --strict --recursive Package.swift Sources Tests Tools Snippets Weights Examples
Scripts/check-words.sh
Scripts/test.sh
echo "longest files:"
git ls-files 'Sources/*.swift' 'Sources/*.[ch]' 'Tools/*.swift' 'Tests/*.swift' | xargs wc -l | grep -v ' total$' |
  sort -rn | head -3
