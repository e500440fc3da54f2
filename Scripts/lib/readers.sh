# shellcheck shell=bash
# Sourced in the package's folder by scripts that run tests. Sets DEPTH_PYTHON, if it is not set, to a Python that has NumPy, Pillow and
# the other packages that tests use. Debian's packages are in Debian's own Python.
if [ -z "${DEPTH_PYTHON:-}" ]; then
  if [ -x Scripts/checks/readers/.venv/bin/python ]; then
    export DEPTH_PYTHON=$PWD/Scripts/checks/readers/.venv/bin/python
  elif ! python3 -c 'import PIL, numpy' 2>/dev/null && /usr/bin/python3 -c 'import PIL, numpy' 2>/dev/null; then
    export DEPTH_PYTHON=/usr/bin/python3
  fi
fi
