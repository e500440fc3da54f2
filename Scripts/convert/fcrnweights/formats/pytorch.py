"""State dicts of PyTorch ports of FCRN.

A state dict is names and tensors, no computation: strides, padding and epsilon are those of the
program that made it. So only names are accepted that say which layer a tensor is, and a port that
is known to compute something else is refused with the reason.
"""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ConversionError, decoding
from ..network import BN_EPSILON, TOP_LEFT, Network, Tensors
from ..official import published_width
from ..reading import Options, Reading
from . import torch_ports
from .torch_file import load

FORM = "pytorch state dict"
#: How the form before 1.6 begins: this number, pickled by protocol 2.
MAGIC = pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2)
#: Where training scripts keep the state dict in a larger checkpoint.
WRAPPERS = ("state_dict", "model_state_dict", "model_state", "model", "net", "network")
CONVOLUTION = {"weight": "kernel", "bias": "bias"}
NORM = {"weight": "gamma", "bias": "beta", "running_mean": "mean", "running_var": "variance"}


def read(path: Path, options: Options) -> Reading:
    with decoding(f"'{path.name}'"):
        state = state_dict(load(path), path.name)
        names, about_port = torch_ports.layer_names(state)
        tensors = _tensors(state, names)
        _check_statistics(tensors)
        folded = not any("gamma" in parameters for parameters in tensors.values())
        epsilon = BN_EPSILON if options.bn_epsilon is None else options.bn_epsilon
        if not 0 <= epsilon < 1:
            raise ConversionError(f"an epsilon of {epsilon} is not between 0 and 1")
        for parameters in tensors.values():
            if "variance" in parameters and epsilon != BN_EPSILON:
                parameters["variance"] = parameters["variance"].astype(float) + (epsilon - BN_EPSILON)
    network = Network(published_width(tensors), tensors, folded, options.padding or TOP_LEFT)
    taken = f"a state dict says nothing of padding and epsilon: taken as {network.padding} and {epsilon:g}"
    return Reading(network, FORM, (path,), tuple((ours, theirs) for theirs, ours in names.items()), (taken, *about_port))


def state_dict(value: Any, name: str) -> dict[str, np.ndarray]:
    """Name → tensor, unwrapped from a training checkpoint and from `DataParallel`."""
    for key in WRAPPERS:
        if isinstance(value, Mapping) and isinstance(value.get(key), Mapping):
            value = value[key]
    if not isinstance(value, Mapping):
        raise ConversionError(f"'{name}' holds no state dict")
    state = {str(k).removeprefix("module."): v for k, v in value.items() if isinstance(v, np.ndarray)}
    if not state:
        raise ConversionError(f"'{name}' holds a dictionary without tensors, no state dict")
    return state


def _tensors(state: dict[str, np.ndarray], names: dict[str, str]) -> Tensors:
    """Our layers; whether a tensor is a convolution's or a norm's is told by our layer's name."""
    tensors: Tensors = {}
    for full, values in state.items():
        module, _, parameter = full.rpartition(".")
        if parameter == "num_batches_tracked":
            continue
        layer = names[module]
        kinds = NORM if layer.startswith("bn") or layer.endswith("_BN") else CONVOLUTION
        if parameter not in kinds:
            raise ConversionError(f"'{full}' is no parameter of a convolution or batch norm")
        tensors.setdefault(layer, {})[kinds[parameter]] = values
    return tensors


def _check_statistics(tensors: Tensors) -> None:
    """Refuses batch norms that were never trained nor loaded: mean 0, variance 1 everywhere."""
    norms = [p for p in tensors.values() if "mean" in p and "variance" in p]
    if norms and all((p["mean"] == 0).all() and (p["variance"] == 1).all() for p in norms):
        raise ConversionError(
            "every running mean is 0 and every running variance 1: the port copied scale and offset "
            "of the published batch norms but not their statistics, and its weights compute nonsense")
