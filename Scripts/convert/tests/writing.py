"""Files of every published form, written once per run by their real writers.

ONNX, Core ML and MAT files of version 5 are written in the converter's environment. Every other writer lives in an environment of its own outside the
repository; `WRITERS` names the folder that `tests/make-writers` filled. Without it, the tests of those forms are skipped.
"""

import functools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fcrnweights.__main__ import main
from fcrnweights.architecture import fcrn50
from fcrnweights.network import Network

from .writers.common import generated

PACKAGE = Path(__file__).resolve().parent.parent
#: Module in `writers` → environment that has what it imports.
ENVIRONMENTS = {"tensorflow_files": "tensorflow", "matlab_73_files": "torch", "torch_files": "torch"}
_folders = tempfile.TemporaryDirectory(prefix="fcrn-forms-")


@functools.cache
def files(writer: str) -> Path:
    """The folder with the files of one writer; skips the test when there is no such writer."""
    python = Path(sys.executable)
    if writer in ENVIRONMENTS:
        python = Path(os.environ.get("WRITERS", "/nonexistent")) / ENVIRONMENTS[writer] / "bin/python"
    if not python.exists():
        raise unittest.SkipTest(f"no {ENVIRONMENTS[writer]} writer: run tests/make-writers, set WRITERS")
    folder = Path(_folders.name) / writer
    run = subprocess.run([python, "-m", f"tests.writers.{writer}", folder], cwd=PACKAGE, capture_output=True, text=True)
    if run.returncode:
        raise AssertionError(f"{writer} failed:\n{run.stderr[-2000:]}")
    return folder


def generated_network(padding: str = "topleft") -> Network:
    """The published network, made narrow."""
    architecture = fcrn50(16)
    return Network(architecture, generated(architecture), padding=padding).checked()


def convert(source: Path, output: Path, *options: str) -> int:
    """Runs the command in this process; its exit status."""
    return main([str(source), str(output), "--quiet", *options])
