"""The weights of tests, FCRN as a walk through its operations for every author of a model file, and what writers are told."""

import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fcrnweights.architecture import QUARTET, STAGES, UP_PROJECTIONS, Architecture, fcrn50
from fcrnweights.network import Tensors

HEIGHT, WIDTH = 228, 304
NAMES = {"kernel": "weights", "bias": "biases", "gamma": "scale", "beta": "offset"}


def generated(architecture: Architecture) -> Tensors:
    """Every parameter of a network with its batch norms apart: random, the same on every machine, and no two tensors are alike."""
    made: Tensors = {}
    for layer in architecture.convolutions:
        made[layer.name] = {"kernel": _values(f"{layer.name}/kernel", layer.shape, -1, 1)}
        if layer.has_bias:
            made[layer.name]["bias"] = _values(f"{layer.name}/bias", layer.shape[:1], -1, 1)
        if layer.norm:
            made[layer.norm] = {name: _values(f"{layer.norm}/{name}", layer.shape[:1], low, 1.5) for name, low in
                                (("gamma", 0.5), ("beta", -0.5), ("mean", -1.5), ("variance", 0.5))}
    return made


def _values(name: str, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(name.encode())).uniform(low, high, shape).astype(np.float32)


def arguments() -> tuple[Tensors, Path]:
    """The network of tests, and the folder that the command line asks for."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    return generated(fcrn50(16)), folder


def official(tensors: Tensors) -> dict[str, dict]:
    """The published names, kernels rows × columns × input × output."""
    return {layer: {NAMES.get(p, p): v.transpose(2, 3, 1, 0).copy() if p == "kernel" else v
                    for p, v in parameters.items()} for layer, parameters in tensors.items()}


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
    """FCRN's operations from the image to metres, with names that say nothing; norms without tensors are left out.

    `order` and `branches` say in which order a file's author visits what may be visited in any.
    """

    def __init__(self, tensors: Tensors, image: str, padding: str = "topleft", order: str = "ABCD",
                 branches: tuple[str, str] = ("br1", "br2")) -> None:
        self.tensors, self.operations = tensors, []
        self.side, self.order, self.branches = (1, 0) if padding == "topleft" else (0, 1), order, branches
        x = self.add("pool", self.add("relu", self.conv_norm(image, "conv1", "bn_conv1", 2, 3)))
        for stage, letters, _, stride in STAGES:
            for letter in letters:
                x = self.bottleneck(x, stage + letter, stride if letter == "a" else 1, letter == "a")
        x = self.conv_norm(x, "layer1", "layer1_BN")
        for tag in UP_PROJECTIONS:
            x = self.up_projection(x, f"layer{tag}")
        self.add("relu", self.convolution(x, "ConvPred", 1, (1, 1, 1, 1)))

    def add(self, kind: str, *inputs: str, **facts: Any) -> str:
        self.operations.append(Operation(kind, inputs, f"t{len(self.operations)}", **facts))
        return self.operations[-1].output

    def convolution(self, x: str, layer: str, stride: int, padding: tuple[int, ...]) -> str:
        return self.add("convolution", x, layer=layer, tensors=self.tensors[layer], stride=stride, padding=padding)

    def norm(self, x: str, layer: str) -> str:
        return self.add("norm", x, layer=layer, tensors=self.tensors[layer]) if layer in self.tensors else x

    def conv_norm(self, x: str, layer: str, norm: str, stride: int = 1, pads: int = 0) -> str:
        return self.norm(self.convolution(x, layer, stride, (pads,) * 4), norm)

    def bottleneck(self, x: str, block: str, stride: int, projects: bool) -> str:
        y = self.add("relu", self.conv_norm(x, f"res{block}_branch2a", f"bn{block}_branch2a", stride))
        y = self.add("relu", self.conv_norm(y, f"res{block}_branch2b", f"bn{block}_branch2b", pads=1))
        y = self.conv_norm(y, f"res{block}_branch2c", f"bn{block}_branch2c")
        if projects:
            x = self.conv_norm(x, f"res{block}_branch1", f"bn{block}_branch1", stride)
        return self.add("relu", self.add("add", x, y))

    def up_projection(self, x: str, layer: str) -> str:
        results = {}
        for branch in self.branches:
            parts = {}
            for part in self.order:
                pads = tuple(n for extent in QUARTET[part] for n in (self.side if extent == 2 else (1, 1)))
                parts[part] = self.convolution(x, f"{layer}_{branch}_Conv{part}", 1, pads)
            y = self.norm(self.add("interleave", *(parts[part] for part in "ABCD")), f"{layer}_{branch}_BN")
            results[branch] = y if branch == "br2" else self.conv_norm(
                self.add("relu", y), f"{layer}_Conv", f"{layer}_BN", pads=1)
        return self.add("relu", self.add("add", results["br1"], results["br2"]))
