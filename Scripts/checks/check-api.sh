#!/usr/bin/env bash
# Holds `depth serve` to the description that it gives of itself, by requests that schemathesis makes of it and by a client that
# openapi-python-client generates from it.
#   Scripts/checks/check-api.sh [CASES [SEED]]      20 cases a route, unless given; DEPTH names the program
# Exits with status 69 if Scripts/checks/api/requirements.txt is not installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${DEPTH:-.build/release/depth}")
environment=${API_VENV:-$PWD/Scripts/checks/api/.venv}
if ! cmp -s Scripts/checks/api/requirements.txt "$environment/requirements.txt"; then
  echo "check-api: schemathesis is not installed; Scripts/checks/install-test-tools.sh installs it" >&2
  exit 69
fi
address=$(mktemp)
"$program" serve --port 0 --quiet >"$address" &
server=$!
client=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$address" "$client"' EXIT
while ! [ -s "$address" ]; do
  kill -0 "$server"
  sleep 0.1
done
seed=${2:-$RANDOM}
echo "check-api: seed $seed"
cd Scripts/checks/api
"$environment/bin/python" -m openapi_python_client generate --url "$(cat "$address")v1/openapi.json" --config client.yml --meta none \
  --output-path "$client/client" >"$client/log" 2>&1 || { cat "$client/log" >&2; exit 1; }
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$client:." "$environment/bin/python" calls.py "$(cat "$address")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. SCHEMATHESIS_HOOKS=hooks "$environment/bin/python" -m schemathesis.cli --config-file schemathesis.toml run \
  "$(cat "$address")v1/openapi.json" --max-examples "${1:-20}" --seed "$seed" --generation-database none \
  --phases examples,coverage,fuzzing --max-redirects 0 --no-color \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection
