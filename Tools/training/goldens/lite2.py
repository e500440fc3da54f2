#!/usr/bin/env python3
"""Activations, depth and expected error of FCRN on EfficientNet-Lite2, in 64-bit floats, for Tests/Golden.

    python3 Tools/training/goldens/lite2.py            writes Tests/Golden/lite2_golden_64x96.h5; needs h5py, numpy, torch

ReLU6 is a clamp, a depthwise convolution is PyTorch's grouped one. The weights are those of `GeneratedWeights.lite2` in the tests.
Run again when these change.
"""

import numpy as np
import torch
import torch.nn.functional as F

import two_outputs

GOLDEN = two_outputs.ROOT / "Tests/Golden/lite2_golden_64x96.h5"
DIVISOR, WIDTHS = 8, (16, 9, 8, 5, 4)
#: Stage, blocks, expansion, kernel, stride of the first block, output channels (Tan and Le 2019, table 1, scaled).
STAGES = ((1, 1, 1, 3, 1, 16), (2, 3, 6, 3, 2, 24), (3, 3, 6, 5, 2, 48), (4, 4, 6, 3, 2, 88), (5, 4, 6, 5, 1, 120),
          (6, 5, 6, 5, 2, 208), (7, 1, 6, 3, 1, 352))
SKIPS = {"2x": "block5d", "4x": "block3c", "8x": "block2c", "16x": "block1a"}


class Reference(two_outputs.Reference):
    def block(self, name: str, x: torch.Tensor, expansion: int, size: int, stride: int, outputs: int) -> torch.Tensor:
        """Sandler et al. (2018), figure 3b."""
        y = x
        if expansion > 1:
            y = self.keep(f"{name}_expand", F.relu6(self.convolution(f"{name}_expand", y, expansion * x.shape[1], 1)))
        channels = y.shape[1]
        y = self.keep(f"{name}_depthwise", F.relu6(self.convolution(f"{name}_depthwise", y, channels, size, stride, channels)))
        y = self.convolution(f"{name}_project", y, outputs, 1)
        return self.keep(f"{name}_project", x + y if y.shape == x.shape else y)

    def run(self, pixels: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(pixels.astype(np.float64) - 127).permute(2, 0, 1)[None]
        x = self.keep("stem_conv", F.relu6(self.convolution("stem_conv", x, 32 // DIVISOR, 3, 2)))
        maps = {}
        for stage, blocks, expansion, size, stride, width in STAGES:
            for letter in "abcde"[:blocks]:
                name = f"block{stage}{letter}"
                x = maps[name] = self.block(name, x, expansion, size, stride if letter == "a" else 1, width // DIVISOR)
        return self.decoded(x, WIDTHS, {tag: maps[block] for tag, block in SKIPS.items()})


def main() -> None:
    pixels, reference = two_outputs.picture(64, 96), Reference()
    outputs = reference.run(pixels)
    # The branches of an up-projection are compared in FCRN-18.
    kept = {name: values for name, values in reference.kept.items() if not name.endswith("_br1_ReLU")}
    two_outputs.write(GOLDEN, pixels, outputs, kept, 2)
    rms = [float(np.sqrt((values ** 2).mean())) for values in kept.values()]
    capped = sum((values == 6).any() for values in kept.values())
    print(f"rms {min(rms):.3f} to {max(rms):.3f}; {capped} maps reach 6")


if __name__ == "__main__":
    main()
