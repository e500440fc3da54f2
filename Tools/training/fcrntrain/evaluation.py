"""Accuracy on held-out frames, to choose by. `depth evaluate` is what publishes numbers."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from .frames import LabelledSet

#: Metres below which a prediction counts as this much: the final ReLU may give 0.
SMALLEST = 0.1


@dataclass(frozen=True)
class Accuracy:
    """Means over frames of a frame's value, whole frames, as the protocol `per-image` has it."""

    rel: float
    rms: float
    log10: float
    delta1: float
    scale: float  # median of ln(prediction / truth): how much too deep

    def __str__(self) -> str:
        return f"rel {self.rel:.4f} rms {self.rms:.4f} log10 {self.log10:.4f} δ1 {self.delta1:.4f} scale {self.scale:+.4f}"

    @property
    def badness(self) -> float:
        """One number to choose by: rel and rms, each in units of what the teacher reaches."""
        return self.rel / 0.15 + self.rms / 0.53


def evaluate(net: nn.Module, labelled: LabelledSet, frames: Sequence[int], device: torch.device,
             half_precision: bool = False) -> Accuracy:
    """The mean over all frames."""
    return Accuracy(*measured(net, labelled, frames, device, half_precision).mean(0).tolist())


@torch.no_grad()
def measured(net: nn.Module, labelled: LabelledSet, frames: Sequence[int], device: torch.device,
             half_precision: bool = False, batch: int = 8) -> np.ndarray:
    """The network's map stretched to the frame, bilinearly, against the stored depth.

    One row per frame, one column per field of `Accuracy`.
    """
    net.eval()
    values = []
    for start in range(0, len(frames), batch):
        numbers = frames[start:start + batch]
        pixels = torch.from_numpy(np.stack([np.asarray(labelled.picture(n)) for n in numbers])).to(device)
        pixels = pixels.permute(0, 3, 1, 2).float()
        with torch.autocast(device.type, torch.bfloat16, enabled=half_precision):
            maps = seen(net, pixels)[0].clamp(min=SMALLEST)
        for number, predicted in zip(numbers, maps):
            truth = torch.from_numpy(labelled.depth(number)).to(device)
            scaled = F.interpolate(predicted[None, None], truth.shape, mode="bilinear", align_corners=False)[0, 0]
            values.append(astuple(_accuracy(scaled, truth)))
    return np.array(values)


def seen(net: nn.Module, pictures: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Metres and, of a network with two outputs, the expected relative error, (N, h, w), of pictures of any size."""
    if (architecture := getattr(net, "architecture", None)) is not None:
        output = net(resized(pictures, architecture.input_size))
        return (output[:, 0].exp(), output[:, 1].exp()) if output.ndim == 4 else (output, None)
    return net(pictures), None


def log_metres(net: nn.Module, pictures: torch.Tensor) -> torch.Tensor:
    """ln metres, (N, h, w), of pictures of any size."""
    return seen(net, pictures)[0].clamp(min=SMALLEST).log()


def resized(pictures: torch.Tensor, size: tuple[int, int]) -> torch.Tensor:
    if tuple(pictures.shape[2:]) == tuple(size):
        return pictures
    return F.interpolate(pictures, size, mode="bicubic", antialias=True, align_corners=False).clamp(0, 255)


def _accuracy(predicted: torch.Tensor, truth: torch.Tensor) -> Accuracy:
    known = truth > 0
    predicted, truth = predicted[known], truth[known]
    ratio = torch.maximum(predicted / truth, truth / predicted)
    return Accuracy(((predicted - truth).abs() / truth).mean().item(),
                    (predicted - truth).square().mean().sqrt().item(),
                    (predicted.log10() - truth.log10()).abs().mean().item(),
                    (ratio < 1.25).float().mean().item(),
                    (predicted / truth).median().log().item())
