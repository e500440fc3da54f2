"""Damaged weights and data sets through the built program; `check-long.sh` runs it."""

import functools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "Weights/fcrn-lite2-nyu-int8.h5"
PHOTO = ROOT / "Examples/living-room.jpg"
SECONDS = 5

#: Makes one file, and says what is wrong with it.
Made = Callable[[], tuple[str, Path]]


class Check:
    """Runs the program and counts how it ended."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.failures = 0

    def commands(self, file: Path) -> list[list[str]]:
        if file.suffix == ".mat":
            return [["evaluate", str(file), "--split", "all", "--protocol", "per-image",
                     "--threads", "1"]]
        output = file.with_suffix(".npy")
        return [["weights", "verify", str(file)],
                ["predict", str(PHOTO), "--weights", str(file), "--refine", "none", "-o", str(output),
                 "--overwrite", "--threads", "1"]]

    def outcome(self, command: list[str], environment: dict[str, str]) -> tuple[str, float]:
        """`refused`, `accepted`, or what is wrong."""
        start = time.monotonic()
        try:
            run = subprocess.run([self.program, *command], capture_output=True, timeout=60,
                                 env=os.environ | environment)
        except subprocess.TimeoutExpired:
            return "NO END", 60.0
        seconds = time.monotonic() - start
        lines = len(run.stderr.splitlines())
        if run.returncode == 1 and lines and all(line.endswith(b"skipped") for line in run.stderr.splitlines()):
            return "accepted", seconds  # frames of a data set that cannot be read are skipped, a line each
        if run.returncode < 0:
            return f"SIGNAL {-run.returncode}", seconds
        if (run.returncode, lines) == (1, 1):
            return "refused" if seconds <= SECONDS else f"REFUSED AFTER MORE THAN {SECONDS} S", seconds
        if (run.returncode, lines) == (0, 0):
            return "accepted", seconds
        return f"STATUS {run.returncode}, {lines} LINES", seconds

    def kind(self, name: str, files: Iterable[Made], may_be_accepted: bool,
             info: bool = False) -> None:
        """Runs every command on every file; prints how many ended how."""
        def one(make: Made) -> list[tuple[str, str, float]]:
            what, file = make()
            commands = self.commands(file)
            if info and file.suffix != ".mat":
                commands.append(["weights", "info", str(file)])
            found = []
            for scribble in ({}, {"MALLOC_PERTURB_": "165"}) if info else ({},):
                found += [(f"{what}: {command[0]}", *self.outcome(command, scribble)) for command in commands]
            if file.is_relative_to(self.folder):
                file.unlink()
                file.with_suffix(".npy").unlink(missing_ok=True)
            return found
        counts: Counter[str] = Counter()
        longest = 0.0
        with ThreadPoolExecutor(os.cpu_count() or 1) as team:
            for results in team.map(one, files):
                for what, outcome, seconds in results:
                    counts[outcome] += 1
                    if outcome != "accepted":
                        longest = max(longest, seconds)
                    if outcome == "refused" or (outcome == "accepted" and may_be_accepted):
                        continue
                    self.failures += 1
                    print(f"  {what}: {outcome}", flush=True)
        text = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
        print(f"{name}: {text}; a refusal takes {longest:.2f} s at most", flush=True)

    def edits(self, whole: bytes, suffix: str, limit: int, runs: int, dice: random.Random) -> Iterator[Made]:
        """Copies of a file with one byte changed, within its first `limit` bytes."""
        for number in range(runs):
            place = dice.randrange(min(limit, len(whole)))
            value = whole[place] ^ dice.randrange(1, 256)
            yield functools.partial(self.edit, whole, place, value, f"{number}{suffix}")

    def edit(self, whole: bytes, place: int, value: int, name: str) -> tuple[str, Path]:
        file = self.folder / name
        with open(file, "wb") as output:
            output.write(whole)
            output.seek(place)
            output.write(bytes([value]))
        return f"byte {place} = {value}", file


def version_1(path: Path) -> bytes:
    """The shipped weights as version 0.1.0 had them: no checksums, compressed kernels."""
    with h5py.File(SHIPPED) as source, h5py.File(path, "w", libver="earliest") as file:
        for name, value in source.attrs.items():
            file.attrs[name] = np.int32(1) if name == "format_version" else value
        for layer, group in source.items():
            for name, values in group.items():
                options = {"chunks": values.shape, "compression": "gzip", "shuffle": True}
                file.create_dataset(f"{layer}/{name}", data=values[()],
                                    **(options if name == "kernel" else {}))
            file[layer].attrs["kind"] = np.bytes_("conv")
    return path.read_bytes()


def labelled_set(path: Path) -> bytes:
    """Three frames as MATLAB writes them, with text of fixed and of variable length."""
    dice = np.random.default_rng(0)
    with h5py.File(path, "w", libver="earliest", userblock_size=512) as file:
        file.create_dataset("images", data=dice.integers(0, 256, (3, 3, 24, 16), np.uint8),
                            chunks=(1, 3, 24, 16), compression="gzip")
        file.create_dataset("depths", data=dice.uniform(1, 5, (3, 24, 16)).astype("<f4"), chunks=(2, 8, 16),
                            compression="gzip", shuffle=True)
        for name in ("images", "depths"):
            file[name].attrs["MATLAB_class"] = np.bytes_("single")
            file[name].attrs["note"] = "text of variable length"
        file.attrs["note"] = "text of variable length " * 4
    return path.read_bytes()


def main() -> int:
    program, runs, seed = Path(sys.argv[1]).resolve(), int(sys.argv[2]), int(sys.argv[3])
    print(f"seed {seed}, {runs} edits of each kind")
    with tempfile.TemporaryDirectory(prefix="check-long-") as name:
        check, dice = Check(program, Path(name)), random.Random(seed)
        shipped = SHIPPED.read_bytes()
        old, frames = version_1(Path(name) / "old.h5"), labelled_set(Path(name) / "frames.mat")
        files = [lambda file=Path(file): (file.name, file) for file in sys.argv[4:]]
        if files:
            check.kind("named files", files, False, info=True)
        check.kind("first 4096 bytes of the shipped weights",
                   check.edits(shipped, ".h5", 4096, runs, dice), False)
        check.kind("all bytes of the shipped weights",
                   check.edits(shipped, ".h5", len(shipped), runs, dice), False)
        check.kind("labelled sets", check.edits(frames, ".mat", len(frames), runs, dice), True)
        check.kind("first 4096 bytes of version 1", check.edits(old, ".h5", 4096, runs, dice), True)
    print("all as they should be" if check.failures == 0 else f"{check.failures} are not")
    return min(check.failures, 1)


if __name__ == "__main__":
    sys.exit(main())
