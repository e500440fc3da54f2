"""Weights from and to the HDF5 files that `depth` reads, by way of the converters' package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from fcrnweights import archive
from fcrnweights.folding import affine, fold
from fcrnweights.formats import own_archive
from fcrnweights.network import Network, Tensors
from fcrnweights.precision import reduced
from fcrnweights.reading import Options
from fcrnweights.source import Source
from torch import Tensor, nn

from .network import FCRN, decoder_norms

#: A batch norm's parameters: the file's names and PyTorch's.
NORM = {"gamma": "weight", "beta": "bias", "mean": "running_mean", "variance": "running_var"}


def load(path: Path, pictures: Tensor | None = None) -> FCRN:
    """The network of a weights file, ready to be trained on.

    Norms that the file has folded into its decoder's kernels are taken out again, so that the decoder can
    be trained at a rate worth while: given `pictures` (N, 3, H, W) in 0…255, each norm gets the mean and
    variance that its input has there, and the factors that make up for them. The network's function
    stays the same. Without pictures, folded norms stay folded.
    """
    source = own_archive.read(path, Options()).network.checked()
    architecture = source.architecture
    norms = architecture.norms.keys()
    if source.folded:
        norms = decoder_norms(architecture) if pictures is not None else ()
    net = FCRN(architecture, norms)
    with torch.no_grad():
        for layer in architecture.convolutions:
            convolution, tensors = net.convolutions[layer.name], source.tensors[layer.name]
            convolution.weight.copy_(torch.from_numpy(tensors["kernel"]))
            if convolution.bias is not None:
                convolution.bias.copy_(torch.from_numpy(tensors["bias"]))
        for name, norm in net.norms.items():
            bias = _shared_bias(source, name)
            if source.folded:
                norm.running_mean.copy_(-bias)
            else:
                for theirs, ours in NORM.items():
                    getattr(norm, ours).copy_(torch.from_numpy(source.tensors[name][theirs]))
                norm.running_mean.sub_(bias)
        _normalise_pixels(net, source)
        if source.folded and pictures is not None:
            _measure_norms(net, pictures)
    return net


def _shared_bias(source: Network, norm: str) -> Tensor:
    """The file's bias of the convolutions before a norm, which have none here: its mean carries it.

    The four convolutions of an up-convolution share their norm, so they have to share their bias.
    """
    layers = [layer for layer in source.architecture.convolutions if layer.norm == norm]
    zero = np.zeros(layers[0].shape[0], np.float32)
    biases = [source.tensors[layer.name].get("bias", zero) for layer in layers]
    if any(not np.array_equal(bias, biases[0]) for bias in biases):
        raise ValueError(f"the four convolutions before '{norm}' differ in bias, so they were trained without it")
    return torch.from_numpy(biases[0])


def _measure_norms(net: FCRN, pictures: Tensor) -> None:
    """Every norm's statistics from its input in one pass; a norm is right before its output is used."""

    def measure(norm: nn.BatchNorm2d, inputs: tuple[Tensor]) -> None:
        variance, mean = torch.var_mean(inputs[0], (0, 2, 3), unbiased=False)
        norm.bias.copy_(mean - norm.running_mean)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    hooks = [norm.register_forward_pre_hook(measure) for norm in net.norms.values()]
    net.eval()(pictures)
    for hook in hooks:
        hook.remove()


def _normalise_pixels(net: FCRN, source: Network) -> None:
    """conv1 on (pixel − mean) / deviation instead of pixel · scale − mean of the file."""
    conv1 = net.convolutions["conv1"]
    scale = source.pixel_scale
    mean = torch.tensor(source.pixel_mean).view(1, 3, 1, 1)
    shift = (conv1.weight * (net.pixel_mean * scale - mean)).sum((1, 2, 3))
    conv1.weight.mul_(net.pixel_deviation * scale)
    if conv1.bias is not None:
        conv1.bias.add_(shift)
    else:
        net.norms["bn_conv1"].running_mean.sub_(shift)


def network(net: FCRN) -> Network:
    """The trained network with batch norms and pixel normalisation folded, in float64 until the end."""
    state = {name: tensor.detach().double().cpu().numpy() for name, tensor in net.state_dict().items()}
    tensors: Tensors = {}
    for layer in net.architecture.convolutions:
        kernel = state[f"convolutions.{layer.name}.weight"]
        bias = state.get(f"convolutions.{layer.name}.bias", np.zeros(kernel.shape[0]))
        if layer.name == "conv1":
            kernel = kernel / net.pixel_deviation.double().cpu().numpy()
            bias = bias - (kernel * net.pixel_mean.double().cpu().numpy()).sum((1, 2, 3))
        tensors[layer.name] = {"kernel": kernel, "bias": bias}
    for name, norm in net.norms.items():
        scale, shift = affine({theirs: state[f"norms.{name}.{ours}"] for theirs, ours in NORM.items()})
        for layer in net.architecture.convolutions:
            if layer.norm == name:
                kernel, bias = fold(*(tensors[layer.name][part] for part in ("kernel", "bias")), scale, shift)
                tensors[layer.name] = {"kernel": kernel, "bias": bias}
    return Network(net.architecture, tensors, folded=True).checked()


def scaled(trained: Network, factor: float) -> Network:
    """The network whose every depth is `factor` times as large: its last layer is, and nothing else."""
    tensors = dict(trained.tensors)
    tensors["ConvPred"] = {name: values * np.float32(factor) for name, values in tensors["ConvPred"].items()}
    return replace(trained, tensors=tensors, depth_scale=trained.depth_scale * factor)


def export(net: FCRN, path: Path, precision: str, origins: Sequence[Path], scale: float = 1) -> None:
    """Writes a weights file; `origins` are the checkpoints, whose digest the file carries."""
    archive.write(path, reduced(scaled(network(net), scale), precision), precision,
                  Source.of(origins[0], "fcrntrain", origins))
