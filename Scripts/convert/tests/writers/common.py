"""FCRN as a walk through its operations, for every author of a model file; and what writers are told."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fcrnweights.architecture import QUARTET, STAGES, UP_PROJECTIONS, fcrn50
from fcrnweights.network import Tensors

from .. import generator

HEIGHT, WIDTH = 228, 304
NAMES = {"kernel": "weights", "bias": "biases", "gamma": "scale", "beta": "offset"}


def arguments() -> tuple[Tensors, Path]:
    """The network of tests, and the folder that the command line asks for."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    return generator.tensors(fcrn50(16)), folder


def official(tensors: Tensors) -> dict[str, dict]:
    """The published names, kernels rows × columns × input × output."""
    return {layer: {NAMES.get(p, p): v.transpose(2, 3, 1, 0).copy() if p == "kernel" else v
                    for p, v in parameters.items()} for layer, parameters in tensors.items()}


def forward(backend: Any, x: Any, padding: str = "topleft", order: str = "ABCD",
            branches: tuple[str, str] = ("br1", "br2")) -> Any:
    """From the image to metres; `backend` has the operations, and finds parameters by layer name.

    `order` and `branches` say in which order a file's author visits what may be visited in any.
    """
    def conv_norm(x: Any, layer: str, norm: str, stride: int = 1, pads: int = 0) -> Any:
        return backend.norm(backend.convolution(x, layer, stride, (pads,) * 4), norm)

    def bottleneck(x: Any, block: str, stride: int, projects: bool) -> Any:
        y = backend.relu(conv_norm(x, f"res{block}_branch2a", f"bn{block}_branch2a", stride))
        y = backend.relu(conv_norm(y, f"res{block}_branch2b", f"bn{block}_branch2b", pads=1))
        y = conv_norm(y, f"res{block}_branch2c", f"bn{block}_branch2c")
        return backend.relu(backend.add(
            conv_norm(x, f"res{block}_branch1", f"bn{block}_branch1", stride) if projects else x, y))

    def up_projection(x: Any, layer: str) -> Any:
        results = {}
        for branch in branches:
            parts = {}
            for part in order:
                side = (1, 0) if padding == "topleft" else (0, 1)
                pads = tuple(n for extent in QUARTET[part] for n in (side if extent == 2 else (1, 1)))
                parts[part] = backend.convolution(x, f"{layer}_{branch}_Conv{part}", 1, pads)
            y = backend.norm(backend.interleave(*(parts[part] for part in "ABCD")), f"{layer}_{branch}_BN")
            results[branch] = (y if branch == "br2" else
                               conv_norm(backend.relu(y), f"{layer}_Conv", f"{layer}_BN", pads=1))
        return backend.relu(backend.add(results["br1"], results["br2"]))

    x = backend.pool(backend.relu(conv_norm(x, "conv1", "bn_conv1", 2, 3)))
    for stage, letters, _, stride in STAGES:
        for letter in letters:
            x = bottleneck(x, stage + letter, stride if letter == "a" else 1, letter == "a")
    x = conv_norm(x, "layer1", "layer1_BN")
    for tag in UP_PROJECTIONS:
        x = up_projection(x, f"layer{tag}")
    return backend.relu(backend.convolution(x, "ConvPred", 1, (1, 1, 1, 1)))


@dataclass(frozen=True)
class Operation:
    """One operation with its parameters."""

    kind: str
    inputs: tuple[str, ...]
    output: str
    layer: str = ""
    tensors: dict[str, np.ndarray] | None = None
    stride: int = 1
    padding: tuple[int, ...] = ()


class Recorder:
    """The operations in the order of the walk, with names that say nothing; layers without tensors are left out."""

    def __init__(self, tensors: Tensors, image: str, **order: Any) -> None:
        self.tensors, self.operations = tensors, []
        forward(self, image, **order)

    def _add(self, kind: str, *inputs: str, **facts: Any) -> str:
        self.operations.append(Operation(kind, inputs, f"t{len(self.operations)}", **facts))
        return self.operations[-1].output

    def convolution(self, x: str, layer: str, stride: int, padding: tuple[int, ...]) -> str:
        return self._add("convolution", x, layer=layer, tensors=self.tensors[layer], stride=stride, padding=padding)

    def norm(self, x: str, layer: str) -> str:
        return self._add("norm", x, layer=layer, tensors=self.tensors[layer]) if layer in self.tensors else x

    def relu(self, x: str) -> str:
        return self._add("relu", x)

    def add(self, x: str, y: str) -> str:
        return self._add("add", x, y)

    def pool(self, x: str) -> str:
        return self._add("pool", x)

    def interleave(self, *parts: str) -> str:
        return self._add("interleave", *parts)
