"""Follows activations through a graph: what lies between convolutions, and how deep each one is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .errors import ConversionError
from .graph import (NO_PADDING, SAME_UPPER, Add, Concatenate, Convolve, DepthToSpace, Graph, Node,
                    Normalise, Pad, Padding, Pool, Rectify, Scale, same_padding)


@dataclass
class Site:
    """A convolution and its surroundings."""

    node: Convolve
    depth: int
    padding: tuple[int, int, int, int]
    feeds_on: frozenset[int]  # the nearest convolutions upstream
    after: list[Normalise | Scale] = field(default_factory=list)
    has_relu: bool = False  # directly after what is in `after`


@dataclass(frozen=True)
class _Activation:
    origins: frozenset[int] = frozenset()  # the nearest convolutions upstream
    depth: int = 0
    is_linear: bool = True  # nothing but scaling and rearranging since those convolutions
    size: tuple[int | None, int | None] = (None, None)
    padding: tuple[int, int, int, int] = NO_PADDING
    parts: tuple[frozenset[int], ...] = ()  # origins of each part of a concatenation


@dataclass
class Trace:
    """The result: every convolution that takes part in the output, and what precedes them all."""

    sites: list[Site] = field(default_factory=list)
    pixel_factor: np.ndarray = field(default_factory=lambda: np.ones(3))
    pixel_offset: np.ndarray = field(default_factory=lambda: np.zeros(3))
    interleaves_checked: int = 0


def trace(graph: Graph) -> Trace:
    """Raises ConversionError where the graph computes something that FCRN does not."""
    result = Trace()
    seen = {graph.image: _Activation(size=(graph.height, graph.width))}
    for node in _live(graph):
        missing = [name for name in node.inputs if name not in seen]
        if missing:
            raise ConversionError(f"operation '{node.name}' needs '{missing[0]}', which nothing made")
        activation = _step(node, [seen[name] for name in node.inputs], result)
        seen.update(dict.fromkeys(node.outputs, activation))
    if graph.output not in seen:
        raise ConversionError("nothing computes the model's output")
    return result


def _live(graph: Graph) -> list[Node]:
    """The nodes that the output depends on, in order."""
    needed, live = {graph.output}, []
    for node in reversed(graph.nodes):
        if needed.intersection(node.outputs):
            needed.update(node.inputs)
            live.append(node)
    return live[::-1]


def _step(node: Node, inputs: list[_Activation], result: Trace) -> _Activation:
    if isinstance(node, Convolve):
        return _convolve(node, inputs[0], result)
    if isinstance(node, (Normalise, Scale)):
        return _scale(node, inputs[0], result)
    if isinstance(node, Pool):
        return _pool(node, inputs[0])
    if isinstance(node, Pad):
        t, b, l, r = (x + y for x, y in zip(inputs[0].padding, node.padding))
        return _Activation(inputs[0].origins, inputs[0].depth, inputs[0].is_linear,
                           inputs[0].size, (t, b, l, r))
    if isinstance(node, Rectify):
        if inputs[0].is_linear:
            for origin in inputs[0].origins:
                result.sites[origin].has_relu = True
        return _joined(inputs, is_linear=False)
    if isinstance(node, Add):
        return _joined(inputs, is_linear=False)
    if isinstance(node, DepthToSpace):
        _check_interleave(node, inputs[0], result)
    parts = tuple(i.origins for i in inputs) if isinstance(node, Concatenate) else ()
    return _joined(inputs, all(i.is_linear for i in inputs), parts)


def _joined(inputs: list[_Activation], is_linear: bool,
            parts: tuple[frozenset[int], ...] = ()) -> _Activation:
    if any(i.padding != NO_PADDING for i in inputs):
        raise ConversionError("the model pads an activation that is not convolved or pooled next")
    return _Activation(frozenset().union(*(i.origins for i in inputs)),
                       max((i.depth for i in inputs), default=0), is_linear,
                       inputs[0].size if len(inputs) == 1 else (None, None), parts=parts)


def _convolve(node: Convolve, source: _Activation, result: Trace) -> _Activation:
    padding = _total(node.padding, source, node.kernel.shape[2:], node.stride)
    result.sites.append(Site(node, source.depth + 1, padding, source.origins))
    height, width = (None if n is None else (n + before + after - k) // s + 1
                     for n, before, after, k, s in zip(source.size, padding[::2], padding[1::2],
                                                       node.kernel.shape[2:], node.stride))
    return _Activation(frozenset({len(result.sites) - 1}), source.depth + 1, size=(height, width))


def _scale(node: Normalise | Scale, source: _Activation, result: Trace) -> _Activation:
    if isinstance(node, Scale) and (node.factor == 1).all() and (node.offset == 0).all():
        return source
    if not source.origins:
        if not isinstance(node, Scale):
            raise ConversionError("the model normalises the image in batches, which FCRN does not")
        result.pixel_factor = result.pixel_factor * np.asarray(node.factor, np.float64)
        result.pixel_offset = result.pixel_offset * node.factor + node.offset
    elif source.is_linear:
        for origin in source.origins:
            result.sites[origin].after.append(node)
    else:
        raise ConversionError(f"operation '{node.name}' scales what FCRN leaves as it is")
    return source


def _pool(node: Pool, source: _Activation) -> _Activation:
    """Holds the one pooling to TensorFlow's SAME rule: an even length is padded after only."""
    padding = _total(node.padding, source, node.size, node.stride)
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


def _total(padding: Padding, source: _Activation, kernel: tuple[int, ...],
           stride: tuple[int, int]) -> tuple[int, int, int, int]:
    if isinstance(padding, str):
        rows, columns = (same_padding(n, k, s, padding == SAME_UPPER)
                         for n, k, s in zip(source.size, kernel, stride))
        padding = (*rows, *columns)
    t, b, l, r = (x + y for x, y in zip(padding, source.padding))
    return t, b, l, r


def _check_interleave(node: DepthToSpace, source: _Activation, result: Trace) -> None:
    """Refuses the two ways in which ports are known to place the four parts wrongly."""
    if len(source.parts) != 4:
        return
    if node.channels_outermost:
        raise ConversionError(
            f"'{node.name}' is a pixel shuffle of concatenated parts, which mixes feature channels; "
            "such weights were trained for another network")
    kernels = [result.sites[min(part)].node.kernel.shape[2:] for part in source.parts if part]
    if kernels != [(3, 3), (3, 2), (2, 3), (2, 2)]:
        raise ConversionError(
            f"'{node.name}' interleaves its parts in another order: the 2×3 kernel belongs on odd "
            "rows, the 3×2 kernel on odd columns")
    result.interleaves_checked += 1
