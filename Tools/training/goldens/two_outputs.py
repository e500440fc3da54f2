"""The common part of the golden files of both networks with two outputs: the decoder in 64-bit floats, the picture, and the file.

Written from the papers alone and with nothing of the engine, the trainer or the converters: an up-convolution is unpooling by two
and one convolution of 6 × 6 taps.
"""

from __future__ import annotations

import pathlib

import h5py
import numpy as np
import torch
import torch.nn.functional as F

import samples
from streams import Stream

ROOT = pathlib.Path(__file__).resolve().parents[3]
#: Rows and columns of the 6 × 6 kernel that a part's own fall on, by the parity of the rows or columns that it computes.
TAPS = {"even": (1, 3, 5), "odd": (0, 2)}
PARTS = {"A": ("even", "even"), "B": ("odd", "even"), "C": ("even", "odd"), "D": ("odd", "odd")}


class Reference:
    """A network; `kept` holds activations by name."""

    def __init__(self) -> None:
        self.kept: dict[str, np.ndarray] = {}

    def tensors(self, name: str, shape: tuple[int, int, int, int]) -> tuple[torch.Tensor, torch.Tensor]:
        """Kernel, output × input × rows × columns, and bias of a convolution: those of `GeneratedWeights` in the tests."""
        bound = 1.0
        while bound * bound * np.prod(shape[1:]) > 12:
            bound /= 2
        bound /= {"conv1": 256, "stem_conv": 64, "ConvPred": 128}.get(name, 2 if name.startswith("res") else 1)
        kernel = Stream(f"{name}/kernel").symmetric(int(np.prod(shape)), bound).reshape(shape)
        bias = Stream(f"{name}/bias").symmetric(shape[0], 0.5)
        return torch.from_numpy(kernel.astype(np.float64)), torch.from_numpy(bias.astype(np.float64))

    def keep(self, name: str, x: torch.Tensor) -> torch.Tensor:
        self.kept[name] = x[0].numpy()
        return x

    def convolution(self, name: str, x: torch.Tensor, outputs: int, size: int, stride: int = 1, groups: int = 1) -> torch.Tensor:
        kernel, bias = self.tensors(name, (outputs, x.shape[1] // groups, size, size))
        return F.conv2d(x, kernel, bias, stride, size // 2, groups=groups)

    def up_convolution(self, name: str, x: torch.Tensor, outputs: int) -> torch.Tensor:
        """Laina et al. (2016), figure 2a: zeros between the pixels, then one convolution.

        The four small kernels begin one input pixel above and left of theirs ("top/left"), so an even row sees the
        rows −2, 0, 2 of the unpooled map and an odd one −3, −1.
        """
        whole = torch.zeros(outputs, x.shape[1], 6, 6, dtype=torch.float64)
        unpooled = torch.zeros(1, x.shape[1], 2 * x.shape[2], 2 * x.shape[3], dtype=torch.float64)
        unpooled[:, :, ::2, ::2] = x
        biases = torch.zeros(1, outputs, *unpooled.shape[2:], dtype=torch.float64)
        for part, (vertical, horizontal) in PARTS.items():
            rows, columns = TAPS[vertical], TAPS[horizontal]
            kernel, bias = self.tensors(f"{name}_Conv{part}", (outputs, x.shape[1], len(rows), len(columns)))
            for u, row in enumerate(rows):
                for v, column in enumerate(columns):
                    whole[:, :, row, column] = kernel[:, :, u, v]
            biases[:, :, vertical == "odd"::2, horizontal == "odd"::2] = bias[:, None, None]
        return F.conv2d(F.pad(unpooled, (3, 2, 3, 2)), whole) + biases

    def up_projection(self, name: str, x: torch.Tensor, outputs: int) -> torch.Tensor:
        """Laina et al. (2016), figure 2c."""
        first = self.keep(f"{name}_br1_ReLU", F.relu(self.up_convolution(f"{name}_br1", x, outputs)))
        second = self.up_convolution(f"{name}_br2", x, outputs)
        return self.keep(f"{name}_ReLU", F.relu(self.convolution(f"{name}_Conv", first, outputs, 3) + second))

    def decoded(self, x: torch.Tensor, widths: tuple[int, ...], skips: dict[str, torch.Tensor]) -> np.ndarray:
        """Depth and expected error; `skips`: up-projection → the encoder's map that is added to its result."""
        x = self.keep("layer1_BN", self.convolution("layer1", x, widths[0], 1))
        # Liu et al. (2015): what the mean over all pixels says, added to each of them.
        mean = x.mean((2, 3), keepdim=True)
        x = self.keep("layer1_context", x + self.convolution("layer1_context", mean, widths[0], 1))
        for tag, width in zip(("2x", "4x", "8x", "16x"), widths[1:]):
            x = self.up_projection(f"layer{tag}", x, width)
            if tag in skips:
                x = self.keep(f"layer{tag}_skip", F.relu(x + self.convolution(f"layer{tag}_skip", skips[tag], width, 1)))
        return self.convolution("ConvPred", x, 2, 3).exp()[0].numpy()


def picture(height: int, width: int) -> np.ndarray:
    """Smooth shades with a box, so that no activation is all zero."""
    y, x = np.mgrid[0:height, 0:width]
    channels = [127 + 90 * np.sin(x / (9 + c)) * np.cos(y / (7 + 2 * c)) + 20 * c for c in range(3)]
    pixels = np.stack(channels, 2)
    pixels[20:44, 30:60] = (40, 90, 160)
    return np.clip(np.round(pixels), 0, 255).astype(np.uint8)


def write(path: pathlib.Path, pixels: np.ndarray, outputs: np.ndarray, kept: dict[str, np.ndarray], seed: int) -> None:
    random = np.random.default_rng(seed)
    indices = np.stack([random.integers(0, values.size, 64) for values in kept.values()])
    with h5py.File(path, "w") as golden:
        golden["input_u8_hwc"] = pixels
        golden["output_f64"], golden["error_f64"] = outputs
        golden.create_group("activations")
        samples.write(golden, kept, indices)
    print(path.relative_to(ROOT), f"{path.stat().st_size} bytes, depths {outputs[0].min():.3f} to {outputs[0].max():.3f} m, "
          f"errors {outputs[1].min():.3f} to {outputs[1].max():.3f}")
