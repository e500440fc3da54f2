"""Photographs with and without depth, read once and kept in memory as bytes."""

import json
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor

#: A stored value of the labelled set's depth pictures is metres · 5000; in memory it is millimetres.
LABELLED_SCALE, MILLIMETRES = 5000, 1000
#: In units of the picture's width.
KINECT_FOCAL_LENGTH = 525 / 640
#: Of NYU Depth v2's camera, in units of the geometric mean of a picture's sides.
NYU_FOCAL_LENGTH = 519 / math.sqrt(640 * 480)
#: A set of another camera with fewer frames than this has them repeated.
LEAST_FRAMES_OF_A_SET = 8
#: Metres; the raw sequences' depth ends at 10 and has steps of 0.039.
RAW_FARTHEST = 9.97


@dataclass(frozen=True)
class Frames:
    """Pictures (N, 3, H, W) of bytes; `depth` (N, H, W) of millimetres, 0 where nothing is known, −1 on glass.

    `error` (N, h, w), where there is one, is |ln prediction − ln truth| of networks that have not seen the frame, NaN where
    nothing is known.
    """

    pictures: Tensor
    depth: Tensor
    error: Tensor | None = None

    def __len__(self) -> int:
        return len(self.pictures)

    def to(self, device: torch.device) -> Self:
        return Frames(self.pictures.to(device), self.depth.to(device),
                      None if self.error is None else self.error.to(device))


def together(parts: Sequence[Frames]) -> Frames:
    """The pictures of several kinds of frames, as large as the smallest of them, of unknown depth."""
    size = min((part.pictures.shape[2:] for part in parts), key=lambda shape: shape[0])
    pictures = torch.cat([_reduced(part.pictures, size) for part in parts])
    return Frames(pictures, torch.zeros((), dtype=torch.int16).expand(len(pictures), *pictures.shape[2:]))


def _reduced(pictures: Tensor, size: torch.Size, batch: int = 32) -> Tensor:
    if pictures.shape[2:] == size:
        return pictures
    return torch.cat([F.interpolate(part.float(), size, mode="bilinear", antialias=True).round().to(torch.uint8)
                      for part in pictures.split(batch)])


@dataclass(frozen=True)
class LabelledSet:
    """`rgb/NNNNN.jpg`, `depth/NNNNN.png` and the official split as `train_idx0.txt`, `test_idx0.txt`."""

    folder: Path

    def split(self, more: int = 0) -> tuple[list[int], list[int]]:
        """Frames to train on and frames held out for choices. Test frames are in neither.

        `more` frames are held out beside the usual ones, for a run that begins with ImageNet's weights.
        """
        official = _numbers(self.folder / "train_idx0.txt")
        test = self.folder / "test_idx0.txt"
        if test.exists() and (both := set(official) & set(_numbers(test))):
            raise ValueError(f"frame {min(both)} is in the training and in the test split of {self.folder}")
        held_out = held_out_frames(official)
        train = [frame for frame in official if frame not in set(held_out)]
        if more > 0:
            extra = set(held_out_frames(train, wanted=more, rooms=more // 3))
            held_out, train = sorted(extra.union(held_out)), [frame for frame in train if frame not in extra]
        return train, held_out

    def folds(self, train: Sequence[int], count: int) -> list[list[int]]:
        """The frames to train on in `count` parts of about the same size that share no room."""
        folds: list[list[int]] = [[] for _ in range(count)]
        for run in sorted(runs(train), key=len, reverse=True):
            min(folds, key=len).extend(run)
        return [sorted(fold) for fold in folds]

    def picture(self, frame: int) -> Image.Image:
        return Image.open(self.folder / f"rgb/{frame:05}.jpg").convert("RGB")

    def depth(self, frame: int) -> np.ndarray:
        """Metres, (H, W), as stored: half the picture's size in the training set."""
        stored = np.asarray(Image.open(self.folder / f"depth/{frame:05}.png"))
        return stored.astype(np.float32) / LABELLED_SCALE

    def frames(self, numbers: Sequence[int], height: int) -> Frames:
        """All in memory, `height` rows high."""
        return _read(lambda n: (_resized(self.picture(n), height), _nearest(self.depth(n), height)), numbers)


def held_out_frames(official: Sequence[int], wanted: int = 60, rooms: int = 16, longest: int = 12) -> list[int]:
    """Whole scenes, evenly spread over the set.

    Neighbouring numbers show the same room from another side, and a scene never crosses a gap in the
    numbers: so whole runs are taken, short ones, that no single room decides. About `rooms` runs are
    looked at until there are as many frames as `wanted`.
    """
    short = [run for run in runs(official) if 2 <= len(run) <= longest]
    step = max(1, len(short) // rooms)
    held_out: list[int] = []
    for run in short[step // 2::step]:
        if len(held_out) < wanted:
            held_out += run
    return held_out


def runs(frames: Sequence[int]) -> list[list[int]]:
    """Neighbouring numbers together; in the labelled set they show one room, or a few."""
    found: list[list[int]] = []
    for frame in frames:
        if found and frame == found[-1][-1] + 1:
            found[-1].append(frame)
        else:
            found.append([frame])
    return found


def raw_sequences(folder: Path, held_out: Sequence[int]) -> list[Path]:
    """The pictures of frames of video: `rgb/SEQUENCE_NUMBER.jpg`, with `depth/SEQUENCE_NUMBER.png` and `sequences.txt`,
    which names the labelled frames that show a sequence's room.

    Sequences that show a held-out room are left out.
    """
    paths = []
    for line in (folder / "sequences.txt").read_text().splitlines():
        name, _, labelled = line.split("\t")
        if not set(map(int, labelled.split(","))) & set(held_out):
            paths += sorted((folder / "rgb").glob(f"{name}_*.jpg"))
    if not paths:
        raise ValueError(f"no frames in {folder} but of held-out rooms")
    return paths


def raw_frames(paths: Sequence[Path], height: int) -> Frames:
    """All in memory. Their depth was published in 8 bits that end at `RAW_FARTHEST`; what is there or beyond is unknown."""

    def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
        stored = np.asarray(Image.open(path.parent.parent / "depth" / f"{path.stem}.png"))
        metres = stored.astype(np.float32) / LABELLED_SCALE
        return _resized(Image.open(path).convert("RGB"), height), _nearest(np.where(metres < RAW_FARTHEST, metres, 0), height)

    return _read(read, paths)


def photographs(folder: Path, height: int) -> Frames:
    """Every JPEG of a folder, of unknown depth."""
    pictures = [_resized(Image.open(path).convert("RGB"), height) for path in sorted(folder.glob("*.jpg"))]
    if not pictures:
        raise ValueError(f"no photographs (*.jpg) in {folder}")
    return _stacked(pictures, [np.zeros((height, height * 4 // 3), np.int16)] * len(pictures))


def rendered(folder: Path, height: int, focal_exponent: float = 1) -> Frames:
    """What `measure render-scenes --photographed --format jpg` writes: STEM.jpg and STEM_depth.pfm."""
    return rendered_by_orientation(folder, height, focal_exponent)[0]


def rendered_by_orientation(folder: Path, height: int, focal_exponent: float = 1) -> list[Frames]:
    """The same, or STEM_depth.png with millimetres: landscape pictures, then upright ones, `height` columns wide.

    `cameras.tsv` has other cameras' focal lengths; depth is multiplied by their ratio to a Kinect's, to a power.
    Without a value (0) it is glass, which has no depth to learn.
    """
    cameras = folder / "cameras.tsv"
    lines = [line.split("\t") for line in cameras.read_text().splitlines()] if cameras.exists() else []
    focal_lengths = {stem: float(length) for stem, length, _ in lines}
    paths = sorted([*folder.glob("*_depth.pfm"), *folder.glob("*_depth.png")])
    if not paths:
        raise ValueError(f"no rendered rooms (*_depth.pfm, *_depth.png) in {folder}")

    def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
        stem = path.name.removesuffix(f"_depth{path.suffix}")
        metres = _portable_float_map(path) if path.suffix == ".pfm" else np.asarray(Image.open(path)) / np.float32(MILLIMETRES)
        rows, columns = metres.shape
        # Pictures of the same area, so that a camera has one focal length however it is held.
        area = math.sqrt(rows * columns)
        kinect = KINECT_FOCAL_LENGTH * area / math.sqrt(3 / 4)
        metres = metres * np.float32((kinect / focal_lengths.get(stem, kinect)) ** focal_exponent)
        upright = rows > columns
        depth = _nearest(metres, height, upright)
        depth[_nearest(np.where(metres == 0, np.float32(1), 0), height, upright) > 0] = -1
        return _resized(Image.open(path.with_name(f"{stem}.jpg")).convert("RGB"), height, upright), depth

    with ThreadPoolExecutor() as pool:
        pairs = list(pool.map(read, paths))
    kinds = [[pair for pair in pairs if (pair[1].shape[0] > pair[1].shape[1]) == upright] for upright in (False, True)]
    return [_stacked(*zip(*kind)) for kind in kinds if kind]


def other_cameras(folder: Path, height: int, without: Sequence[str] = (), focal_exponent: float = 1) -> Frames:
    """Measured frames of other cameras: `SET/rgb/NAME.jpg`, `SET/depth/NAME.png` (millimetres) and `SET/camera.json`.

    Depth is multiplied by the ratio of the NYU camera's focal length to theirs, to a power. The frames of a small set are repeated, so that it
    counts beside larger ones.
    """
    cameras = {path.parent.name: path for path in sorted(folder.glob("*/camera.json"))}
    if unknown := set(without) - cameras.keys():
        raise ValueError(f"no set {', '.join(sorted(unknown))} in {folder}")
    pictures: list[np.ndarray] = []
    depths: list[np.ndarray] = []
    for name, camera in cameras.items():
        if name in without:
            continue
        described = json.loads(camera.read_text())
        paths = sorted((camera.parent / "rgb").iterdir())
        repetitions = -(-LEAST_FRAMES_OF_A_SET // max(1, len(paths)))
        for path in paths:
            picture = Image.open(path).convert("RGB")
            stored = np.asarray(Image.open(camera.parent / "depth" / f"{path.stem}.png")).astype(np.float32)
            focal_length = described["focal_px"] / math.sqrt(picture.width * picture.height)
            metres = stored / described.get("depth_scale", 1000) * (NYU_FOCAL_LENGTH / focal_length) ** focal_exponent
            pictures += [_resized(picture, height)] * repetitions
            depths += [_nearest(metres, height)] * repetitions
    if not pictures:
        raise ValueError(f"no sets (SET/camera.json, SET/rgb, SET/depth) in {folder}")
    return _stacked(pictures, depths)


def _numbers(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()]


def _size(height: int, upright: bool) -> tuple[int, int]:
    """Rows and columns of a frame in memory; `height` is the shorter side."""
    return (height * 4 // 3, height) if upright else (height, height * 4 // 3)


def _resized(picture: Image.Image, height: int, upright: bool = False) -> np.ndarray:
    height, width = _size(height, upright)
    return np.asarray(picture.resize((width, height), Image.Resampling.LANCZOS)).transpose(2, 0, 1)


def _nearest(depth: np.ndarray, height: int, upright: bool = False) -> np.ndarray:
    """Millimetres at the centres of the new pixels. Nothing is interpolated across an edge."""
    height, width = _size(height, upright)
    rows = ((np.arange(height) + 0.5) * depth.shape[0] / height).astype(int)
    columns = ((np.arange(width) + 0.5) * depth.shape[1] / width).astype(int)
    metres = depth[rows][:, columns]
    metres = np.where(np.isfinite(metres) & (metres > 0), metres, 0)
    return np.clip(np.round(metres * MILLIMETRES), 0, 32767).astype(np.int16)


def _read(read: Callable[[Any], tuple[np.ndarray, np.ndarray]], items: Sequence[Any]) -> Frames:
    """Picture and depth of each item, in parallel."""
    with ThreadPoolExecutor() as pool:
        pictures, depths = zip(*pool.map(read, items))
    return _stacked(pictures, depths)


def _stacked(pictures: Sequence[np.ndarray], depths: Sequence[np.ndarray]) -> Frames:
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
