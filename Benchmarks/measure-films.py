#!/usr/bin/env python3
"""Times of films and effects: two builds of the program in turn, or one alone.

    Benchmarks/measure-films.py PROGRAM [BEFORE] [--pairs 7] [--frames 100] [--isa avx2,avx512]
        [--only sbs,blur] [--most-faults 500]

Prints a Markdown table of medians: the program's own processor time (user + system, without ffmpeg's), wall time, page faults
per frame and peak memory. With BEFORE, each number is followed by its ratio to that program's. ffmpeg makes the film and the photos
from Examples. --only names films and "photos". --most-faults ends with status 1 if a film has more page faults per frame.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "Examples"
FILMS = {
    "--depth": ["--depth"],
    "sbs": ["--stereo", "sbs"],
    "sbs-half": ["--stereo", "sbs-half"],
    "anaglyph": ["--stereo", "anaglyph"],
    "blur": ["--effect", "blur", "--focus", "nearest"],
}
PHOTOS = {
    "blur, 4000 × 3000, nearest": ("4000:3000", "nearest"),
    "blur, 4000 × 3000, subject": ("4000:3000", "subject"),
    "blur, 640 × 480, nearest": ("640:480", "nearest"),
}


def make_film(path: Path, frames: int) -> None:
    """A camera that passes a room: 1920 × 1080, 25 frames per second."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-framerate", "25", "-loop", "1", "-i", str(EXAMPLES / "living-room.jpg"), "-vf",
         "scale=2240:-2:flags=bicubic,crop=1920:1080:3*n:200+n,format=yuv420p", "-frames:v", str(frames), "-c:v", "libx264",
         "-preset", "veryfast", "-crf", "18", str(path)], check=True)


def make_photo(path: Path, size: str) -> None:
    subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(EXAMPLES / "fruit-bowl.jpg"), "-vf", f"scale={size}:flags=lanczos", "-q:v", "3",
         str(path)], check=True)


def measure(command: list[str], isa: str | None) -> list[float]:
    """Processor seconds of the process without its children, wall seconds, its page faults, and its peak memory in MB."""
    environment = dict(os.environ)
    if isa:
        environment["DEPTH_ISA"] = isa
    peak = 0.0
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    status = Path(f"/proc/{process.pid}/status")
    # A process that has ended keeps its numbers until it is waited for.
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                peak = int(line.split()[1]) / 1024
        time.sleep(0.01)
    wall = time.perf_counter() - start
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    _, message = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: {message.decode()}")
    # Fields 14 and 15, and 10: the first here is the third.
    return [(int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), wall, int(fields[7]), peak]


def row(name: str, isa: str | None, command: list[str], programs: list[str], pairs: int, frames: int) -> float:
    """Prints a row of the table; returns the page faults per frame."""
    runs: list[list[list[float]]] = [[] for _ in programs]
    for _ in range(pairs):
        for program, results in zip(programs, runs):
            results.append(measure([program, *command], isa))
    medians = [[statistics.median(column) for column in zip(*results)] for results in runs]
    cells = []
    for index, (value, digits) in enumerate(zip(medians[0], (2, 2, 0, 0))):
        if index == 2:
            value /= frames
        ratio = f" ({medians[0][index] / medians[1][index]:.2f})" if len(programs) > 1 else ""
        cells.append(f"{value:.{digits}f}{ratio}")
    print(f"| {name} | {isa or ''} | {' | '.join(cells)} |", flush=True)
    return medians[0][2] / frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("before", nargs="?")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--isa", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--most-faults", type=float, default=float("inf"))
    arguments = parser.parse_args()
    programs = [program for program in (arguments.program, arguments.before) if program]
    faults: list[float] = []
    wanted = [name for name in arguments.only.split(",") if name]
    print("| film or photo | instructions | own s | wall s | faults per frame | peak MB |\n|---|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        film = folder / "film.mp4"
        if not wanted or any(word in FILMS for word in wanted):
            make_film(film, arguments.frames)
        for isa in arguments.isa.split(","):
            for title, options in FILMS.items():
                if wanted and title not in wanted:
                    continue
                command = ["video", str(film), str(folder / "out.mp4"), "--overwrite", "--quiet", *options]
                faults.append(row(title, isa, command, programs, arguments.pairs, arguments.frames))
            for number, (title, (size, focus)) in enumerate(PHOTOS.items()):
                if wanted and "photos" not in wanted:
                    continue
                photo = folder / f"{number}.jpg"
                if not photo.exists():
                    make_photo(photo, size)
                command = ["effect", "blur", str(photo), "--focus", focus, "-o", str(folder / "out.jpg"), "--overwrite", "--quiet"]
                row(title, isa, command, programs, arguments.pairs, 1)
    if max(faults, default=0) > arguments.most_faults:
        sys.exit(f"{max(faults):.0f} page faults per frame, expected at most {arguments.most_faults:.0f}")


if __name__ == "__main__":
    main()
