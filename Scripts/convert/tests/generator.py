"""Weights and a picture for tests: random, and the same on every machine."""

from __future__ import annotations

import zlib

import numpy as np

from fcrnweights.architecture import Architecture
from fcrnweights.network import Tensors


def tensors(architecture: Architecture) -> Tensors:
    """Every parameter of a network with its batch norms apart; no two tensors are alike."""
    made: Tensors = {}
    for layer in architecture.convolutions:
        made[layer.name] = {"kernel": _values(f"{layer.name}/kernel", layer.shape, -1, 1)}
        if layer.has_bias:
            made[layer.name]["bias"] = _values(f"{layer.name}/bias", layer.shape[:1], -1, 1)
        if layer.norm:
            made[layer.norm] = {name: _values(f"{layer.norm}/{name}", layer.shape[:1], low, 1.5) for name, low in
                                (("gamma", 0.5), ("beta", -0.5), ("mean", -1.5), ("variance", 0.5))}
    return made


def image(height: int, width: int) -> np.ndarray:
    """A picture, uint8 height × width × RGB: a gradient and noise."""
    y, x, c = np.meshgrid(*map(np.arange, (height, width, 3)), indexing="ij")
    gradient = x * (96 + 32 * c) // width + y * (128 - 32 * c) // height
    return (gradient + np.random.default_rng(1).integers(0, 24, gradient.shape)).astype(np.uint8)


def _values(name: str, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(name.encode())).uniform(low, high, shape).astype(np.float32)
