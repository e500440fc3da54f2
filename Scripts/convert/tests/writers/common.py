"""What every writer needs: the generated tensors and where to put files."""

from __future__ import annotations

import sys
from pathlib import Path

from fcrnweights.architecture import fcrn50
from fcrnweights.network import Tensors

from .. import generator

HEIGHT, WIDTH = 228, 304
NAMES = {"kernel": "weights", "bias": "biases", "gamma": "scale", "beta": "offset"}


def arguments() -> tuple[Tensors, Path]:
    """The network of the width divisor, and the folder, that the command line asks for."""
    divisor, folder = int(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    return generator.tensors(fcrn50(divisor)), folder


def official(tensors: Tensors) -> dict[str, dict]:
    """The published names, kernels rows × columns × input × output."""
    return {layer: {NAMES.get(p, p): v.transpose(2, 3, 1, 0).copy() if p == "kernel" else v
                    for p, v in parameters.items()} for layer, parameters in tensors.items()}
