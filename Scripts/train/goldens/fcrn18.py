#!/usr/bin/env python3
"""Activations, depth and expected error of FCRN-18, in 64-bit floats, for Tests/Golden.

    python3 Scripts/train/goldens/fcrn18.py            writes Tests/Golden/fcrn18_golden_65x97.h5; needs h5py, numpy, torch

Batch norms are in the biases. The weights are those of `GeneratedWeights.fcrn18` in the tests. Run again when these change.
"""

import numpy as np
import torch
import torch.nn.functional as F

import two_outputs

GOLDEN = two_outputs.ROOT / "Tests/Golden/fcrn18_golden_65x97.h5"
DIVISOR, WIDTHS = 4, (32, 17, 9, 6, 4)


class Reference(two_outputs.Reference):
    def block(self, name: str, x: torch.Tensor, outputs: int, stride: int) -> torch.Tensor:
        """He et al. (2015), figure 2, with a projection where the shape changes."""
        y = F.relu(self.convolution(f"res{name}_branch2a", x, outputs, 3, stride))
        y = self.convolution(f"res{name}_branch2b", y, outputs, 3)
        if stride > 1:
            x = self.convolution(f"res{name}_branch1", x, outputs, 1, stride)
        return self.keep(f"res{name}_relu", F.relu(x + y))

    def run(self, pixels: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(pixels.astype(np.float64)).permute(2, 0, 1)[None]
        x = F.relu(self.convolution("conv1", x, 64 // DIVISOR, 7, 2))
        # Padded as TensorFlow's SAME: nowhere before an even side. After a ReLU zero serves as −∞.
        x = F.pad(x, (x.shape[3] % 2, 1, x.shape[2] % 2, 1))
        x = self.keep("pool1", F.max_pool2d(x, 3, 2))
        for stage, width in zip("2345", (64, 128, 256, 512)):
            for letter in "ab":
                x = self.block(stage + letter, x, width // DIVISOR, 2 if letter == "a" and stage != "2" else 1)
        return self.decoded(x, WIDTHS, {})


def main() -> None:
    pixels, reference = two_outputs.picture(65, 97), Reference()
    outputs = reference.run(pixels)
    two_outputs.write(GOLDEN, pixels, outputs, reference.kept, 18)
    rms = [float(np.sqrt((values ** 2).mean())) for values in reference.kept.values()]
    print(f"rms {min(rms):.3f} to {max(rms):.3f}")


if __name__ == "__main__":
    main()
