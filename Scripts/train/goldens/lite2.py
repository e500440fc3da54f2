#!/usr/bin/env python3
"""Goldens of FCRN on EfficientNet-Lite2, in PyTorch and float64:

    python3 Scripts/train/goldens/lite2.py            writes Tests/Golden/lite2_golden_64x96.h5; needs h5py, numpy, torch

Written from the papers alone and with nothing of the engine, the trainer or the converters: an up-projection is unpooling
followed by one convolution of 6 × 6 taps, ReLU6 is a clamp, a depthwise convolution is PyTorch's grouped one. The weights
are those of `GeneratedWeights.lite2` in the tests: splitmix64 streams seeded by names. Run again when these change.
"""

from __future__ import annotations

import pathlib

import h5py
import numpy as np
import torch
import torch.nn.functional as F

import samples

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLDEN = ROOT / "Tests/Golden/lite2_golden_64x96.h5"
HEIGHT, WIDTH = 64, 96
DIVISOR, WIDTHS = 8, (16, 9, 8, 5, 4)
#: Stage, blocks, expansion, kernel, stride of the first block, output channels (Tan and Le 2019, table 1, scaled).
STAGES = ((1, 1, 1, 3, 1, 16), (2, 3, 6, 3, 2, 24), (3, 3, 6, 5, 2, 48), (4, 4, 6, 3, 2, 88), (5, 4, 6, 5, 1, 120),
          (6, 5, 6, 5, 2, 208), (7, 1, 6, 3, 1, 352))
SKIPS = {"2x": "block5d", "4x": "block3c", "8x": "block2c", "16x": "block1a"}
MASK = (1 << 64) - 1


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def stream(name: str, count: int) -> np.ndarray:
    """The first 24-bit integers of a tensor's stream."""
    state = 0xCBF29CE484222325
    for byte in name.encode():
        state = (state ^ byte) * 0x100000001B3 & MASK
    state = mix((0x4643524E + state) & MASK)
    return np.array([mix((state + i * 0x9E3779B97F4A7C15) & MASK) >> 40 for i in range(1, count + 1)], np.int64)


def symmetric(name: str, shape: tuple[int, ...], bound: float) -> torch.Tensor:
    unit = stream(name, int(np.prod(shape))).astype(np.float32) * np.float32(2**-23) - np.float32(1)
    return torch.from_numpy((np.float32(bound) * unit).astype(np.float64).reshape(shape))


class Reference:
    def __init__(self) -> None:
        self.kept: dict[str, np.ndarray] = {}

    def keep(self, name: str, x: torch.Tensor) -> torch.Tensor:
        self.kept[name] = x[0].numpy()
        return x

    @staticmethod
    def tensors(name: str, outputs: int, inputs: int, rows: int, columns: int) -> tuple[torch.Tensor, torch.Tensor]:
        bound = 1.0
        while bound * bound * inputs * rows * columns > 12:
            bound /= 2
        bound /= {"stem_conv": 64, "ConvPred": 128}.get(name, 1)
        return (symmetric(f"{name}/kernel", (outputs, inputs, rows, columns), bound),
                symmetric(f"{name}/bias", (outputs,), 0.5))

    def convolution(self, name: str, x: torch.Tensor, outputs: int, size: int, stride: int = 1) -> torch.Tensor:
        kernel, bias = self.tensors(name, outputs, x.shape[1], size, size)
        return F.conv2d(x, kernel, bias, stride, size // 2)

    def block(self, name: str, x: torch.Tensor, expansion: int, size: int, stride: int, outputs: int) -> torch.Tensor:
        """Sandler et al. (2018), figure 3b."""
        y = x
        if expansion > 1:
            y = self.keep(f"{name}_expand", F.relu6(self.convolution(f"{name}_expand", y, expansion * x.shape[1], 1)))
        kernel, bias = self.tensors(f"{name}_depthwise", y.shape[1], 1, size, size)
        y = F.relu6(F.conv2d(y, kernel, bias, stride, size // 2, groups=y.shape[1]))
        y = self.convolution(f"{name}_project", self.keep(f"{name}_depthwise", y), outputs, 1)
        return self.keep(f"{name}_project", x + y if y.shape == x.shape else y)

    def up_convolution(self, name: str, x: torch.Tensor, outputs: int) -> torch.Tensor:
        """Laina et al. (2016), figure 2a: zeros between the pixels, then one convolution.

        The four small kernels begin one input pixel above and left of theirs ("top/left"), so an even row sees the
        rows −2, 0, 2 of the unpooled map and an odd one −3, −1.
        """
        rows = {"even": (1, 3, 5), "odd": (0, 2)}
        parts = {"A": ("even", "even"), "B": ("odd", "even"), "C": ("even", "odd"), "D": ("odd", "odd")}
        whole = torch.zeros(outputs, x.shape[1], 6, 6, dtype=torch.float64)
        unpooled = torch.zeros(1, x.shape[1], 2 * x.shape[2], 2 * x.shape[3], dtype=torch.float64)
        unpooled[:, :, ::2, ::2] = x
        biases = torch.zeros(1, outputs, *unpooled.shape[2:], dtype=torch.float64)
        for part, (vertical, horizontal) in parts.items():
            kernel, bias = self.tensors(f"{name}_Conv{part}", outputs, x.shape[1], len(rows[vertical]), len(rows[horizontal]))
            for u, row in enumerate(rows[vertical]):
                for v, column in enumerate(rows[horizontal]):
                    whole[:, :, row, column] = kernel[:, :, u, v]
            biases[:, :, vertical == "odd"::2, horizontal == "odd"::2] = bias[:, None, None]
        return F.conv2d(F.pad(unpooled, (3, 2, 3, 2)), whole) + biases

    def up_projection(self, name: str, x: torch.Tensor, outputs: int) -> torch.Tensor:
        """Laina et al. (2016), figure 2c."""
        first = F.relu(self.up_convolution(f"{name}_br1", x, outputs))
        second = self.up_convolution(f"{name}_br2", x, outputs)
        return self.keep(f"{name}_ReLU", F.relu(self.convolution(f"{name}_Conv", first, outputs, 3) + second))

    def run(self, pixels: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(pixels.astype(np.float64) - 127).permute(2, 0, 1)[None]
        x = self.keep("stem_conv", F.relu6(self.convolution("stem_conv", x, 32 // DIVISOR, 3, 2)))
        maps = {}
        for stage, blocks, expansion, size, stride, width in STAGES:
            for letter in "abcde"[:blocks]:
                name = f"block{stage}{letter}"
                x = maps[name] = self.block(name, x, expansion, size, stride if letter == "a" else 1, width // DIVISOR)
        x = self.keep("layer1_BN", self.convolution("layer1", x, WIDTHS[0], 1))
        # Liu et al. (2015): what the mean over all pixels says, added to each of them.
        mean = x.mean((2, 3), keepdim=True)
        x = self.keep("layer1_context", x + self.convolution("layer1_context", mean, WIDTHS[0], 1))
        for (tag, block), width in zip(SKIPS.items(), WIDTHS[1:]):
            x = self.up_projection(f"layer{tag}", x, width)
            x = self.keep(f"layer{tag}_skip", F.relu(x + self.convolution(f"layer{tag}_skip", maps[block], width, 1)))
        return self.convolution("ConvPred", x, 2, 3).exp()[0].numpy()


def picture() -> np.ndarray:
    """Smooth shades with a box, so that no activation is all zero."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    channels = [127 + 90 * np.sin(x / (9 + c)) * np.cos(y / (7 + 2 * c)) + 20 * c for c in range(3)]
    pixels = np.stack(channels, 2)
    pixels[20:44, 30:60] = (40, 90, 160)
    return np.clip(np.round(pixels), 0, 255).astype(np.uint8)


def main() -> None:
    pixels, reference = picture(), Reference()
    depth, error = reference.run(pixels)
    random = np.random.default_rng(2)
    indices = np.stack([random.integers(0, reference.kept[name].size, 64) for name in reference.kept])
    with h5py.File(GOLDEN, "w") as golden:
        golden["input_u8_hwc"] = pixels
        golden["output_f64"] = depth
        golden["error_f64"] = error
        golden.create_group("activations")
        samples.write(golden, reference.kept, indices)
    rms = {name: float(np.sqrt((values ** 2).mean())) for name, values in reference.kept.items()}
    print(GOLDEN.relative_to(ROOT), f"{GOLDEN.stat().st_size} bytes, depths {depth.min():.3f} to {depth.max():.3f} m, "
          f"errors {error.min():.3f} to {error.max():.3f}; rms {min(rms.values()):.3f} to {max(rms.values()):.3f}")
    capped = {name: float((values == 6).mean()) for name, values in reference.kept.items() if (values == 6).any()}
    print(len(capped), "maps reach 6")


if __name__ == "__main__":
    main()
