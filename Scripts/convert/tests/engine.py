"""Depth through the built engine for every converted form; see `check-through-engine`."""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fcrnweights import archive
from fcrnweights.network import Network
from fcrnweights.source import Source

from . import generator
from .float64_network import depth
from .small_checkpoint import write_checkpoint
from .test_conversion import APART, FOLDED
from .writers.common import official
from .writing import DIVISORS, convert, files, generated, generated_network

#: Largest allowed difference in metres; int8 is stated, and bounded only against nonsense.
TOLERANCES = {"float32": 1e-4, "float16": 1e-2, "int8": 0.5}


def sources(folder: Path, divisor: int) -> Iterator[tuple[Path, str]]:
    """Files to convert and the padding of each: ours, then whatever real writers are there."""
    layers = folder / "own dictionary.npy"
    np.save(layers, official(generated(divisor)[1]), allow_pickle=True)
    yield layers, "topleft"
    yield write_checkpoint(folder, "own checkpoint", divisor), "topleft"
    for writer, name, padding, _ in APART + FOLDED:
        try:
            yield files(writer, divisor) / name, padding
        except unittest.SkipTest as reason:
            print(f"skipped: {name} ({reason})")


class Engine:
    """The built `depth`, run on one photo."""

    def __init__(self, program: Path, photo: Path, folder: Path) -> None:
        self.program, self.photo, self.output = program, photo, folder / "depth.npy"

    def depth(self, weights: Path) -> np.ndarray:
        subprocess.run([self.program, "predict", self.photo, "--weights", weights, "--refine", "none",
                        "--overwrite", "--quiet", "-o", self.output], check=True)
        return np.load(self.output).astype(np.float64)


def write_png(path: Path, image: np.ndarray) -> None:
    """8-bit RGB, no filters."""
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    height, width, _ = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print("usage: check-through-engine DEPTH [PHOTO]", file=sys.stderr)
        return 64
    with tempfile.TemporaryDirectory(prefix="fcrn-engine-") as name:
        folder, failures = Path(name), 0
        photo = Path(sys.argv[2]) if len(sys.argv) == 3 else None
        picture = photo or folder / "image.png"
        if photo is None:
            write_png(picture, generator.image(228, 304))
        engine = Engine(Path(sys.argv[1]), picture, folder)
        for divisor in DIVISORS:
            expected = {padding: reference(engine, folder, generated_network(divisor, padding), photo)
                        for padding in ("topleft", "bottomright")}
            for source, padding in sources(folder, divisor):
                failures += check(engine, source, folder / "converted.h5", expected[padding])
    print("all within tolerance" if failures == 0 else f"{failures} beyond tolerance")
    return min(failures, 1)


def reference(engine: Engine, folder: Path, network: Network, photo: Path | None) -> np.ndarray:
    if photo is None:
        return depth(network, generator.image(228, 304))
    weights = folder / "reference.h5"
    archive.write(weights, network, "float32", Source("generated", "test", "0" * 64))
    return engine.depth(weights)


def check(engine: Engine, source: Path, weights: Path, expected: np.ndarray) -> int:
    """Converts to each precision; prints and counts what differs by more than it may."""
    failures = 0
    for precision, tolerance in TOLERANCES.items():
        if convert(source, weights, "--precision", precision) != 0:
            return failures + 1
        error = np.abs(engine.depth(weights) - expected)
        verdict = "ok" if error.max() <= tolerance else "TOO FAR"
        failures += verdict != "ok"
        print(f"{verdict:8} {source.name:36} {precision:8} {error.max():.1e} m at most, {error.mean():.1e} m mean")
    return failures


if __name__ == "__main__":
    sys.exit(main())
