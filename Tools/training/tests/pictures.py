"""A small data set in the layouts that the trainer reads, made from nothing."""

from pathlib import Path

import numpy as np
from PIL import Image

#: Runs of neighbouring frames, as in the official split.
TRAIN, TEST = [1, 2, 3, 7, 8, 20, 21, 22, 23, 40, 43, 46, 49], [5, 30]
HEIGHT, WIDTH = 48, 64


def room(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A box before a wall: pixels (H, W, 3) and metres (H, W)."""
    random = np.random.default_rng(seed)
    depth = np.full((HEIGHT, WIDTH), 2 + 3 * random.random(), np.float32)
    top, left = random.integers(4, 20, 2)
    depth[top:top + 16, left:left + 24] = 1.2
    pixels = np.clip(255 / depth[..., None] * random.random(3), 0, 255).astype(np.uint8)
    return pixels, depth


def labelled(folder: Path) -> Path:
    for name in ("rgb", "depth"):
        (folder / name).mkdir(parents=True)
    for frame in TRAIN + TEST:
        pixels, depth = room(frame)
        Image.fromarray(pixels).save(folder / f"rgb/{frame:05}.jpg")
        Image.fromarray(np.round(depth * 5000).astype(np.uint16)).save(folder / f"depth/{frame:05}.png")
    (folder / "train_idx0.txt").write_text("".join(f"{frame}\n" for frame in TRAIN))
    (folder / "test_idx0.txt").write_text("".join(f"{frame}\n" for frame in TEST))
    return folder


def rendered(folder: Path, count: int = 2) -> Path:
    folder.mkdir(parents=True)
    for seed in range(count):
        pixels, depth = room(100 + seed)
        Image.fromarray(pixels).save(folder / f"{seed:05}.jpg")
        with open(folder / f"{seed:05}_depth.pfm", "wb") as file:
            file.write(f"Pf\n{WIDTH} {HEIGHT}\n-1.0\n".encode())
            file.write(depth[::-1].astype("<f4").tobytes())
    return folder


def packs(folder: Path, names: list[str], count: int = 4) -> Path:
    """Packs of `count` pictures as `render-scenes --things` makes them, every second one upright; depth is the number of the pack
    in metres, and in the first column of pixels unknown."""
    for number, name in enumerate(names, 1):
        (folder / name).mkdir(parents=True)
        lines = []
        for seed in range(count):
            height, width = (WIDTH, HEIGHT) if seed % 2 else (HEIGHT, WIDTH)
            depth = np.full((height, width), 1000 * number, np.uint16)
            depth[:, 0] = 0
            Image.new("RGB", (width, height), (20 * number, 40 * seed, 99)).save(folder / name / f"{seed:05}.jpg")
            Image.fromarray(depth).save(folder / name / f"{seed:05}_depth.png")
            lines.append(f"{seed:05}\t{525 / 640 * WIDTH}\t{width}\n")
        (folder / name / "cameras.tsv").write_text("".join(lines))
    return folder


def other_cameras(folder: Path, focal_lengths: dict[str, float]) -> Path:
    """Sets of two frames each of the room with seed 500, and one of nine."""
    for name, focal_length in focal_lengths.items():
        for part in ("rgb", "depth"):
            (folder / name / part).mkdir(parents=True)
        pixels, depth = room(500)
        for frame in range(9 if name == "large" else 2):
            Image.fromarray(pixels).save(folder / name / f"rgb/{frame:05}.png")
            Image.fromarray(np.round(depth * 1000).astype(np.uint16)).save(folder / name / f"depth/{frame:05}.png")
        (folder / name / "camera.json").write_text(f'{{"focal_px": {focal_length}}}')
    return folder


#: Raw sequences and the labelled frames that show the same room.
SEQUENCES = {"bathroom_0001": (1, 2, 3), "bathroom_0002": (7, 8), "bathroom_0003": (40,)}


def raw(folder: Path, count: int = 2) -> Path:
    """Each sequence's frames; a wall at 10 m, where the published depth ends, fills their left half."""
    for name in ("rgb", "depth"):
        (folder / name).mkdir(parents=True)
    for index, name in enumerate(SEQUENCES):
        for frame in range(count):
            pixels, depth = room(300 + 10 * index + frame)
            depth[:, :WIDTH // 2] = 10
            Image.fromarray(pixels).save(folder / f"rgb/{name}_{frame:04}.jpg")
            Image.fromarray(np.round(depth * 5000).astype(np.uint16)).save(folder / f"depth/{name}_{frame:04}.png")
    lines = (f"{name}\t{count}\t{','.join(f'{n:05}' for n in numbers)}\n" for name, numbers in SEQUENCES.items())
    (folder / "sequences.txt").write_text("".join(lines))
    return folder


def photographs(folder: Path, count: int = 3) -> Path:
    folder.mkdir(parents=True)
    for seed in range(count):
        Image.fromarray(room(200 + seed)[0]).save(folder / f"{seed:04}.jpg")
    return folder


def teacher(folder: Path) -> Path:
    """A teacher that sees two metres on the left and four on the right of everything."""
    folder.mkdir(parents=True)
    (folder / "meter.py").write_text(
        "import torch\n"
        "class Meter:\n"
        "    def __init__(self, path, device='cpu'): pass\n"
        "    def __call__(self, rgb):\n"
        "        depth = torch.full((len(rgb), 1, 48, 64), 2.0)\n"
        "        depth[..., 32:] = 4.0\n"
        "        return depth\n")
    (folder / "meter_xxs_nyu.npz").touch()
    return folder
