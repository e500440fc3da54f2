# shellcheck shell=bash
# Sourced in the package's folder by scripts that run tests: DEPTH_PYTHON becomes a Python with NumPy, Pillow and the other readers that
# tests ask, unless it is set. Debian's belong to Debian's Python.
if [ -z "${DEPTH_PYTHON:-}" ]; then
  if [ -x Scripts/checks/readers/.venv/bin/python ]; then
    export DEPTH_PYTHON=$PWD/Scripts/checks/readers/.venv/bin/python
  elif ! python3 -c 'import PIL, numpy' 2>/dev/null && /usr/bin/python3 -c 'import PIL, numpy' 2>/dev/null; then
    export DEPTH_PYTHON=/usr/bin/python3
  fi
fi
