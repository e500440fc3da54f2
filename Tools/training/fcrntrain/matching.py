"""Biases of a network in 8 bits, moved until its depths agree with the float32 network's."""

from pathlib import Path

import torch
from fcrnweights.architecture import QUARTET, UP_PROJECTIONS
from torch import Tensor

from .evaluation import SMALLEST, resized
from .frames import photographs
from .network import UpProjections

#: Pictures that take part at most, taken evenly from the folder.
PICTURES = 400


def read(folder: Path) -> Tensor:
    """Pixels (N, 3, 256, 341), bytes, of JPEGs of a folder."""
    pictures = photographs(folder, 256).pictures
    return pictures[:: -(-len(pictures) // PICTURES)]


def match_biases(rounded: UpProjections, exact: UpProjections, pictures: Tensor, steps: int = 10, batch: int = 8,
                 seed: int = 1) -> None:
    """A few steps of Adam on the biases alone, towards the logarithms of the exact network's depths.

    Rounding the kernels shifts the mean of every channel a little, and the shifts add up to a scale of their own.
    The loss is the mean difference of a pixel plus that of a whole picture. The four convolutions of an up-convolution
    keep one bias, since they share a norm.
    """
    generator = torch.Generator().manual_seed(seed)
    for parameter in [*rounded.parameters(), *exact.parameters()]:
        parameter.requires_grad_(False)
    modules = (*rounded.convolutions.values(), *rounded.norms.values())
    biases = [module.bias for module in modules if module.bias is not None]
    for bias in biases:
        bias.requires_grad_(True)
    optimizer = torch.optim.Adam(biases, lr=4e-4)
    rounded.eval()
    exact.eval()
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 4e-4 * (1 - step / steps) + 2e-5
        chosen = torch.randint(len(pictures), (min(batch, len(pictures)),), generator=generator)
        pixels = pictures[chosen].float()
        if step % 2:
            pixels = pixels.flip(3)
        difference = _logarithm(rounded, pixels) - _logarithm(exact, pixels)
        loss = difference.abs().mean() + difference.mean((2, 3)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        _share_biases(rounded)


def _logarithm(net: UpProjections, pixels: Tensor) -> Tensor:
    """Of depth and, where the network expects one, of its error, (N, 1 or 2, h, w)."""
    output = net(resized(pixels, net.architecture.input_size))
    return output if output.ndim == 4 else output.clamp(min=SMALLEST).log()[:, None]


@torch.no_grad()
def _share_biases(net: UpProjections) -> None:
    for name in UP_PROJECTIONS:
        for branch in ("br1", "br2"):
            biases = [net.convolutions[f"layer{name}_{branch}_Conv{part}"].bias for part in QUARTET]
            if all(bias is not None for bias in biases):
                mean = torch.stack([bias.data for bias in biases]).mean(0)
                for bias in biases:
                    bias.copy_(mean)
