"""What films need and single frames do not show; `check-long.sh` runs both.

    check-films.py PROGRAM kills [MOMENTS] [SEED]   `kill -9` in the middle of `depth video --segments`, then resumed: the
                                                    decoded frames and the sound equal those of an unbroken run.
    check-films.py PROGRAM memory [MINUTES]         The memory of a long film, early and late.
Needs ffmpeg. Its own test picture is the film: what it shows does not matter here.
"""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

QUICK = ["--no-mirrored", "--quiet"]


def make_film(path: Path, size: str, rate: int, seconds: float) -> None:
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=size={size}:rate={rate}:duration={seconds}",
         "-f", "lavfi", "-i", f"sine=440:duration={seconds}", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
         "yuv420p", "-c:a", "aac", str(path)], check=True)


def digests(film: Path) -> list[str]:
    """A line for each decoded frame of the picture and each packet of the sound."""
    lines = []
    for stream, codec in (("v:0", "rawvideo"), ("a:0", "copy")):
        made = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(film), "-map", f"0:{stream}", "-c", codec, "-f", "framemd5", "-"],
            check=True, capture_output=True, text=True)
        lines += [line for line in made.stdout.splitlines() if not line.startswith("#")]
    return lines


def check_kills(program: str, moments: int, seed: int) -> list[str]:
    """What is wrong."""
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_film(folder / "in.mkv", "192x144", 10, 24)

        def command(output: str) -> list[str]:
            return [program, "video", str(folder / "in.mkv"), str(folder / output), "--stereo", "sbs", "--segments",
                    "--segment-length", "2s", *QUICK]

        start = time.monotonic()
        subprocess.run(command("whole.mkv"), check=True)
        seconds = time.monotonic() - start
        wanted = digests(folder / "whole.mkv")
        kills = films = 0
        while kills < moments:
            run = subprocess.Popen(command("out.mkv"))
            try:
                run.wait(generator.uniform(0.05, 0.4 * seconds))
            except subprocess.TimeoutExpired:
                run.kill()
                kills += 1
            status = run.wait()
            if status == -9 and kills < moments:
                continue
            if status == -9:  # the last kill: to the end
                subprocess.run(command("out.mkv"), check=True)
            elif status != 0:
                return [f"status {status} after {kills} kills"]
            films += 1
            found = digests(folder / "out.mkv")
            if found != wanted:
                differing = sum(a != b for a, b in zip(found, wanted, strict=False))
                return [f"{len(found)} frames and packets, expected {len(wanted)}; {differing} differ"]
            (folder / "out.mkv").unlink()
            left = [path.name for path in folder.iterdir() if path.name not in ("in.mkv", "whole.mkv")]
            if left:
                return [f"left over: {', '.join(left)}"]
        print(f"{kills} kills, {films} films finished after them, {len(wanted)} frames and packets equal in each")
    return []


def resident_megabytes(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


def check_memory(program: str, minutes: float) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_film(folder / "in.mp4", "320x180", 25, 60 * minutes)
        run = subprocess.Popen([program, "video", str(folder / "in.mp4"), str(folder / "out.mp4"), "--stereo", "sbs",
                                "--preset", "ultrafast", *QUICK])
        samples = []
        while run.poll() is None:
            try:
                samples.append(resident_megabytes(run.pid))
            except (FileNotFoundError, ProcessLookupError):
                break
            time.sleep(0.5)
        if run.wait() != 0:
            return [f"status {run.returncode}"]
    samples = [sample for sample in samples if sample > 0]
    early, late = (max(samples[int(a * len(samples)):int(b * len(samples))]) for a, b in ((0.1, 0.3), (0.8, 1)))
    print(f"{minutes:g} minutes of film: {early:.0f} MB in the second and third tenth, {late:.0f} MB in the last two")
    return [] if late <= 1.05 * early else [f"memory grows {late / early:.2f} times"]


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[2] not in ("kills", "memory"):
        print(__doc__, file=sys.stderr)
        return 64
    program, task, numbers = sys.argv[1], sys.argv[2], [float(number) for number in sys.argv[3:]]
    tasks: dict[str, Callable[[], list[str]]] = {
        "kills": lambda: check_kills(program, int(numbers[0]) if numbers else 20, int(numbers[1]) if numbers[1:] else 1),
        "memory": lambda: check_memory(program, numbers[0] if numbers else 10),
    }
    problems = tasks[task]()
    for problem in problems:
        print(f"check-films: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
