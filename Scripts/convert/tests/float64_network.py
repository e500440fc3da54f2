"""FCRN in float64 and NumPy: the network that converted weights are compared through."""

from __future__ import annotations

import numpy as np

from fcrnweights.folding import affine
from fcrnweights.network import Network, Tensors
from fcrnweights.precision import restored

from .forward import Padding, forward


def depth(network: Network, image: np.ndarray) -> np.ndarray:
    """Metres, rows × columns, for an image of 0…255, height × width × RGB."""
    pixels = image.astype(np.float64).transpose(2, 0, 1) * network.pixel_scale
    pixels = pixels - np.asarray(network.pixel_mean)[:, None, None]
    return forward(_Float64(restored(network).tensors), pixels, network.padding)[0]


class _Float64:
    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors

    def convolution(self, x: np.ndarray, layer: str, stride: int, padding: Padding) -> np.ndarray:
        kernel = self.tensors[layer]["kernel"].astype(np.float64)
        outputs, inputs, rows, columns = kernel.shape
        t, b, l, r = padding
        x = np.pad(x, ((0, 0), (t, b), (l, r)))
        windows = np.lib.stride_tricks.sliding_window_view(x, (rows, columns), (1, 2))
        windows = windows[:, ::stride, ::stride]
        matrix = windows.transpose(0, 3, 4, 1, 2).reshape(inputs * rows * columns, -1)
        y = (kernel.reshape(outputs, -1) @ matrix).reshape(outputs, *windows.shape[1:3])
        bias = self.tensors[layer].get("bias")
        return y if bias is None else y + bias.astype(np.float64)[:, None, None]

    def norm(self, x: np.ndarray, layer: str) -> np.ndarray:
        if layer not in self.tensors:  # folded
            return x
        scale, shift = affine(self.tensors[layer])
        return x * scale[:, None, None] + shift[:, None, None]

    def relu(self, x: np.ndarray) -> np.ndarray:
        return np.maximum(x, 0)

    def add(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x + y

    def pool(self, x: np.ndarray) -> np.ndarray:
        (_, h, w) = x.shape
        x = np.pad(x, ((0, 0), (h % 2, 1), (w % 2, 1)), constant_values=-np.inf)
        return np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))[:, ::2, ::2].max(axis=(3, 4))

    def interleave(self, a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
        y = np.empty((a.shape[0], 2 * a.shape[1], 2 * a.shape[2]))
        y[:, 0::2, 0::2], y[:, 1::2, 0::2], y[:, 0::2, 1::2], y[:, 1::2, 1::2] = a, b, c, d
        return y
