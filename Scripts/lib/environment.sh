# shellcheck shell=bash
# Sourced by the scripts that are Python inside.
#
#   python_environment NAME FOLDER REQUIREMENTS
#
# Makes the virtual environment FOLDER hold what REQUIREMENTS lists, unless it does already. A new one is
# made beside it and then renamed, so that an interrupted run leaves nothing half made; programs in its `bin` name the
# folder before that, so they run as `bin/python -m`. NAME is the command that errors speak of.
python_environment() {
  local name=$1 folder=$2 requirements=$3 fresh=$2.$$
  if cmp -s "$requirements" "$folder/requirements.txt"; then
    return
  fi
  if [ -e "$folder" ] && [ ! -f "$folder/requirements.txt" ]; then
    echo "$name: error: '$folder' is no virtual environment that this script made; name another place" >&2
    exit 1
  fi
  trap 'rm -rf "'"$fresh"'"' EXIT
  echo "$name: making a virtual environment in $folder" >&2
  if ! { python3 -m venv "$fresh" &&
    "$fresh/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements"; } >&2; then
    echo "$name: error: the virtual environment could not be made; it needs python3 (3.11 or newer)" \
      "with venv, and the Python package index once" >&2
    exit 1
  fi
  cp "$requirements" "$fresh/requirements.txt"
  rm -rf "$folder"
  mv "$fresh" "$folder"
  trap - EXIT
}
