"""Weights for tests: random, and the same on every machine."""

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


def _values(name: str, shape: tuple[int, ...], low: float, high: float) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(name.encode())).uniform(low, high, shape).astype(np.float32)
