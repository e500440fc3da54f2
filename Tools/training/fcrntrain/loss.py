"""How far a prediction is from a depth map."""

import math
from dataclasses import dataclass
from enum import Enum

import torch
import torch.nn.functional as F
from torch import Tensor

from .frames import KINECT_FOCAL_LENGTH

#: Metres below which a prediction's logarithm goes on as a straight line.
SMALLEST = 0.2
#: Pixels between the two whose difference the edge term compares.
EDGE_DISTANCES = (1, 2, 4, 8)
#: ln of metres beyond which a mistake in metres grows no more.
LARGEST_LOG = 4.0
#: Range of ln expected error.
LOG_ERRORS = (-5.0, 1.0)
#: Change of ln depth within a pixel's 3 × 3 neighbours from which on it is at a border.
BORDER_STEP = 0.1
#: Of these, the ones at which a room's surfaces differ by more than depth in steps of 4 cm errs.
COARSE_EDGES = (4, 8)
#: A teacher's maps are soft: they are compared in squares of so many pixels' sides, and edges between squares so far apart.
TEACHER_SQUARE, TEACHER_EDGES = 4, (1, 2)


class Borders(Enum):
    """How true depth is at the borders of things."""

    SOFT = 0  # a teacher's, or too coarse to tell: pixels there count as all others
    MEASURED = 1  # a sensor's, a pixel or two off: pairs across them teach nothing
    EXACT = 2  # rendered: pixels there count more, by themselves and in pairs, since networks are soft there and borders are few


@dataclass(frozen=True)
class LossWeights:
    """Beside the mean absolute difference of the logarithms, which counts once."""

    metres: float = 0.1  # mean absolute difference, metres
    spread: float = 0.2  # root mean square of the difference of the logarithms
    edges: float = 0.5  # differences of that difference between pixels 1, 2, 4 and 8 apart
    shift: float = 0.1  # absolute mean of that difference: the whole view too near or too far
    normals: float = 0.1  # 1 − cosine between the surfaces' normals
    borders: float = 4.0  # what a pixel at a border counts beside 1, where borders are true to the pixel
    error: float = 0.1  # negative log-likelihood of the error, where a network expects one


def logarithm(depth: Tensor) -> Tensor:
    """The natural logarithm down to `SMALLEST`, its tangent there below.

    The final ReLU would have no gradient where it cuts, and the logarithm of what it leaves no value.
    """
    return torch.where(depth > SMALLEST, depth.clamp(min=SMALLEST).log(), math.log(SMALLEST) + depth / SMALLEST - 1)


def depth_loss(prediction: Tensor, depth: Tensor, weights: LossWeights,
               edges: tuple[int, ...] = EDGE_DISTANCES) -> Tensor:
    """One number a sample, (N,), of maps (N, h, w) in metres; pixels of depth 0 don't count."""
    return log_depth_loss(logarithm(prediction), depth, weights, edges)


def log_depth_loss(prediction: Tensor, depth: Tensor, weights: LossWeights,
                   edges: tuple[int, ...] = EDGE_DISTANCES, normals: bool = False, borders: Borders = Borders.SOFT) -> Tensor:
    """As `depth_loss`, of maps of ln metres.

    The edge term compares differences at several distances, so that an edge must stand where the truth
    has it (Z. Li and N. Snavely, "MegaDepth", CVPR 2018, equation 4). `edges` are the distances: none for
    a teacher, whose edges are soft, and only long ones for depth in coarse steps. `normals` is for depth
    without steps (J. Hu et al., "Revisiting Single Image Depth Estimation", WACV 2019, equation 6).
    """
    known = (depth > 0).float()
    pixels = known.sum((1, 2)).clamp(min=1)
    target = torch.where(depth > 0, depth, torch.ones_like(depth))
    difference = (prediction - target.log()) * known

    def mean(values: Tensor) -> Tensor:
        return values.sum((1, 2)) / pixels

    border = torch.zeros_like(known) if borders is Borders.SOFT else _at_border(target.log(), known)
    counted = known * (1 + weights.borders * border) if borders is Borders.EXACT else known
    in_pairs = known * (1 - border) if borders is Borders.MEASURED else counted
    loss = mean(difference.abs() * counted)
    metres = prediction.clamp(max=LARGEST_LOG).exp()
    loss = loss + weights.metres * mean((metres - target).abs() * known)
    loss = loss + weights.spread * (mean(difference.square()) + 1e-6).sqrt()
    loss = loss + weights.shift * mean(difference).abs()
    for distance in edges:
        for axis in (1, 2):
            loss = loss + weights.edges / len(EDGE_DISTANCES) * mean(_step(difference, in_pairs, axis, distance))
    if normals:
        around = known[:, :-2, 1:-1] * known[:, 2:, 1:-1] * known[:, 1:-1, :-2] * known[:, 1:-1, 2:]
        cosine = _cosine(_normals(prediction), _normals(target.log()))
        loss = loss + weights.normals * ((1 - cosine) * around).sum((1, 2)) / around.sum((1, 2)).clamp(min=1)
    return loss


def error_loss(log_error: Tensor, error: Tensor) -> Tensor:
    """One number a sample: −ln of a Laplace density of scale exp(`log_error`) at `error`, both (N, h, w); NaN doesn't count.

    Source: A. Kendall and Y. Gal, "What Uncertainties Do We Need?", NeurIPS 2017, section 2.2.1, with L1 in place of L2. The
    errors are given numbers: depth is not learnt from this term.
    """
    known = error.isfinite()
    log_error = log_error.clamp(*LOG_ERRORS)
    error = torch.where(known, error, torch.zeros_like(error))
    values = (error * (-log_error).exp() + log_error) * known
    return values.sum((1, 2)) / known.sum((1, 2)).clamp(min=1)


def _cosine(first: tuple[Tensor, ...], second: tuple[Tensor, ...]) -> Tensor:
    """Of the angle between vectors, component by component: PyTorch's takes several times as long."""

    def product(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Tensor:
        return torch.stack([x * y for x, y in zip(a, b)]).sum(0)

    return product(first, second) * (product(first, first) * product(second, second)).clamp(min=1e-12).rsqrt()


def _normals(log_depth: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of the surfaces that a map of ln depth shows to a Kinect, three components (N, h − 2, w − 2), of any length.

    With Z(u, v) the normal is (−∂Z/∂u, −∂Z/∂v, Z + u ∂Z/∂u + v ∂Z/∂v); dividing by Z leaves derivatives of ln Z.
    """
    rows, columns = log_depth.shape[1:]
    pixel = 1 / (KINECT_FOCAL_LENGTH * columns), 0.75 / (KINECT_FOCAL_LENGTH * rows)
    along = (log_depth[:, 1:-1, 2:] - log_depth[:, 1:-1, :-2]) / (2 * pixel[0])
    down = (log_depth[:, 2:, 1:-1] - log_depth[:, :-2, 1:-1]) / (2 * pixel[1])
    u = (torch.arange(1, columns - 1, device=log_depth.device) + 0.5 - columns / 2) * pixel[0]
    v = (torch.arange(1, rows - 1, device=log_depth.device) + 0.5 - rows / 2) * pixel[1]
    return -along, -down, 1 + u * along + v[:, None] * down


def _step(difference: Tensor, known: Tensor, axis: int, distance: int) -> Tensor:
    length = difference.shape[axis] - distance
    here, there = (difference.narrow(axis, start, length) for start in (0, distance))
    both = (known.narrow(axis, 0, length) * known.narrow(axis, distance, length)).sqrt()
    return (there - here).abs() * both


def _at_border(log_depth: Tensor, known: Tensor) -> Tensor:
    """1 where known depth changes by more than `BORDER_STEP` among a pixel and its neighbours, else 0."""
    unknown = (1 - known) * 100
    farthest = F.max_pool2d((log_depth - unknown)[:, None], 3, 1, 1)[:, 0]
    nearest = -F.max_pool2d((-log_depth - unknown)[:, None], 3, 1, 1)[:, 0]
    return ((farthest - nearest) > BORDER_STEP).float() * known


def pooled(log_depth: Tensor, depth: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Maps of ln depth (N, …, h, w) and of metres (N, h, w), averaged over squares; unknown where a part of the square is."""
    known = -F.max_pool2d(-(depth > 0).float()[:, None], side)[:, 0]
    mean = F.avg_pool2d(torch.where(depth > 0, depth, torch.ones_like(depth)).log()[:, None], side)[:, 0]
    return F.avg_pool2d(log_depth, side), mean.exp() * known
