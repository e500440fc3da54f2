"""Our own HDF5 layout, to change its precision."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .. import block
from ..architecture import EFFICIENTNET_LITE2, RESNET18, RESNET50, Architecture, fcrn18, fcrn50, fcrn_lite2
from ..errors import ConversionError, decoding
from ..network import BN_EPSILON, BOTTOM_RIGHT, TOP_LEFT, Network, Tensors
from ..precision import restored
from ..reading import Options, Reading, Source

FORM = "fcrn-hdf5"
KERNELS = {"float32": np.dtype("<f4"), "float16": np.dtype("<f2"), "int8": np.dtype("i1")}
LARGEST_SIDE = 2048
LIMIT_ELEMENTS = 1 << 28  # of all tensors: a gigabyte as float32


def read(path: Path, options: Options) -> Reading:
    """Any precision in, float32 in memory; what has the wanted precision already also as it is."""
    name = f"'{path.name}'"
    block.check(path)
    with decoding(name), h5py.File(path, "r") as file:
        facts = {key: _plain(value) for key, value in file.attrs.items()}
        if facts.get("format_name") != FORM or facts.get("content") != "weights":
            raise ConversionError(f"{name} is an HDF5 file but holds no weights of ours")
        for key, expected in (("kernel_layout", "OIHW"), ("channel_order", "RGB"), ("bn_epsilon", BN_EPSILON)):
            if facts.get(key, expected) != expected:
                raise ConversionError(f"{name} has {key} '{facts[key]}', expected '{expected}'")
        padding = facts.get("upproj_padding")
        if padding not in (TOP_LEFT, BOTTOM_RIGHT) or options.padding not in (None, padding):
            raise ConversionError(f"{name} says upproj_padding is '{padding}'")
        red, green, blue = (float(mean) for mean in facts.get("pixel_mean", (0, 0, 0)))
        scales = {key: float(facts.get(key, 1)) for key in ("pixel_scale", "depth_scale", "focal_exponent")}
        network = Network(_sized(_architecture(facts, name), facts, name), _tensors(file, name), bool(facts.get("bn_folded", 0)), padding,
                          bool(facts.get("final_relu", 1)), pixel_mean=(red, green, blue), **scales)
    kernels = {tensors["kernel"].dtype for tensors in network.tensors.values() if "kernel" in tensors}
    if kernels != {KERNELS.get(options.precision)}:
        return Reading(restored(network), FORM, (path,))
    return Reading(restored(network), FORM, (path,), unchanged=_in_order(network), origin=_origin(facts))


def _in_order(network: Network) -> Network:
    """Layers and parameters in the order of execution, in which they are first written."""
    layers = [*(layer.name for layer in network.architecture.convolutions), *network.architecture.norms]
    parameters = ("kernel", "bias", "scale", "activation_scale", "residual_scale", "gamma", "beta", "mean", "variance")
    return replace(network, tensors={
        layer: {name: network.tensors[layer][name] for name in parameters if name in network.tensors[layer]}
        for layer in layers if layer in network.tensors})


def _origin(facts: dict[str, Any]) -> Source | None:
    """Where the weights came from before they were in this file."""
    parts = [facts.get(f"source_{part}") for part in ("name", "format", "sha256")]
    return Source(*parts) if all(isinstance(part, str) for part in parts) else None


def _plain(value: Any) -> Any:
    return value.decode("ascii") if isinstance(value, bytes) else value


def _architecture(facts: dict[str, Any], name: str) -> Architecture:
    known = facts.get("architecture")
    divisor = int(facts.get("width_divisor", 1))
    flags = {"outputs": int(facts.get("outputs", 1)), "output_activation": facts.get("output_activation"),
             "global_context": bool(facts.get("global_context", 0))}
    has_skips = bool(facts.get("skip_connections", 0))
    if flags["output_activation"] not in (None, "relu", "none", "exp"):
        raise ConversionError(f"{name} has output_activation '{facts['output_activation']}', expected relu, none or exp")
    if flags["outputs"] not in ((1, 2) if flags["output_activation"] == "exp" else (1,)):
        raise ConversionError(f"{name} has {facts['outputs']} outputs, expected 1, or 2 with output_activation exp")
    if known == RESNET50 and divisor in (1, 2, 4, 8, 16):
        return fcrn50(divisor)
    widths = np.asarray(facts.get("decoder_widths", ()))
    if widths.shape == (5,) and widths.min() > 0:
        if known == RESNET18 and not has_skips:
            return fcrn18(tuple(widths.tolist()), **flags)
        if known == EFFICIENTNET_LITE2 and divisor in (1, 2, 4, 8, 16):
            return fcrn_lite2(tuple(widths.tolist()), width_divisor=divisor, skip_connections=has_skips, **flags)
    raise ConversionError(f"{name} has an unknown architecture '{known}'")


def _sized(architecture: Architecture, facts: dict[str, Any], name: str) -> Architecture:
    """The architecture with the file's input size."""
    size = tuple(int(facts.get(f"input_{side}", default)) for side, default in zip(("height", "width"), architecture.input_size))
    if min(size) < 1 or max(size) > LARGEST_SIDE:
        raise ConversionError(f"{name} has an input of {size[1]} × {size[0]} pixels, expected at most {LARGEST_SIDE} a side")
    return replace(architecture, input_size=size)


def _tensors(file: h5py.File, name: str) -> Tensors:
    tensors: Tensors = {}
    elements = 0
    for layer, group in file.items():
        if not isinstance(group, h5py.Group):
            raise ConversionError(f"'{layer}' of {name} is no layer")
        tensors[layer] = {}
        for parameter, data in group.items():
            elements += data.size if isinstance(data, h5py.Dataset) else LIMIT_ELEMENTS + 1
            if elements > LIMIT_ELEMENTS:
                raise ConversionError(f"'{layer}/{parameter}' of {name} is no tensor of a network")
            tensors[layer][parameter] = data[()]
    return tensors
