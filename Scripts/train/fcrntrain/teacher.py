"""Depth that another network sees in photographs nobody has measured."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from .frames import MILLIMETRES, Frames

#: Metres that a teacher's answer is limited to: what its own training data covered.
NEAREST, FARTHEST = 0.3, 12.0


class Teacher:
    """A folder with `meter.py` and `meter_xxs_nyu.npz`: METER-XXS of L. Papa et al. 2023.

    It is asked about whole photographs only. Of a crop it should say that everything is nearer, by the
    crop's share of the sides; it says the opposite (its answers are too large by 0.58 in the natural
    logarithm on views that are cropped, turned and stretched, by 0.01 on whole frames).
    """

    INPUT = (192, 256)

    def __init__(self, folder: Path) -> None:
        specification = importlib.util.spec_from_file_location("meter", folder / "meter.py")
        if specification is None or specification.loader is None:
            raise ValueError(f"no teacher in {folder}: meter.py is missing")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        self.network: Callable[[Tensor], Tensor] = module.Meter(str(folder / "meter_xxs_nyu.npz"))

    def label(self, frames: Frames, batch: int = 16) -> Frames:
        """The frames with the teacher's depth: the geometric mean of a photograph's and its mirror image's."""
        depths = [self._millimetres(pictures) for pictures in frames.pictures.split(batch)]
        return Frames(frames.pictures, torch.cat(depths))

    @torch.no_grad()
    def _millimetres(self, pictures: Tensor) -> Tensor:
        small = F.interpolate(pictures.float() / 255, self.INPUT, mode="bilinear", antialias=True, align_corners=False)
        seen, mirrored = (self.network(view.clamp(0, 1)).clamp(NEAREST, FARTHEST).log() for view in (small, small.flip(3)))
        metres = ((seen + mirrored.flip(3)) / 2).exp()
        metres = F.interpolate(metres, pictures.shape[2:], mode="bilinear", align_corners=False)
        return (metres[:, 0] * MILLIMETRES).round().to(torch.int16)
