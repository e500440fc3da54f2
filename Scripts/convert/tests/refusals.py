"""What tests of wrong and hostile inputs share."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from .writing import PACKAGE, convert

COMMAND = PACKAGE.parent / "convert-weights"


class Command:
    """A pickle that would run a program."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple:
        return os.system, (f"touch '{self.marker}'",)


class Refusals(unittest.TestCase):
    """Conversions in a folder of their own, each of which ends well or is refused by one sentence."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "out").mkdir()

    def attempt(self, source: Path, *options: str) -> tuple[int, str]:
        """Exit status and what was said; nothing may be left where there was nothing before."""
        if source.suffix == ".mat":  # SciPy may end the process over a damaged file
            run = subprocess.run([COMMAND, source, self.folder / "out/out.h5", "--quiet", *options], text=True,
                                 capture_output=True, env=os.environ | {"CONVERT_VENV": sys.prefix})
            status, said = run.returncode, run.stderr
        else:
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                status = convert(source, self.folder / "out/out.h5", *options)
            said = errors.getvalue()
        left = [path.name for path in (self.folder / "out").iterdir()]
        self.assertEqual(left, ["out.h5"] if status == 0 else [])
        (self.folder / "out/out.h5").unlink(missing_ok=True)
        return status, said

    def assert_refused(self, source: Path, words: str, *options: str) -> None:
        status, said = self.attempt(source, *options)
        self.assertEqual(status, 1, words)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertTrue(said.startswith("convert-weights: error: "), said)
        self.assertIn(words, said)

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path
