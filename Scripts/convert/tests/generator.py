"""Weights for tests, made from nothing but their names: the same bits on every machine.

Every tensor has its own splitmix64 stream, seeded by the FNV-1a hash of `<layer>/<parameter>`. Each
value is one rounding away from an integer, so float32 arithmetic has no freedom. Activations of the
generated network stay of order one, its output between 0.2 and 12 metres.
"""

from __future__ import annotations

import math

import numpy as np

from fcrnweights.architecture import Architecture, Convolution
from fcrnweights.network import Tensors

SEED = 0x4643524E  # "FCRN"
MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15

#: Batch norm → lowest gamma, lowest beta, largest |mean|, middle of the variance.
ROLES = {
    "bn_conv1": (1.0, -0.5, 16.0, 32768.0), "branch1": (0.75, -0.25, 0.25, 2.0),
    "branch2a": (1.0, -0.5, 0.25, 2.0), "branch2b": (1.0, -0.5, 0.25, 2.0),
    "branch2c": (0.5, -0.25, 0.25, 2.0), "layer1_BN": (1.0, -0.25, 0.25, 2.0),
    "br1_BN": (1.0, -0.5, 0.25, 2.0), "br2_BN": (0.75, -0.25, 0.25, 2.0),
    "BN": (0.75, -0.25, 0.25, 2.0),
}


def tensors(architecture: Architecture) -> Tensors:
    """Every parameter of a network with its batch norms apart."""
    made: Tensors = {}
    for layer in architecture.convolutions:
        made[layer.name] = _convolution(layer)
        if layer.norm and layer.norm not in made:
            made[layer.norm] = _norm(layer.norm, layer.shape[0])
    return made


def image(height: int, width: int) -> np.ndarray:
    """A picture, uint8 height × width × RGB: a gradient, tiles and noise."""
    y, x, c = np.meshgrid(*map(np.arange, (height, width, 3)), indexing="ij")
    gradient = x * (96 + 32 * c) // width + y * (128 - 32 * c) // height
    tile = integers("image/tile", 16 * 16 * 3)[((y // 19 % 16) * 16 + x // 23 % 16) * 3 + c] % 112
    noise = integers("image/noise", height * width * 3)[(y * width + x) * 3 + c] % 24
    return (gradient // 2 + tile + noise).astype(np.uint8)


def integers(name: str, count: int) -> np.ndarray:
    """The first `count` 24-bit integers of a tensor's stream."""
    state = _mix((SEED + _fnv1a(name)) & MASK)
    steps = np.arange(1, count + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = steps * np.uint64(GAMMA) + np.uint64(state)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return ((z ^ z >> np.uint64(31)) >> np.uint64(40)).astype(np.int64)


def _symmetric(name: str, count: int, half: float) -> np.ndarray:
    unit = integers(name, count).astype(np.float32) * np.float32(2**-23) - np.float32(1)
    return np.float32(half) * unit


def _range(name: str, count: int, low: float, span: float) -> np.ndarray:
    unit = integers(name, count).astype(np.float32) * np.float32(2**-24)
    return np.float32(low) + np.float32(span) * unit


def _convolution(layer: Convolution) -> dict[str, np.ndarray]:
    outputs, inputs, rows, columns = layer.shape
    is_last = layer.name == "ConvPred"
    bound = math.sqrt(6 * (2 if is_last else 1) / (inputs * rows * columns))  # He et al. 2015
    made = {"kernel": _symmetric(f"{layer.name}/kernel", math.prod(layer.shape), bound).reshape(layer.shape)}
    if is_last:
        made["bias"] = np.full(outputs, 3, np.float32)
    elif layer.has_bias:
        made["bias"] = _symmetric(f"{layer.name}/bias", outputs, 8 if layer.name == "conv1" else 0.125)
    return made


def _norm(name: str, channels: int) -> dict[str, np.ndarray]:
    gamma, beta, mean, variance = next(r for key, r in ROLES.items() if name.endswith(key))
    return {
        "gamma": _range(f"{name}/gamma", channels, gamma, 0.5),
        "beta": _range(f"{name}/beta", channels, beta, 0.5),
        "mean": _symmetric(f"{name}/mean", channels, mean),
        "variance": _range(f"{name}/variance", channels, 0.75 * variance, 0.5 * variance),
    }


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def _fnv1a(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value
