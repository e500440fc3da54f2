"""The published names and layouts of the TensorFlow release."""

from collections.abc import Mapping

import numpy as np

from .architecture import Architecture, fcrn50
from .errors import ConversionError
from .network import TOP_LEFT, Network, Tensors
from .reading import Options

PARAMETERS = {"weights": "kernel", "biases": "bias", "scale": "gamma", "offset": "beta",
              "mean": "mean", "variance": "variance"}


def network(layers: Mapping[str, Mapping[str, np.ndarray]], options: Options) -> Network:
    """From layer → parameter → values, kernels height × width × input × output."""
    tensors: Tensors = {}
    for layer, parameters in layers.items():
        tensors[layer] = {}
        for parameter, values in parameters.items():
            if parameter not in PARAMETERS:
                raise ConversionError(f"'{layer}' has an unknown parameter '{parameter}'")
            values = np.asarray(values)
            if parameter == "weights" and values.ndim == 4:
                values = values.transpose(3, 2, 0, 1)
            tensors[layer][PARAMETERS[parameter]] = values
    return Network(published_width(tensors), tensors, padding=options.padding or TOP_LEFT)


def published_width(tensors: Tensors) -> Architecture:
    """The network whose first convolution is as wide as the one in `tensors`."""
    kernel = tensors.get("conv1", {}).get("kernel")
    if kernel is None or kernel.ndim != 4:
        raise ConversionError("it holds no FCRN: there is no 'conv1' with a kernel")
    return architecture_of_width(kernel.shape[0])


def architecture_of_width(channels: int) -> Architecture:
    """FCRN-50 with `channels` outputs of `conv1`: 64 as published, fewer in tests."""
    if channels not in (64, 32, 16, 8, 4):
        raise ConversionError(f"it holds no FCRN: 'conv1' has {channels} outputs, expected 64")
    return fcrn50(64 // channels)
