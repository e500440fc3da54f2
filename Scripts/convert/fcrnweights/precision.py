"""Kernels in fewer bits."""

from dataclasses import replace

import numpy as np

from .errors import ConversionError
from .folding import folded
from .network import Network, Tensors

PRECISIONS = ("float32", "float16", "int8")


def reduced(network: Network, precision: str) -> Network:
    """The network with its kernels in `precision`; biases and norms stay float32.

    float16 keeps batch norms apart where the source does, so that kernels published in float16
    survive bit for bit. int8 folds them first: the scale per output channel absorbs the norm's
    own, so the 8-bit codes are the same either way, and the reader is spared the arithmetic.
    """
    if precision == "float32":
        return network
    if precision == "int8":
        network = folded(network)
    tensors: Tensors = {}
    for layer, parameters in network.tensors.items():
        tensors[layer] = dict(parameters)
        if "kernel" in parameters:
            tensors[layer] |= _reduced(layer, parameters["kernel"], precision)
    return replace(network, tensors=tensors)


def restored(network: Network) -> Network:
    """The network as a reader sees it: every kernel widened to float32."""
    tensors: Tensors = {}
    for layer, parameters in network.tensors.items():
        tensors[layer] = {name: values for name, values in parameters.items()
                          if name not in ("scale", "activation_scale", "residual_scale")}
        if "kernel" in parameters:
            kernel = parameters["kernel"].astype("<f4")
            tensors[layer]["kernel"] = kernel * parameters["scale"].reshape(-1, 1, 1, 1) if "scale" in parameters else kernel
    return replace(network, tensors=tensors)


def _reduced(layer: str, kernel: np.ndarray, precision: str) -> dict[str, np.ndarray]:
    """`kernel`, output channels first, in float16, or in int8 with its `scale`.

    Symmetric quantization: value = round(kernel / scale), scale = largest magnitude / 127.
    """
    if precision == "float16":
        with np.errstate(over="ignore"):
            half = kernel.astype("<f2")
        if not np.isfinite(half).all():
            raise ConversionError(f"'{layer}/kernel' exceeds the range of float16; use float32 or int8")
        return {"kernel": half}
    largest = np.abs(kernel).max(axis=(1, 2, 3)).astype(np.float64)
    # A channel of zeros has any scale; one too small for a float32 scale is as good as zeros.
    scale = np.where(largest > 127 * np.finfo(np.float32).tiny, largest / 127, 1.0).astype("<f4")
    values = np.rint(kernel / scale.reshape(-1, 1, 1, 1).astype(np.float64))
    return {"kernel": np.clip(values, -127, 127).astype("i1"), "scale": scale}
