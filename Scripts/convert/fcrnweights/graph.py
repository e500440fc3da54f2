"""A published model as a graph of the few operations FCRN consists of.

Core ML, ONNX and MatConvNet files carry the whole computation. Their readers translate it
to these nodes; `structure` then finds every layer by its place in the computation. Order in the
file and names there play no part.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

#: Rows or columns added (top, bottom, left, right), or how to find out from the size.
Padding = tuple[int, int, int, int] | str
SAME_UPPER, SAME_LOWER = "same, rest after", "same, rest before"
NO_PADDING = (0, 0, 0, 0)


@dataclass(frozen=True)
class Node:
    """One operation; `inputs` and `outputs` name activations only, constants are in the node."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Convolve(Node):
    kernel: np.ndarray  # OIHW
    bias: np.ndarray | None
    stride: tuple[int, int]
    padding: Padding


@dataclass(frozen=True)
class Normalise(Node):
    """Batch norm with the statistics and the epsilon of the source."""

    gamma: np.ndarray
    beta: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    epsilon: float


@dataclass(frozen=True)
class Scale(Node):
    """x · factor + offset, each one number or one per channel."""

    factor: np.ndarray
    offset: np.ndarray


@dataclass(frozen=True)
class Rectify(Node):
    """ReLU."""


@dataclass(frozen=True)
class Add(Node):
    """The sum of two activations."""


@dataclass(frozen=True)
class Pool(Node):
    """Maximum over a window."""

    size: tuple[int, int]
    stride: tuple[int, int]
    padding: Padding
    rounds_up: bool = False  # a window that is partly outside counts


@dataclass(frozen=True)
class Pad(Node):
    """Zeros around an activation."""

    padding: tuple[int, int, int, int]


@dataclass(frozen=True)
class Concatenate(Node):
    """Channels of several activations one after another."""


@dataclass(frozen=True)
class DepthToSpace(Node):
    """Channels to a 2 × 2 block of pixels."""

    channels_outermost: bool  # channel index c·4 + phase, as in PyTorch's PixelShuffle


@dataclass(frozen=True)
class Rearrange(Node):
    """Moves values without changing them."""


@dataclass(frozen=True)
class Graph:
    """Nodes in an order in which they can be computed."""

    nodes: tuple[Node, ...]
    image: str
    output: str
    height: int | None = None  # of the image, where the file fixes it
    width: int | None = None
    is_bgr: bool = False
    notes: tuple[str, ...] = field(default=())


def same_padding(length: int | None, kernel: int, stride: int, rest_after: bool) -> tuple[int, int]:
    """Padding that makes the output ceil(length / stride) long; `length` counts if stride > 1."""
    if stride == 1 or length is None:
        total = max(kernel - stride, 0)  # for an even length
    else:
        total = max((-(-length // stride) - 1) * stride + kernel - length, 0)
    small, large = total // 2, total - total // 2
    return (small, large) if rest_after else (large, small)
