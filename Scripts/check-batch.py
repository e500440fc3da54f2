"""`kill -9` in the middle of batches; `check-long.sh` runs it.

Photos go through `depth predict --skip-existing --manifest`; at random moments the run is killed and started again.
At the end every map must equal that of an undisturbed run, the manifest must have one line per photo, and no part
file may be left.
    check-batch.py PROGRAM [MOMENTS] [SEED]
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PHOTOS = sorted((ROOT / "Examples").glob("*.jpg"))
COPIES = 12


def command(program: str, folder: Path, name: str, format: str) -> list[str]:
    return [program, "predict", str(folder / "photos"), "--recursive", "--output-dir", str(folder / name), "--view",
            f"{folder / name}-views/", "--format", format, "--weights", "compact", "--skip-existing", "--manifest",
            str(folder / f"{name}.jsonl"), "--quiet"]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file()}


def check(program: str, moments: int, seed: int, format: str) -> list[str]:
    """What is wrong."""
    generator = random.Random(seed)
    kills = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for index in range(COPIES):
            for photo in PHOTOS:
                place = folder / "photos" / str(index % 3) / f"{photo.stem}-{index}.jpg"
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(photo, place)
        start = time.monotonic()
        subprocess.run(command(program, folder, "whole", format), check=True)
        seconds = time.monotonic() - start
        wanted = contents(folder / "whole") | contents(folder / "whole-views")
        while kills < moments:
            run = subprocess.Popen(command(program, folder, "out", format))
            try:
                # Short enough that many kills fit into the photos, long enough to get some done.
                run.wait(generator.uniform(0, seconds / 6))
            except subprocess.TimeoutExpired:
                run.kill()
                kills += 1
            if run.wait() == 0:  # all done before the moment: from the beginning
                problems = compare(folder, wanted)
                if problems:
                    return problems
                for path in (folder / "out", folder / "out-views"):
                    shutil.rmtree(path)
                (folder / "out.jsonl").unlink()
            elif run.returncode != -9:
                return [f"status {run.returncode}"]
        subprocess.run(command(program, folder, "out", format), check=True)
        return compare(folder, wanted)


def compare(folder: Path, wanted: dict[str, bytes]) -> list[str]:
    found = contents(folder / "out") | contents(folder / "out-views")
    problems = [f"{name}: missing" for name in wanted.keys() - found.keys()]
    problems += [f"{name}: left over" for name in found.keys() - wanted.keys()]
    problems += [f"{name}: differs" for name in wanted.keys() & found.keys() if wanted[name] != found[name]]
    lines = [json.loads(line)["path"] for line in (folder / "out.jsonl").read_text().splitlines()]
    photos = sorted(str(path) for path in (folder / "photos").rglob("*.jpg"))
    if sorted(lines) != photos:
        problems.append(f"{len(lines)} lines about {len(set(lines))} photos, expected {len(photos)}")
    return problems


def main() -> None:
    program = str(Path(sys.argv[1]).resolve())
    moments = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed = False
    for format in ("png", "pfm"):
        problems = check(program, moments, seed, format)
        print(f"batch: {format}, killed at {moments} moments:", "; ".join(problems) or "nothing lost, nothing twice")
        failed = failed or bool(problems)
    sys.exit(failed)


if __name__ == "__main__":
    main()
