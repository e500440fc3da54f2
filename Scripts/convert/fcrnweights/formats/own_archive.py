"""Our own HDF5 layout, to change its precision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from ..architecture import RESNET18, RESNET50, Architecture, fcrn18, fcrn50
from ..errors import ConversionError, decoding
from ..network import BN_EPSILON, BOTTOM_RIGHT, TOP_LEFT, Network, Tensors
from ..precision import restored
from ..reading import Options, Reading

FORM = "fcrn-hdf5"
LIMIT_ELEMENTS = 1 << 28  # of all tensors: a gigabyte as float32


def read(path: Path, options: Options) -> Reading:
    """Any precision in, float32 in memory."""
    name = f"'{path.name}'"
    with decoding(name), h5py.File(path, "r") as file:
        facts = {key: _plain(value) for key, value in file.attrs.items()}
        if facts.get("format_name") != FORM or facts.get("content") != "weights":
            raise ConversionError(f"{name} is an HDF5 file but holds no weights of ours")
        for key, expected in (("kernel_layout", "OIHW"), ("channel_order", "RGB")):
            if facts.get(key, expected) != expected:
                raise ConversionError(f"{name} has {key} '{facts[key]}', expected '{expected}'")
        if abs(float(facts.get("bn_epsilon", BN_EPSILON)) - BN_EPSILON) > 1e-12:
            raise ConversionError(f"{name} has bn_epsilon {facts['bn_epsilon']}, expected 0.0001")
        padding = facts.get("upproj_padding")
        if padding not in (TOP_LEFT, BOTTOM_RIGHT) or options.padding not in (None, padding):
            raise ConversionError(f"{name} says upproj_padding is '{padding}'")
        red, green, blue = (float(mean) for mean in facts.get("pixel_mean", (0, 0, 0)))
        network = Network(
            _architecture(facts, name), _tensors(file, name),
            folded=bool(facts.get("bn_folded", 0)), padding=padding,
            final_relu=bool(facts.get("final_relu", 1)),
            pixel_scale=float(facts.get("pixel_scale", 1.0)),
            pixel_mean=(red, green, blue),
            depth_scale=float(facts.get("depth_scale", 1.0)))
        network = restored(network)
    return Reading(network, FORM, (path,))


def _plain(value: Any) -> Any:
    return value.decode("ascii") if isinstance(value, bytes) else value


def _architecture(facts: dict[str, Any], name: str) -> Architecture:
    if facts.get("architecture") == RESNET50 and facts.get("width_divisor", 1) in (1, 2, 4, 8, 16):
        return fcrn50(int(facts.get("width_divisor", 1)))
    widths = np.asarray(facts.get("decoder_widths", ()))
    if facts.get("architecture") == RESNET18 and widths.shape == (5,) and widths.min() > 0:
        return fcrn18(tuple(widths.tolist()))
    raise ConversionError(f"{name} has an unknown architecture '{facts.get('architecture')}'")


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
