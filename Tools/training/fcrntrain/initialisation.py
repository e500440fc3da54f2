"""An encoder that has seen ImageNet, as far as the file goes: torchvision's ResNet-18 with its batch norms folded."""

from pathlib import Path

import numpy as np
import torch

from .network import FCRN

#: Weight of a residual branch that starts from noise, so that the shortcut carries the signal at first.
NEW_BRANCH = 0.1
#: A convolution of a block here and there.
PARTS = {"branch2a": "conv1", "branch2b": "conv2", "branch1": "downsample.0"}


@torch.no_grad()
def load_encoder(net: FCRN, path: Path) -> list[str]:
    """Copies what `path` has; the layers it lacks, by name, stay as initialised."""
    with np.load(path) as file:
        tensors = {name: torch.from_numpy(file[name].astype("float32")) for name in file.files}
    missing = []
    for name, convolution in net.convolutions.items():
        theirs = "conv1"
        if name.startswith("res"):
            block, branch = name.split("_")
            theirs = f"layer{int(block[3]) - 1}.{'abc'.index(block[4])}.{PARTS[branch]}"
        elif name != "conv1":
            continue
        kernel, bias = tensors.get(f"{theirs}.weight"), tensors.get(f"{theirs}.bias")
        norm = net.architecture.by_name[name].norm
        norm = net.norms[norm] if norm in net.norms else None
        if kernel is None:
            missing.append(name)
            if name.endswith("branch2b"):
                (convolution.weight if norm is None else norm.weight).mul_(NEW_BRANCH)
            continue
        convolution.weight.copy_(kernel)
        if bias is not None:
            (convolution.bias if norm is None else norm.bias).copy_(bias)
    return missing
