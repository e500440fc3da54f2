"""Activations, depth and expected error of FCRN-18 with the weights of this clone, in 64-bit floats, for Tests/Golden.

    python3 Scripts/train/goldens/fcrn18.py            writes Tests/Golden/fcrn18_golden_65x97.h5; needs h5py, numpy, torch

Written from the papers alone and with nothing of the engine or the trainer: batch norms are in the file's biases, an
up-convolution is unpooling by two and one 6 × 6 convolution. Run it again when the weights change.
"""

from __future__ import annotations

import hashlib
import pathlib

import h5py
import numpy as np
import torch
import torch.nn.functional as F

import samples

ROOT = pathlib.Path(__file__).resolve().parents[3]
WEIGHTS = ROOT / "Weights/fcrn18-nyu-int8.h5"
GOLDEN = ROOT / "Tests/Golden/fcrn18_golden_65x97.h5"
HEIGHT, WIDTH = 65, 97


class Reference:
    def __init__(self, file: h5py.File) -> None:
        self.file, self.kept = file, {}

    def tensors(self, name: str) -> tuple[torch.Tensor, torch.Tensor]:
        layer = self.file[name]
        kernel = layer["kernel"][()].astype(np.float64) * layer["scale"][()].astype(np.float64)[:, None, None, None]
        return torch.from_numpy(kernel), torch.from_numpy(layer["bias"][()].astype(np.float64))

    def keep(self, name: str, x: torch.Tensor) -> torch.Tensor:
        self.kept[name] = x[0].numpy()
        return x

    def convolution(self, name: str, x: torch.Tensor, stride: int = 1) -> torch.Tensor:
        kernel, bias = self.tensors(name)
        return F.conv2d(x, kernel, bias, stride, kernel.shape[2] // 2)

    def block(self, name: str, x: torch.Tensor, stride: int) -> torch.Tensor:
        """He et al. (2015), figure 2, with a projection where the shape changes."""
        y = F.relu(self.convolution(f"res{name}_branch2a", x, stride))
        y = self.convolution(f"res{name}_branch2b", y)
        if stride > 1:
            x = self.convolution(f"res{name}_branch1", x, stride)
        return self.keep(f"res{name}_relu", F.relu(x + y))

    def up_convolution(self, name: str, x: torch.Tensor) -> torch.Tensor:
        """Laina et al. (2016), figure 2a: zeros between the pixels, then one convolution.

        The four small kernels begin one input pixel above and left of theirs ("top/left"), so an even row sees the
        rows −2, 0, 2 of the unpooled map and an odd one −3, −1.
        """
        rows = {"even": (1, 3, 5), "odd": (0, 2)}
        parts = {"A": ("even", "even"), "B": ("odd", "even"), "C": ("even", "odd"), "D": ("odd", "odd")}
        whole = None
        for part, (vertical, horizontal) in parts.items():
            kernel, bias = self.tensors(f"{name}_Conv{part}")
            if whole is None:
                whole = torch.zeros(*kernel.shape[:2], 6, 6, dtype=torch.float64)
            for u, row in enumerate(rows[vertical]):
                for v, column in enumerate(rows[horizontal]):
                    whole[:, :, row, column] = kernel[:, :, u, v]
        unpooled = torch.zeros(*x.shape[:2], 2 * x.shape[2], 2 * x.shape[3], dtype=torch.float64)
        unpooled[:, :, ::2, ::2] = x
        return F.conv2d(F.pad(unpooled, (3, 2, 3, 2)), whole, bias)

    def up_projection(self, name: str, x: torch.Tensor) -> torch.Tensor:
        """Laina et al. (2016), figure 2c."""
        first = F.relu(self.up_convolution(f"{name}_br1", x))
        second = self.up_convolution(f"{name}_br2", x)
        self.keep(f"{name}_br1_ReLU", first)
        return self.keep(f"{name}_ReLU", F.relu(self.convolution(f"{name}_Conv", first) + second))

    def run(self, pixels: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(pixels.astype(np.float64)).permute(2, 0, 1)[None]
        x = F.relu(self.convolution("conv1", x, 2))
        # Padded as TensorFlow's SAME: nowhere before an even side. After a ReLU zero serves as −∞.
        x = F.pad(x, (x.shape[3] % 2, 1, x.shape[2] % 2, 1))
        x = self.keep("pool1", F.max_pool2d(x, 3, 2))
        for stage in "2345":
            for letter in "ab":
                x = self.block(stage + letter, x, 2 if letter == "a" and stage != "2" else 1)
        x = self.keep("layer1_BN", self.convolution("layer1", x))
        mean = x.mean((2, 3), keepdim=True)  # Liu et al. (2015), global context
        x = self.keep("layer1_context", x + self.convolution("layer1_context", mean))
        for tag in ("2x", "4x", "8x", "16x"):
            x = self.up_projection(f"layer{tag}", x)
        return self.convolution("ConvPred", x).exp()[0].numpy()


def picture() -> np.ndarray:
    """Smooth shades with a box, so that no activation is all zero."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    channels = [127 + 90 * np.sin(x / (9 + c)) * np.cos(y / (7 + 2 * c)) + 20 * c for c in range(3)]
    pixels = np.stack(channels, 2)
    pixels[20:44, 30:60] = (40, 90, 160)
    return np.clip(np.round(pixels), 0, 255).astype(np.uint8)


def main() -> None:
    pixels = picture()
    with h5py.File(WEIGHTS) as file:
        if file.attrs["upproj_padding"] != b"topleft" or np.any(file.attrs["pixel_mean"] != 0):
            raise SystemExit(f"{WEIGHTS} is not as this script expects")
        reference = Reference(file)
        depth, error = reference.run(pixels)
    random = np.random.default_rng(18)
    indices = np.stack([random.integers(0, reference.kept[name].size, 64) for name in reference.kept])
    with h5py.File(GOLDEN, "w") as golden:
        golden.attrs["weights_sha256"] = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
        golden["input_u8_hwc"] = pixels
        golden["output_f64"] = depth
        golden["error_f64"] = error
        golden.create_group("activations")
        samples.write(golden, reference.kept, indices)
    print(GOLDEN.relative_to(ROOT), f"{GOLDEN.stat().st_size} bytes, depths {depth.min():.3f} to {depth.max():.3f} m")


if __name__ == "__main__":
    main()
