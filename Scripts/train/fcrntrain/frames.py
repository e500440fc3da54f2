"""Photographs with and without depth, read once and kept in memory as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor

#: A stored value of the labelled set's depth pictures is metres · 5000; in memory it is millimetres.
LABELLED_SCALE, MILLIMETRES = 5000, 1000


@dataclass(frozen=True)
class Frames:
    """Pictures (N, 3, H, W) of bytes; `depth` (N, H, W) of millimetres, 0 where nothing is known."""

    pictures: Tensor
    depth: Tensor

    def __len__(self) -> int:
        return len(self.pictures)

    def to(self, device: torch.device) -> Frames:
        return Frames(self.pictures.to(device), self.depth.to(device))


@dataclass(frozen=True)
class LabelledSet:
    """`rgb/NNNNN.jpg`, `depth/NNNNN.png` and the official split as `train_idx0.txt`, `test_idx0.txt`."""

    folder: Path

    def split(self) -> tuple[list[int], list[int]]:
        """Frames to train on and frames held out for choices. Test frames are in neither."""
        official = _numbers(self.folder / "train_idx0.txt")
        test = self.folder / "test_idx0.txt"
        if test.exists() and (both := set(official) & set(_numbers(test))):
            raise ValueError(f"frame {min(both)} is in the training and in the test split of {self.folder}")
        held_out = held_out_frames(official)
        return [frame for frame in official if frame not in set(held_out)], held_out

    def picture(self, frame: int) -> Image.Image:
        return Image.open(self.folder / f"rgb/{frame:05}.jpg").convert("RGB")

    def depth(self, frame: int) -> np.ndarray:
        """Metres, (H, W), as stored: half the picture's size in the training set."""
        stored = np.asarray(Image.open(self.folder / f"depth/{frame:05}.png"))
        return stored.astype(np.float32) / LABELLED_SCALE

    def frames(self, numbers: Sequence[int], height: int) -> Frames:
        """All in memory, `height` rows high."""
        pairs = [(_resized(self.picture(n), height), _nearest(self.depth(n), height)) for n in numbers]
        return _stacked([p for p, _ in pairs], [d for _, d in pairs])


def held_out_frames(official: Sequence[int], wanted: int = 60, longest: int = 12) -> list[int]:
    """Whole scenes, evenly spread over the set.

    Neighbouring numbers show the same room from another side, and a scene never crosses a gap in the
    numbers: so whole runs are taken, short ones, that no single room decides.
    """
    runs: list[list[int]] = []
    for frame in official:
        if runs and frame == runs[-1][-1] + 1:
            runs[-1].append(frame)
        else:
            runs.append([frame])
    short = [run for run in runs if 2 <= len(run) <= longest]
    step = max(1, len(short) // 16)
    held_out: list[int] = []
    for run in short[step // 2::step]:
        if len(held_out) < wanted:
            held_out += run
    return held_out


def photographs(folder: Path, height: int) -> Frames:
    """Every JPEG of a folder, of unknown depth."""
    pictures = [_resized(Image.open(path).convert("RGB"), height) for path in sorted(folder.glob("*.jpg"))]
    if not pictures:
        raise ValueError(f"no photographs (*.jpg) in {folder}")
    return _stacked(pictures, [np.zeros((height, height * 4 // 3), np.int16)] * len(pictures))


def rendered(folder: Path, height: int) -> Frames:
    """What `render-scenes --photographed --format jpg` writes: STEM.jpg and STEM_depth.pfm."""
    pictures, depths = [], []
    for path in sorted(folder.glob("*_depth.pfm")):
        picture = path.with_name(path.name.removesuffix("_depth.pfm") + ".jpg")
        pictures.append(_resized(Image.open(picture).convert("RGB"), height))
        depths.append(_nearest(_portable_float_map(path), height))
    if not pictures:
        raise ValueError(f"no rendered rooms (*_depth.pfm) in {folder}")
    return _stacked(pictures, depths)


def _numbers(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()]


def _resized(picture: Image.Image, height: int) -> np.ndarray:
    width = height * 4 // 3
    return np.asarray(picture.resize((width, height), Image.Resampling.LANCZOS)).transpose(2, 0, 1)


def _nearest(depth: np.ndarray, height: int) -> np.ndarray:
    """Millimetres at the centres of the new pixels. Nothing is interpolated across an edge."""
    width = height * 4 // 3
    rows = ((np.arange(height) + 0.5) * depth.shape[0] / height).astype(int)
    columns = ((np.arange(width) + 0.5) * depth.shape[1] / width).astype(int)
    metres = depth[rows][:, columns]
    metres = np.where(np.isfinite(metres) & (metres > 0), metres, 0)
    return np.clip(np.round(metres * MILLIMETRES), 0, 32767).astype(np.int16)


def _stacked(pictures: list[np.ndarray], depths: list[np.ndarray]) -> Frames:
    return Frames(torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(depths)))


def _portable_float_map(path: Path) -> np.ndarray:
    """One channel, rows from the bottom; a negative scale says little-endian."""
    with open(path, "rb") as file:
        if file.readline().strip() != b"Pf":
            raise ValueError(f"{path} is no portable float map of one channel")
        width, height = map(int, file.readline().split())
        order = "<" if float(file.readline()) < 0 else ">"
        values = np.frombuffer(file.read(4 * width * height), order + "f4")
    return values.reshape(height, width)[::-1].astype(np.float32)
