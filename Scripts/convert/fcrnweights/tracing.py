"""Follows activations through a graph: what lies between convolutions, and how deep each one is."""

from dataclasses import dataclass, field, replace

import numpy as np

from .errors import ConversionError
from .graph import (ADD, CONCATENATE, CONVOLVE, DEPTH_TO_SPACE, NO_PADDING, NORMALIZE, PAD, POOL, RELU, SAME_UPPER,
                    SCALE, Graph, Node)


@dataclass
class Site:
    """A convolution and its surroundings."""

    node: Node
    depth: int
    padding: tuple[int, ...]
    feeds_on: frozenset[int]  # the nearest convolutions upstream
    after: list[Node] = field(default_factory=list)  # batch norms and scales
    has_relu: bool = False  # directly after what is in `after`


@dataclass(frozen=True)
class _Activation:
    origins: frozenset[int] = frozenset()  # the nearest convolutions upstream
    depth: int = 0
    is_linear: bool = True  # nothing but scaling and rearranging since those convolutions
    size: tuple[int | None, ...] = (None, None)
    padding: tuple[int, ...] = NO_PADDING
    parts: tuple[frozenset[int], ...] = ()  # origins of each part of a concatenation


class Trace:
    """Every convolution that takes part in the output, and what precedes them all."""

    def __init__(self, graph: Graph) -> None:
        """Raises ConversionError where the graph computes something that FCRN does not."""
        self.sites: list[Site] = []
        self.pixel_factor, self.pixel_offset = np.ones(3), np.zeros(3)
        self.interleaves_checked = 0
        seen = {graph.image: _Activation(size=(graph.height, graph.width))}
        for node in graph.live():
            seen.update(dict.fromkeys(node.outputs, self._step(node, [seen[name] for name in node.inputs])))

    def _step(self, node: Node, inputs: list[_Activation]) -> _Activation:
        source = inputs[0]
        if node.kind == CONVOLVE:
            return self._convolve(node, source)
        if node.kind in (NORMALIZE, SCALE):
            return self._scale(node, source)
        if node.kind == POOL:
            return _pool(node, source)
        if node.kind == PAD:
            return replace(source, padding=_total(node, source, ()), parts=())
        if any(i.padding != NO_PADDING for i in inputs):
            raise ConversionError("the model pads an activation that is not convolved or pooled next")
        if node.kind == RELU and source.is_linear:
            for origin in source.origins:
                self.sites[origin].has_relu = True
        if node.kind == DEPTH_TO_SPACE and len(source.parts) == 4:
            self._check_interleave(node, source)
        return _Activation(
            frozenset().union(*(i.origins for i in inputs)), max(i.depth for i in inputs),
            node.kind not in (RELU, ADD) and all(i.is_linear for i in inputs),
            source.size if len(inputs) == 1 else (None, None),
            parts=tuple(i.origins for i in inputs) if node.kind == CONCATENATE else ())

    def _convolve(self, node: Node, source: _Activation) -> _Activation:
        kernel = node.kernel.shape[2:]
        padding = _total(node, source, kernel)
        self.sites.append(Site(node, source.depth + 1, padding, source.origins))
        size = tuple(None if n is None else (n + before + after - k) // s + 1 for n, before, after, k, s in zip(
            source.size, padding[::2], padding[1::2], kernel, node.stride))
        return _Activation(frozenset({len(self.sites) - 1}), source.depth + 1, size=size)

    def _scale(self, node: Node, source: _Activation) -> _Activation:
        is_scale = node.kind == SCALE
        if is_scale and np.all(node.factor == 1) and np.all(node.offset == 0):
            return source
        if not source.origins:
            if not is_scale:
                raise ConversionError("the model normalises the image in batches, which FCRN does not")
            self.pixel_factor = self.pixel_factor * np.asarray(node.factor, np.float64)
            self.pixel_offset = self.pixel_offset * node.factor + node.offset
        elif source.is_linear:
            for origin in source.origins:
                self.sites[origin].after.append(node)
        else:
            raise ConversionError(f"operation '{node.name}' scales what FCRN leaves as it is")
        return source

    def _check_interleave(self, node: Node, source: _Activation) -> None:
        """Refuses the two ways in which ports are known to place the four parts wrongly."""
        if node.channels_outermost:
            raise ConversionError(
                f"'{node.name}' is a pixel shuffle of concatenated parts, which mixes feature channels; "
                "such weights were trained for another network")
        kernels = [self.sites[min(part)].node.kernel.shape[2:] for part in source.parts if part]
        if kernels != [(3, 3), (3, 2), (2, 3), (2, 2)]:
            raise ConversionError(
                f"'{node.name}' interleaves its parts in another order: the 2×3 kernel belongs on odd "
                "rows, the 3×2 kernel on odd columns")
        self.interleaves_checked += 1


def _pool(node: Node, source: _Activation) -> _Activation:
    """Holds the one pooling to TensorFlow's SAME rule: an even length is padded after only."""
    padding = _total(node, source, node.size)
    if source.depth != 1 or node.size != (3, 3) or node.stride != (2, 2):
        raise ConversionError(f"pooling '{node.name}' is not the 3×3, stride 2 one of FCRN")
    for n, before, after in zip(source.size, padding[::2], padding[1::2]):
        n = 2 if n is None else n
        reached = n + before + after - 3
        out = (-(-reached // 2) if node.rounds_up else reached // 2) + 1
        if before != n % 2 or out != -(-n // 2):
            raise ConversionError(
                f"pooling '{node.name}' pads {before} before and {after} after {n} rows or columns; "
                "the published weights need TensorFlow's SAME, (0, 1) for an even number")
    return _Activation(source.origins, source.depth, is_linear=False)


def _total(node: Node, source: _Activation, window: tuple[int, ...]) -> tuple[int, ...]:
    """The node's own padding, and what a node before it added."""
    padding = node.padding
    if isinstance(padding, str):
        padding = tuple(side for n, k, s in zip(source.size, window, node.stride)
                        for side in _same_padding(n, k, s, padding == SAME_UPPER))
    return tuple(own + before for own, before in zip(padding, source.padding, strict=True))


def _same_padding(length: int | None, kernel: int, stride: int, rest_after: bool) -> tuple[int, int]:
    """Padding that makes the output ceil(length / stride) long; `length` counts if stride > 1."""
    if stride == 1 or length is None:
        total = max(kernel - stride, 0)  # for an even length
    else:
        total = max((-(-length // stride) - 1) * stride + kernel - length, 0)
    small, large = total // 2, total - total // 2
    return (small, large) if rest_after else (large, small)
