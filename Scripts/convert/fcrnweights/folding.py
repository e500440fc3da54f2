"""Batch norms folded into the convolutions before them."""

from dataclasses import replace

import numpy as np

from .network import BN_EPSILON, Network, Tensors


def folded(network: Network) -> Network:
    """The same function without batch norms, every convolution with a bias.

    With s = gamma / sqrt(variance + epsilon) per output channel, kernel' = kernel · s and
    bias' = (bias − mean) · s + beta; computed in float64 and rounded once. This is exact at image
    borders too, since zero padding acts on the input of the convolution. The norm after an
    interleaving goes into each of the four convolutions before it.
    """
    if network.folded:
        return network
    tensors: Tensors = {}
    for layer in network.architecture.convolutions:
        source = network.tensors[layer.name]
        kernel, bias = source["kernel"], source.get("bias", np.zeros(layer.shape[0]))
        if layer.norm:
            kernel, bias = fold(kernel, bias, *affine(network.tensors[layer.norm]))
        tensors[layer.name] = {"kernel": kernel.astype("<f4"), "bias": bias.astype("<f4")}
    return replace(network, tensors=tensors, folded=True)


def affine(norm: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Scale and shift per channel, float64, that a batch norm amounts to at inference."""
    values = {name: np.asarray(tensor, np.float64) for name, tensor in norm.items()}
    scale = values["gamma"] / np.sqrt(values["variance"] + BN_EPSILON)
    return scale, values["beta"] - values["mean"] * scale


def fold(kernel: np.ndarray, bias: np.ndarray, scale: np.ndarray,
         shift: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Kernel and bias, float64, of `(convolution · scale) + shift`."""
    kernel = np.asarray(kernel, np.float64) * scale[:, None, None, None]
    return kernel, np.asarray(bias, np.float64) * scale + shift
