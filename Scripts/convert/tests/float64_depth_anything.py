"""Depth Anything V2 in float64 and NumPy, from our file: the network that converted weights are compared through.

Source: L. Yang et al., "Depth Anything V2", NeurIPS 2024; M. Oquab et al., "DINOv2", TMLR 2024; R. Ranftl et al.,
"Vision Transformers for Dense Prediction", ICCV 2021.
"""

from __future__ import annotations

import math
from pathlib import Path

import h5py
import numpy as np

PATCH, HEAD_WIDTH, GRID = 14, 64, 37


class Float64DepthAnything:
    """A weights file as a function from pixels to its output."""

    def __init__(self, path: Path) -> None:
        with h5py.File(path) as file:
            self.facts = dict(file.attrs)
            self.tensors = {layer: {name: data[()].astype(np.float64) for name, data in group.items()}
                            for layer, group in file.items()}
        for parameters in self.tensors.values():
            if "scale" in parameters:
                parameters["kernel"] *= parameters["scale"].reshape(-1, 1, 1, 1)

    def __call__(self, image: np.ndarray) -> np.ndarray:
        """Height × width × RGB, 0…255, sides in multiples of 14, to metres or disparity, height × width."""
        x = image.transpose(2, 0, 1) * self.facts["pixel_scale"].astype(np.float64)[:, None, None]
        return self.depth(x - self.facts["pixel_mean"].astype(np.float64)[:, None, None])

    def depth(self, x: np.ndarray) -> np.ndarray:
        """From the network's input, 3 × height × width."""
        _, height, width = x.shape
        return self._head(self.taken_tokens(x), height, width)

    # Encoder

    def taken_tokens(self, x: np.ndarray) -> list[np.ndarray]:
        """The four maps, tokens × width, the class token first."""
        kernel, bias = (self.tensors["patch_embed"][name] for name in ("kernel", "bias"))
        _, height, width = x.shape
        rows, columns = height // PATCH, width // PATCH
        patches = x.reshape(3, rows, PATCH, columns, PATCH).transpose(1, 3, 0, 2, 4).reshape(rows * columns, -1)
        embeddings = self.tensors["embeddings"]
        tokens = np.vstack([embeddings["class_token"], patches @ kernel.reshape(len(kernel), -1).T + bias])
        tokens += np.vstack([embeddings["positions"][:1], resampled_positions(embeddings["positions"][1:], rows, columns)])
        taken = []
        for i in range(self.facts["taken_blocks"].max()):
            block = f"blocks.{i}."
            tokens = tokens + self._attention(block, self._norm(block + "norm1", tokens))
            hidden = gelu(self._linear(block + "mlp.fc1", self._norm(block + "norm2", tokens)))
            tokens = tokens + self._linear(block + "mlp.fc2", hidden)
            if i + 1 in self.facts["taken_blocks"]:
                taken.append(self._norm("norm", tokens))
        return taken

    def _attention(self, block: str, x: np.ndarray) -> np.ndarray:
        count, width = x.shape
        heads = int(self.facts["heads"])
        q, k, v = self._linear(block + "attn.qkv", x).reshape(count, 3, heads, HEAD_WIDTH).transpose(1, 2, 0, 3)
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(HEAD_WIDTH)
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        mixed = weights / weights.sum(axis=2, keepdims=True) @ v
        return self._linear(block + "attn.proj", mixed.transpose(1, 0, 2).reshape(count, width))

    def _linear(self, layer: str, x: np.ndarray) -> np.ndarray:
        return x @ self.tensors[layer]["kernel"][:, :, 0, 0].T + self.tensors[layer]["bias"]

    def _norm(self, layer: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-6)
        return centred / deviation * self.tensors[layer]["gamma"] + self.tensors[layer]["beta"]

    # Head

    def _head(self, taken: list[np.ndarray], height: int, width: int) -> np.ndarray:
        rows, columns = height // PATCH, width // PATCH
        maps = []
        for i, tokens in enumerate(taken):
            x = self._convolution(f"projects.{i}", tokens[1:].T.reshape(-1, rows, columns))
            if i < 2:
                x = self._transposed(f"resize_layers.{i}", x)
            elif i == 3:
                x = self._convolution("resize_layers.3", x, stride=2)
            maps.append(self._convolution(f"layer{i + 1}_rn", x))
        coarser = None
        for i in (4, 3, 2, 1):
            target = maps[i - 2].shape[1:] if i > 1 else tuple(2 * side for side in maps[0].shape[1:])
            coarser = self._refined(f"refinenet{i}", maps[i - 1], coarser, target)
        x = resized(self._convolution("output_conv1", coarser), (height, width))
        x = np.maximum(self._convolution("output_conv2.0", x), 0)
        x = self._convolution("output_conv2.2", x)[0]
        if self.facts["output_unit"] == b"metre":
            return float(self.facts["largest_depth"]) / (1 + np.exp(-x))
        return np.maximum(x, 0)

    def _refined(self, layer: str, x: np.ndarray, coarser: np.ndarray | None, size: tuple[int, ...]) -> np.ndarray:
        if coarser is not None:
            x = coarser + self._residual(layer + ".resConfUnit1", x)
        return self._convolution(layer + ".out_conv", resized(self._residual(layer + ".resConfUnit2", x), size))

    def _residual(self, layer: str, x: np.ndarray) -> np.ndarray:
        y = self._convolution(layer + ".conv1", np.maximum(x, 0))
        return x + self._convolution(layer + ".conv2", np.maximum(y, 0))

    def _convolution(self, layer: str, x: np.ndarray, stride: int = 1) -> np.ndarray:
        """Padded to keep the size; the sum over kernel places of a matrix product each."""
        kernel = self.tensors[layer]["kernel"]
        outputs, _, side, _ = kernel.shape
        pad = side // 2
        _, height, width = x.shape
        padded = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
        y = np.zeros((outputs, -(-height // stride), -(-width // stride)))
        for r in range(side):
            for c in range(side):
                window = padded[:, r:r + height:stride, c:c + width:stride]
                y += np.tensordot(kernel[:, :, r, c], window, 1)
        bias = self.tensors[layer].get("bias")
        return y if bias is None else y + bias[:, None, None]

    def _transposed(self, layer: str, x: np.ndarray) -> np.ndarray:
        """Kernel as large as the stride: every input pixel becomes a square of its own."""
        kernel, bias = (self.tensors[layer][name] for name in ("kernel", "bias"))
        outputs, _, side, _ = kernel.shape
        _, height, width = x.shape
        y = np.einsum("oirc,ihw->ohrwc", kernel, x, optimize=True).reshape(outputs, height * side, width * side)
        return y + bias[:, None, None]


def gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def resized(x: np.ndarray, size: tuple[int, ...]) -> np.ndarray:
    """Bilinear, corners on corners."""
    for axis, (before, after) in enumerate(zip(x.shape[1:], size, strict=True), 1):
        places = np.arange(after) * ((before - 1) / max(after - 1, 1))
        low = np.minimum(places.astype(int), before - 1)
        high = np.minimum(low + 1, before - 1)
        share = (places - low).reshape([-1 if i == axis else 1 for i in range(3)])
        x = np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share
    return x


def resampled_positions(positions: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Positions of 37 × 37 patches for another grid: bicubic, at the places of the factor (n + 0.1) / 37 as the authors."""
    if (rows, columns) == (GRID, GRID):
        return positions
    grid = positions.reshape(GRID, GRID, -1)
    for axis, count in enumerate((rows, columns)):
        places = (np.arange(count) + 0.5) * (GRID / (count + 0.1)) - 0.5
        first = np.floor(places).astype(int)
        weights = _cubic(places - first)
        taps = [np.clip(first + tap, 0, GRID - 1) for tap in (-1, 0, 1, 2)]
        shape = [-1 if i == axis else 1 for i in range(3)]
        grid = sum(np.take(grid, tap, axis) * weight.reshape(shape) for tap, weight in zip(taps, weights, strict=True))
    return grid.reshape(rows * columns, -1)


def _cubic(t: np.ndarray, a: float = -0.75) -> list[np.ndarray]:
    """Weights of the four neighbours at the distances 1 + t, t, 1 − t, 2 − t (Keys 1981)."""
    def near(d: np.ndarray) -> np.ndarray:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: np.ndarray) -> np.ndarray:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return [far(1 + t), near(t), near(1 - t), far(2 - t)]
