"""The estimator under test, and the program to compare with."""

import os
import subprocess

import numpy as np
import pytest
from pictures import png

import swift_depth


@pytest.fixture(scope="session")
def estimator():
    with swift_depth.Estimator("compact") as opened:
        yield opened


@pytest.fixture
def predicted(tmp_path):
    """Runs ``depth predict`` on a picture; skips where the environment's DEPTH names no program."""
    program = os.environ.get("DEPTH")
    if not program:
        pytest.skip("DEPTH names no program to compare with")

    def run(picture: np.ndarray, *options: str) -> np.ndarray:
        (tmp_path / "photo.png").write_bytes(png(picture))
        command = [program, "predict", str(tmp_path / "photo.png"), "--weights", "compact", "--overwrite"]
        subprocess.run([*command, "-o", str(tmp_path / "map.npy"), *options], check=True)
        return np.load(tmp_path / "map.npy")

    return run
