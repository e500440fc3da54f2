"""How far a prediction is from a depth map."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

#: Metres below which a prediction's logarithm goes on as a straight line.
SMALLEST = 0.2
#: Pixels between the two whose difference the edge term compares.
EDGE_DISTANCES = (1, 2, 4, 8)
#: Of these, the ones at which a room's surfaces differ by more than depth in steps of 4 cm errs.
COARSE_EDGES = (4, 8)


@dataclass(frozen=True)
class LossWeights:
    """Beside the mean absolute difference of the logarithms, which counts once."""

    metres: float = 0.1  # mean absolute difference, metres
    spread: float = 0.2  # root mean square of the difference of the logarithms
    edges: float = 0.5  # differences of that difference between pixels 1, 2, 4 and 8 apart


def logarithm(depth: Tensor) -> Tensor:
    """The natural logarithm down to `SMALLEST`, its tangent there below.

    The final ReLU would have no gradient where it cuts, and the logarithm of what it leaves no value.
    """
    return torch.where(depth > SMALLEST, depth.clamp(min=SMALLEST).log(), math.log(SMALLEST) + depth / SMALLEST - 1)


def depth_loss(prediction: Tensor, depth: Tensor, weights: LossWeights,
               edges: tuple[int, ...] = EDGE_DISTANCES) -> Tensor:
    """One number a sample, (N,), of maps (N, h, w) in metres; pixels of depth 0 don't count.

    The edge term compares differences at several distances, so that an edge must stand where the truth
    has it (Z. Li and N. Snavely, "MegaDepth", CVPR 2018, equation 4). `edges` are the distances: none for
    a teacher, whose edges are soft, and only long ones for depth in coarse steps.
    """
    known = (depth > 0).float()
    pixels = known.sum((1, 2)).clamp(min=1)
    target = torch.where(depth > 0, depth, torch.ones_like(depth))
    difference = (logarithm(prediction) - target.log()) * known

    def mean(values: Tensor) -> Tensor:
        return values.sum((1, 2)) / pixels

    loss = mean(difference.abs())
    loss = loss + weights.metres * mean((prediction - target).abs() * known)
    loss = loss + weights.spread * (mean(difference.square()) + 1e-6).sqrt()
    for distance in edges:
        for axis in (1, 2):
            loss = loss + weights.edges / len(EDGE_DISTANCES) * mean(_step(difference, known, axis, distance))
    return loss


def _step(difference: Tensor, known: Tensor, axis: int, distance: int) -> Tensor:
    length = difference.shape[axis] - distance
    here, there = (difference.narrow(axis, start, length) for start in (0, distance))
    both = known.narrow(axis, 0, length) * known.narrow(axis, distance, length)
    return (there - here).abs() * both
