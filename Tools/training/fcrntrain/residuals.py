"""What networks get wrong on frames that they have not seen, for a network to learn what to expect of itself.

A network knows the frames that it was trained on, so its own errors there promise too much. Each of several networks
leaves out one part of the rooms and is then asked about it.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from .evaluation import log_metres
from .frames import MILLIMETRES, Frames, LabelledSet, raw_frames, raw_sequences
from .training import restore

#: Size of the stored maps.
SIZE = (120, 160)


def measure(checkpoints: Sequence[Path], labelled: LabelledSet, raw: Path | None, output: Path, device: torch.device,
            more: int = 0) -> int:
    """Writes `output` (.npz): frame name → |ln prediction − ln truth|, float16, NaN where nothing is known.

    Checkpoint k has left out part k of the rooms. Of the raw sequences, those whose labelled frames are all in one part.
    """
    train, _ = labelled.split(more)
    folds = labelled.folds(train, len(checkpoints))
    errors: dict[str, np.ndarray] = {}
    for checkpoint, fold in zip(checkpoints, folds):
        net = restore(checkpoint).to(device, memory_format=torch.channels_last).eval()
        maps = _errors(net, labelled.frames(fold, 240), device)
        errors |= {f"{number:05}": error for number, error in zip(fold, maps)}
        if raw is not None:
            others = sorted(set(_all_frames(raw)) - set(fold))
            try:
                paths = raw_sequences(raw, others)
            except ValueError:
                continue
            maps = _errors(net, raw_frames(paths, 240), device)
            errors |= {path.stem: error for path, error in zip(paths, maps)}
    np.savez(output, **errors)
    return len(errors)


def attached(frames: Frames, names: Sequence[str], errors: Path) -> Frames:
    """The frames with the errors that `measure` wrote; NaN where it did not."""
    with np.load(errors) as file:
        unknown = np.full(SIZE, np.nan, np.float16)
        maps = [file[name] if name in file else unknown for name in names]
    return Frames(frames.pictures, frames.depth, torch.from_numpy(np.stack(maps)))


def _all_frames(raw: Path) -> list[int]:
    lines = (raw / "sequences.txt").read_text().splitlines()
    return [int(number) for line in lines for number in line.split("\t")[2].split(",")]


@torch.no_grad()
def _errors(net: torch.nn.Module, frames: Frames, device: torch.device, batch: int = 32) -> list[np.ndarray]:
    maps = []
    for pictures, depth in zip(frames.pictures.split(batch), frames.depth.split(batch)):
        pixels = pictures.to(device).float()
        predicted = log_metres(net, pixels) + log_metres(net, pixels.flip(3)).flip(2)
        maps += list(_difference(predicted / 2, depth.to(device)).cpu().numpy())
    return maps


def _difference(log_depth: Tensor, depth: Tensor) -> Tensor:
    truth = F.interpolate(depth[:, None].float(), SIZE, mode="nearest-exact")[:, 0] / MILLIMETRES
    predicted = F.interpolate(log_depth[:, None], SIZE, mode="bilinear", align_corners=False)[:, 0]
    error = (predicted - truth.clamp(min=1e-3).log()).abs()
    return torch.where(truth > 0, error, torch.full_like(error, torch.nan)).half()
