#!/usr/bin/env bash
# Fails for a suite of tests without the trait `.offPool`, by which tests run beside Swift's cooperative threads: one
# that computes or waits on them holds up every task of the process. Suites whose tests are `async` to their last call
# are listed here.
set -euo pipefail
cd "$(dirname "$0")/.."
asynchronous='AsynchronousCallTests CallQueueTests FrameStreamTests HTTPServerTests'
status=0
while IFS= read -r file; do
  name=$(basename "$file" .swift)
  [[ " $asynchronous " == *" $name "* ]] && continue
  # Suites inside another one inherit its traits.
  suites=$(grep -cE '^(@Suite(\(.*\))? )?(final )?(struct|class|enum) [A-Za-z0-9]+Tests\b' "$file" || true)
  with=$(grep -cE '\.offPool\b' "$file" || true)
  if ((with == 0 || with < suites)); then
    echo "check-suites: $file: a suite without .offPool, expected '@Suite(.offPool)'" >&2
    status=1
  fi
done < <(grep -rl '@Test' Tests --include='*.swift' | grep -v '^Tests/_TestSupport/' | sort)
exit $status
