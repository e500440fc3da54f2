#!/usr/bin/env python3
"""Runs the shell examples of README and the guides, those of a page in order in one fresh folder.

    Scripts/checks/check-guides.py [PAGE...]

The folder has photo.jpg, photos/ with three photos, and film.mp4. A word after `sh` in the fence names what an example needs that a check does
not have (weights, camera, network, program, server, clone); its syntax alone is checked. DEPTH names the program.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDS = {"weights", "camera", "network", "program", "server", "clone"}
EXAMPLE = re.compile(r"^(?P<indent> *)```sh(?P<needs>[^\n]*)\n(?P<text>.*?)^ *```", re.M | re.S)


def prepare(folder: Path) -> None:
    shutil.copy(ROOT / "Examples/living-room.jpg", folder / "photo.jpg")
    (folder / "photos").mkdir()
    for name in ("living-room", "dining-table", "fruit-bowl"):
        shutil.copy(ROOT / f"Examples/{name}.jpg", folder / "photos")
    scroll = "scale=640:-1,scroll=h=0.002,scale=320:240"
    sources = ["-loop", "1", "-i", str(folder / "photo.jpg"), "-f", "lavfi", "-i", "sine=frequency=440"]
    subprocess.run(
        ["ffmpeg", "-v", "error", *sources, "-vf", scroll, "-r", "10", "-t", "2", "-pix_fmt", "yuv420p", folder / "film.mp4"], check=True
    )


def failure(name: str, line: int, script: str, folder: Path, *options: str) -> str | None:
    done = subprocess.run(
        ["bash", *options, "-euo", "pipefail", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode == 0:
        return None
    return f"{name}:{line}: status {done.returncode}\n{script}{done.stdout.decode(errors='replace')[-2000:]}"


def failures(page: Path) -> list[str]:
    found: list[str] = []
    text = page.read_text()
    name = page.relative_to(ROOT).as_posix()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        prepare(folder)
        for example in EXAMPLE.finditer(text):
            line = text.count("\n", 0, example.start()) + 1
            needs = set(example["needs"].split())
            if needs - NEEDS:
                found.append(f"{name}:{line}: needs {' '.join(needs)}, expected {', '.join(sorted(NEEDS))}")
            script = re.sub(f"^{example['indent']}", "", example["text"], flags=re.M)
            said = failure(name, line, script, folder, *(["-n"] if needs else []))
            found += [said] if said else []
    return found


def main() -> None:
    program = Path(os.environ.get("DEPTH", ROOT / ".build/release/depth")).resolve()
    if not program.exists():
        sys.exit(f"check-guides: {program} is missing, expected a built program")
    if not shutil.which("ffmpeg"):
        sys.exit(69)
    os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
    pages = [Path(page).resolve() for page in sys.argv[1:]] or [ROOT / "README.md", *sorted((ROOT / "Documentation").glob("*.md"))]
    found = [said for page in pages for said in failures(page)]
    print(*found, sep="\n", end="\n" if found else "")
    if found:
        sys.exit(f"check-guides: {len(found)} examples failed, expected none")


if __name__ == "__main__":
    main()
