"""Encoders that have seen ImageNet, as far as the partial files go.

Source of the layouts: torchvision's ResNet-18 (batch norms folded) and the ONNX model zoo's ResNet-50 v2.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn

from .network import FCRN

#: Weight of a residual branch that starts from noise, so that the shortcut carries the signal at first.
NEW_BRANCH = 0.1


def load_encoder(net: FCRN, path: Path) -> list[str]:
    """Copies what `path` has; the layers it lacks, by name, stay as initialised."""
    with np.load(path) as file:
        tensors = {name: torch.from_numpy(file[name].astype("float32")) for name in file.files}
    copy = _copy_resnet18 if "conv1.weight" in tensors else _copy_resnet50_v2
    with torch.no_grad():
        return copy(net, tensors)


def _encoder(net: FCRN) -> Iterator[tuple[str, nn.Conv2d]]:
    for name, convolution in net.convolutions.items():
        if name == "conv1" or name.startswith("res"):
            yield name, convolution


def _norm(net: FCRN, layer: str) -> nn.BatchNorm2d | None:
    norm = net.architecture.by_name[layer].norm
    return net.norms[norm] if norm in net.norms else None  # type: ignore[return-value]


def _copy_resnet18(net: FCRN, tensors: dict[str, torch.Tensor]) -> list[str]:
    parts = {"branch2a": "conv1", "branch2b": "conv2", "branch1": "downsample.0"}
    missing = []
    for name, convolution in _encoder(net):
        theirs = "conv1"
        if name != "conv1":
            block, branch = name.split("_")
            theirs = f"layer{int(block[3]) - 1}.{'abc'.index(block[4])}.{parts[branch]}"
        kernel, bias = tensors.get(f"{theirs}.weight"), tensors.get(f"{theirs}.bias")
        norm = _norm(net, name)
        if kernel is None:
            missing.append(name)
            if name.endswith("branch2b"):
                (convolution.weight if norm is None else norm.weight).mul_(NEW_BRANCH)
            continue
        convolution.weight.copy_(kernel)
        if bias is not None:
            (convolution.bias if norm is None else norm.bias).copy_(bias)
    return missing


def _copy_resnet50_v2(net: FCRN, tensors: dict[str, torch.Tensor]) -> list[str]:
    """Convolutions by order within a stage. v2 normalises before a convolution, so of its norms only the
    stem's and those between two convolutions of a branch mean the same here."""
    prefix, count, blocks, missing = "resnetv24_", {}, {}, []
    _take_norm(_norm(net, "conv1"), tensors, f"{prefix}batchnorm1")
    for name, convolution in _encoder(net):
        theirs = "conv0"
        if name != "conv1":
            stage = int(name[3]) - 1
            # The zoo numbers the projection of a block after its branch; ours stands before it.
            if name.endswith("branch1"):
                continue
            theirs = f"stage{stage}_conv{count.get(stage, 0)}"
            count[stage] = count.get(stage, 0) + 1
        _take(convolution, tensors.get(f"{prefix}{theirs}_weight"), name, missing)
        if name.endswith(("branch2a", "branch2b")):
            number = 3 * blocks.get(stage, 0) + (1 if name.endswith("a") else 2)
            _take_norm(_norm(net, name), tensors, f"{prefix}stage{stage}_batchnorm{number}")
        if name.endswith("branch2c"):
            blocks[stage] = blocks.get(stage, 0) + 1
            projection = name.replace("branch2c", "branch1")
            if projection in net.convolutions:
                number = count[stage]
                count[stage] += 1
                _take(net.convolutions[projection], tensors.get(f"{prefix}stage{stage}_conv{number}_weight"),
                      projection, missing)
            if (norm := _norm(net, name)) is not None:
                nn.init.constant_(norm.weight, 0.3)
    return missing


def _take(convolution: nn.Conv2d, kernel: torch.Tensor | None, name: str, missing: list[str]) -> None:
    if kernel is None or kernel.shape != convolution.weight.shape:
        missing.append(name)
    else:
        convolution.weight.copy_(kernel)


def _take_norm(norm: nn.BatchNorm2d | None, tensors: dict[str, torch.Tensor], name: str) -> None:
    parts = {"weight": "gamma", "bias": "beta", "running_mean": "running_mean", "running_var": "running_var"}
    found = {ours: tensors.get(f"{name}_{theirs}") for ours, theirs in parts.items()}
    if norm is not None and all(values is not None and values.shape == norm.weight.shape for values in found.values()):
        for ours, values in found.items():
            getattr(norm, ours).copy_(values)
