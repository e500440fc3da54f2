"""A published model as a graph of the few operations FCRN consists of.

Core ML, ONNX and MatConvNet files contain the whole computation. Their readers translate it
to these nodes; `structure` then finds every layer by its place in the computation. Order in the
file and names there play no part.
"""

from dataclasses import dataclass

import numpy as np

from .errors import ConversionError

#: Rows or columns added (top, bottom, left, right), or how to find out from the size.
Padding = tuple[int, int, int, int] | str
SAME_UPPER, SAME_LOWER = "same, rest after", "same, rest before"
NO_PADDING = (0, 0, 0, 0)

CONVOLVE = "convolution"
NORMALIZE = "batch norm"  # with the statistics and the epsilon of the source
SCALE = "x · factor + offset"  # each one number or one per channel
RELU = "ReLU"
ADD = "sum of two activations"
POOL = "maximum over a window"
PAD = "zeros around an activation"
CONCATENATE = "channels one after another"
DEPTH_TO_SPACE = "channels to a 2 × 2 block of pixels"
REARRANGE = "values moved without a change"


@dataclass(frozen=True)
class Node:
    """One operation; `inputs` and `outputs` name activations only, constants are in the node."""

    kind: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    kernel: np.ndarray | None = None  # OIHW
    bias: np.ndarray | None = None
    size: tuple[int, int] = (0, 0)  # of a pooling's window
    stride: tuple[int, int] = (1, 1)
    padding: Padding = NO_PADDING
    rounds_up: bool = False  # a window that is partly outside counts
    statistics: tuple[np.ndarray, ...] = ()  # gamma, beta, mean and variance
    epsilon: float = 0.0
    factor: np.ndarray | float = 1.0
    offset: np.ndarray | float = 0.0
    channels_outermost: bool = False  # channel index c·4 + phase, as in PyTorch's PixelShuffle


@dataclass(frozen=True)
class Graph:
    """Nodes in any order."""

    nodes: list[Node]
    image: str
    output: str
    height: int | None = None  # of the image, where the file fixes it
    width: int | None = None
    is_bgr: bool = False
    notes: tuple[str, ...] = ()

    def live(self) -> list[Node]:
        """The nodes that the output depends on, in an order in which they can be computed."""
        known, waiting, order = {self.image}, self.nodes, []
        while ready := [node for node in waiting if known.issuperset(node.inputs)]:
            waiting = [node for node in waiting if not known.issuperset(node.inputs)]
            for node in ready:
                known.update(node.outputs)
            order += ready
        if self.output not in known:
            lacking = [f"'{node.name}' needs '{name}'" for node in waiting for name in node.inputs if name not in known]
            raise ConversionError(f"nothing computes the model's output{': ' * bool(lacking)}{'; '.join(lacking[:1])}")
        needed, live = {self.output}, []
        for node in reversed(order):
            if needed.intersection(node.outputs):
                needed.update(node.inputs)
                live.append(node)
        return live[::-1]
