"""Files of every published form, written once per run by their real writers.

ONNX is written in the converter's environment. Every other writer lives in an environment of its own outside the
repository; `WRITERS` names the folder that `tests/make-writers` filled. Without it, the tests of those forms are skipped.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fcrnweights.__main__ import main
from fcrnweights.architecture import Architecture, fcrn50
from fcrnweights.network import Network, Tensors

from . import generator

PACKAGE = Path(__file__).resolve().parent.parent
#: Module in `writers` → environment that has what it imports.
ENVIRONMENTS = {"tensorflow_files": "tensorflow", "core_ml_files": "coreml", "matlab_files": "coreml",
                "torch_files": "torch"}
#: Width divisors to test: full size is 254 MB a file, so only when asked for.
DIVISORS = (16, 1) if os.environ.get("FULL_SIZE") else (16,)

_folders = tempfile.TemporaryDirectory(prefix="fcrn-forms-", dir=os.environ.get("FORMS_FOLDER"))


@functools.cache
def files(writer: str, divisor: int) -> Path:
    """The folder with the files of one writer; skips the test when there is no such writer."""
    python = Path(sys.executable)
    if writer in ENVIRONMENTS:
        python = Path(os.environ.get("WRITERS", "/nonexistent")) / ENVIRONMENTS[writer] / "bin/python"
    if not python.exists():
        raise unittest.SkipTest(f"no {ENVIRONMENTS[writer]} writer: run tests/make-writers, set WRITERS")
    folder = Path(_folders.name) / writer / str(divisor)
    run = subprocess.run([python, "-m", f"tests.writers.{writer}", str(divisor), folder], cwd=PACKAGE,
                         capture_output=True, text=True)
    if run.returncode:
        raise AssertionError(f"{writer} failed:\n{run.stderr[-2000:]}")
    return folder


@functools.cache
def generated(divisor: int) -> tuple[Architecture, Tensors]:
    architecture = fcrn50(divisor)
    return architecture, generator.tensors(architecture)


def generated_network(divisor: int = 16, padding: str = "topleft") -> Network:
    architecture, tensors = generated(divisor)
    return Network(architecture, tensors, padding=padding).checked()


def convert(source: Path, output: Path, *options: str) -> int:
    """Runs the command in this process; its exit status."""
    return main([str(source), str(output), "--quiet", *options])
