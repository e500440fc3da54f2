"""Activations, depth and expected error of FCRN-18 with the weights of this clone, in 64-bit floats, for Tests/Golden.

    python3 Scripts/train/goldens/fcrn18.py            writes Tests/Golden/fcrn18_golden_65x97.h5; needs h5py, numpy, torch

Batch norms are in the file's biases. Run it again when the weights change.
"""

import hashlib

import h5py
import numpy as np
import torch
import torch.nn.functional as F

import two_outputs

WEIGHTS = two_outputs.ROOT / "Weights/fcrn18-nyu-int8.h5"
GOLDEN = two_outputs.ROOT / "Tests/Golden/fcrn18_golden_65x97.h5"


class Reference(two_outputs.Reference):
    def __init__(self, file: h5py.File) -> None:
        super().__init__()
        self.file = file

    def tensors(self, name: str, shape: tuple[int, int, int, int]) -> tuple[torch.Tensor, torch.Tensor]:
        layer = self.file[name]
        kernel = layer["kernel"][()].astype(np.float64) * layer["scale"][()].astype(np.float64)[:, None, None, None]
        if kernel.shape != shape:
            raise SystemExit(f"{name} has the shape {kernel.shape}, expected {shape}")
        return torch.from_numpy(kernel), torch.from_numpy(layer["bias"][()].astype(np.float64))

    def block(self, name: str, x: torch.Tensor, outputs: int, stride: int) -> torch.Tensor:
        """He et al. (2015), figure 2, with a projection where the shape changes."""
        y = F.relu(self.convolution(f"res{name}_branch2a", x, outputs, 3, stride))
        y = self.convolution(f"res{name}_branch2b", y, outputs, 3)
        if stride > 1:
            x = self.convolution(f"res{name}_branch1", x, outputs, 1, stride)
        return self.keep(f"res{name}_relu", F.relu(x + y))

    def run(self, pixels: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(pixels.astype(np.float64)).permute(2, 0, 1)[None]
        x = F.relu(self.convolution("conv1", x, 64, 7, 2))
        # Padded as TensorFlow's SAME: nowhere before an even side. After a ReLU zero serves as −∞.
        x = F.pad(x, (x.shape[3] % 2, 1, x.shape[2] % 2, 1))
        x = self.keep("pool1", F.max_pool2d(x, 3, 2))
        for stage, width in zip("2345", (64, 128, 256, 512)):
            for letter in "ab":
                x = self.block(stage + letter, x, width, 2 if letter == "a" and stage != "2" else 1)
        return self.decoded(x, tuple(self.file.attrs["decoder_widths"].tolist()), {})


def main() -> None:
    pixels = two_outputs.picture(65, 97)
    with h5py.File(WEIGHTS) as file:
        if file.attrs["upproj_padding"] != b"topleft" or np.any(file.attrs["pixel_mean"] != 0):
            raise SystemExit(f"{WEIGHTS} is not as this script expects")
        reference = Reference(file)
        outputs = reference.run(pixels)
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    two_outputs.write(GOLDEN, pixels, outputs, reference.kept, 18, {"weights_sha256": digest})


if __name__ == "__main__":
    main()
