"""FCRN as a walk through its operations, for whoever can carry them out.

A backend computes, or writes a node of some file format: the same walk is the float64 network that
tests compare with and the author of every model file that they convert.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from fcrnweights.architecture import QUARTET, STAGES, UP_PROJECTIONS

T = TypeVar("T")
Padding = tuple[int, int, int, int]  # top, bottom, left, right


class Backend(Protocol, Generic[T]):
    """The operations of FCRN on activations of type `T`; parameters are found by layer name."""

    def convolution(self, x: T, layer: str, stride: int, padding: Padding) -> T: ...
    def norm(self, x: T, layer: str) -> T: ...
    def relu(self, x: T) -> T: ...
    def pool(self, x: T) -> T: ...
    def add(self, x: T, y: T) -> T: ...
    def interleave(self, a: T, b: T, c: T, d: T) -> T: ...


def forward(backend: Backend[T], x: T, padding: str = "topleft", order: str = "ABCD",
            branches: tuple[str, str] = ("br1", "br2")) -> T:
    """From the image to metres.

    `order` and `branches` say in which order a file's author visits what may be visited in any.
    """
    x = backend.pool(_conv_norm_relu(backend, x, "conv1", "bn_conv1", 2, (3, 3, 3, 3)))
    for stage, letters, _, stride in STAGES:
        for letter in letters:
            x = _bottleneck(backend, x, stage + letter, stride if letter == "a" else 1, letter == "a")
    x = backend.norm(backend.convolution(x, "layer1", 1, (0, 0, 0, 0)), "layer1_BN")
    for tag in UP_PROJECTIONS:
        x = _up_projection(backend, x, f"layer{tag}", padding, order, branches)
    return backend.relu(backend.convolution(x, "ConvPred", 1, (1, 1, 1, 1)))


def _conv_norm_relu(backend: Backend[T], x: T, layer: str, norm: str, stride: int, padding: Padding) -> T:
    return backend.relu(backend.norm(backend.convolution(x, layer, stride, padding), norm))


def _bottleneck(backend: Backend[T], x: T, block: str, stride: int, projects: bool) -> T:
    none, one = (0, 0, 0, 0), (1, 1, 1, 1)
    y = _conv_norm_relu(backend, x, f"res{block}_branch2a", f"bn{block}_branch2a", stride, none)
    y = _conv_norm_relu(backend, y, f"res{block}_branch2b", f"bn{block}_branch2b", 1, one)
    y = backend.norm(backend.convolution(y, f"res{block}_branch2c", 1, none), f"bn{block}_branch2c")
    if projects:
        x = backend.norm(backend.convolution(x, f"res{block}_branch1", stride, none), f"bn{block}_branch1")
    return backend.relu(backend.add(x, y))


def _up_projection(backend: Backend[T], x: T, layer: str, padding: str, order: str,
                   branches: tuple[str, str]) -> T:
    results = {}
    for branch in branches:
        parts = {}
        for part in order:
            rows, columns = QUARTET[part]
            side = (1, 0) if padding == "topleft" else (0, 1)
            pads = (side if rows == 2 else (1, 1)) + (side if columns == 2 else (1, 1))
            parts[part] = backend.convolution(x, f"{layer}_{branch}_Conv{part}", 1, pads)
        y = backend.interleave(*(parts[part] for part in "ABCD"))
        y = backend.norm(y, f"{layer}_{branch}_BN")
        if branch == "br1":
            y = backend.relu(y)
            y = backend.norm(backend.convolution(y, f"{layer}_Conv", 1, (1, 1, 1, 1)), f"{layer}_BN")
        results[branch] = y
    return backend.relu(backend.add(results["br1"], results["br2"]))
