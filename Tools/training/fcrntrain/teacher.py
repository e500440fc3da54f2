"""Depth that another network sees in photographs nobody has measured."""

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from .evaluation import log_metres
from .frames import MILLIMETRES, Frames
from .network import UpProjections
from .precision import bfloat16_is_fast

#: Metres that a teacher's answer is limited to: what its own training data covered.
NEAREST, FARTHEST = 0.3, 12.0


class Teacher:
    """A folder with `meter.py` and `meter_xxs_nyu.npz`: METER-XXS of L. Papa et al. 2023.

    It is asked about views of whole frames only. Of a crop it should say that everything is nearer, by the
    crop's share of the sides; it says the opposite (its answers are too large by 0.58 in the natural
    logarithm on views that are cropped, turned and stretched, by 0.01 on whole frames).
    """

    INPUT = (192, 256)

    def __init__(self, folder: Path, assistants: Sequence[UpProjections] = (), device: torch.device | None = None) -> None:
        specification = importlib.util.spec_from_file_location("meter", folder / "meter.py")
        if specification is None or specification.loader is None:
            raise ValueError(f"no teacher in {folder}: meter.py is missing")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        self.assistants, self.device = [net.eval() for net in assistants], device or torch.device("cpu")
        self.network: Callable[[Tensor], Tensor] = module.Meter(str(folder / "meter_xxs_nyu.npz"), self.device)

    def label(self, frames: Frames, batch: int = 64) -> Frames:
        """The frames with the depth that ``metres`` gives them."""
        depths = [self.metres(pictures.to(self.device).float(), frames.pictures.shape[2:]) for pictures in frames.pictures.split(batch)]
        return Frames(frames.pictures, torch.cat([(depth * MILLIMETRES).round().to(torch.int16).cpu() for depth in depths]))

    @torch.no_grad()
    def metres(self, pixels: Tensor, size: tuple[int, int]) -> Tensor:
        """What the teacher says of whole views (N, 3, H, W) in 0…255, (N, *size).

        The teacher's part is the mean of a view and its mirror image. The assistants together count as much. They see the view only, not its mirror image, which would double
        their time.
        """
        log_depth = _resized(self._log_depth(pixels), size)
        if self.assistants:
            with torch.autocast(pixels.device.type, torch.bfloat16, enabled=bfloat16_is_fast(pixels.device)):
                maps = [log_metres(net, pixels).float() for net in self.assistants]
            joint = torch.stack([_resized(log_map, size) for log_map in maps]).mean(0)
            log_depth = (log_depth + joint) / 2
        return log_depth.exp()

    def _log_depth(self, pixels: Tensor) -> Tensor:
        small = F.interpolate(pixels / 255, self.INPUT, mode="bilinear", antialias=True, align_corners=False).clamp(0, 1)
        views = [self.network(view).clamp(NEAREST, FARTHEST).log()[:, 0] for view in (small, small.flip(3))]
        return (views[0] + views[1].flip(2)) / 2


def _resized(maps: Tensor, size: Sequence[int]) -> Tensor:
    return F.interpolate(maps[:, None], size, mode="bilinear", align_corners=False)[:, 0]
