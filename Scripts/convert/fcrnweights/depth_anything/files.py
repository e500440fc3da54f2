"""The HDF5 file of a Depth Anything V2, written and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .. import block
from ..archive import FORMAT_NAME, FORMAT_VERSION, set_text, store
from ..errors import ConversionError, decoding
from ..source import Source
from .architecture import ARCHITECTURE, DEVIATION, INPUT_SIDE, MEAN, Architecture
from .kinds import DISPARITY, METRE, Meaning
from .network import DepthAnything, Tensors

KERNELS = {"float32": "<f4", "float16": "<f2", "int8": "|i1"}
LIMIT_BYTES = 1 << 31  # of one tensor set; Large has 1.3 GB in float32


def write(path: Path, network: DepthAnything, precision: str, source: Source) -> None:
    """Writes all of it or nothing."""
    layers = network.architecture.layers
    ordered = {name: {parameter: network.tensors[name][parameter] for parameter in (*layer.shapes, "scale")
                      if parameter in network.tensors[name]} for name, layer in layers.items()}
    store(path, lambda attributes: _describe(attributes, network, precision, source),
          {name: layer.kind for name, layer in layers.items()}, ordered)


def _describe(attributes: h5py.AttributeManager, network: DepthAnything, precision: str, source: Source) -> None:
    architecture, meaning = network.architecture, network.meaning
    set_text(attributes, {
        "format_name": FORMAT_NAME, "content": "weights", "architecture": ARCHITECTURE, "channel_order": "RGB",
        "kernel_layout": "OIHW", "kernel_type": precision, "output_unit": meaning.unit,
        "license": architecture.licence, "source_name": source.name, "source_format": source.form,
        "source_sha256": source.sha256})
    for name, number in (("format_version", FORMAT_VERSION), ("heads", architecture.heads), ("input_side", INPUT_SIDE)):
        attributes[name] = np.int32(number)
    attributes["taken_blocks"] = np.asarray(architecture.taken_blocks, np.int32)
    if meaning.unit == METRE:
        attributes["largest_depth"] = np.float32(meaning.largest_depth)
        attributes["training_focal_length"] = np.float32(meaning.focal_length)
    # Network input = (pixel / 255 − mean) / deviation = pixel · scale − mean'.
    attributes["pixel_scale"] = (1 / (255 * np.asarray(DEVIATION))).astype("<f4")
    attributes["pixel_mean"] = (np.asarray(MEAN) / DEVIATION).astype("<f4")


def read(path: Path) -> tuple[DepthAnything, str, Source | None]:
    """The network as it is stored, its precision, and where it came from before it was in this file."""
    name = f"'{path.name}'"
    block.check(path)
    with decoding(name), h5py.File(path, "r") as file:
        facts = {key: value.decode("ascii") if isinstance(value, bytes) else value
                 for key, value in file.attrs.items()}
        for key, expected in (("format_name", FORMAT_NAME), ("content", "weights"), ("architecture", ARCHITECTURE),
                              ("kernel_layout", "OIHW"), ("channel_order", "RGB"), ("input_side", INPUT_SIDE)):
            if facts.get(key) != expected:
                raise ConversionError(f"{name} has {key} {facts.get(key)!r}, expected {expected!r}")
        precision = facts.get("kernel_type")
        if precision not in KERNELS:
            raise ConversionError(f"{name} has kernel_type {precision!r}, expected {', '.join(KERNELS)}")
        tensors = _tensors(file, name)
        architecture = _architecture(tensors, facts, name)
        network = DepthAnything(architecture, _meaning(facts, name), tensors)
        _check(network, precision, name)
    origin = [part for part in map(facts.get, ("source_name", "source_format", "source_sha256")) if isinstance(part, str)]
    return network, precision, Source(*origin) if len(origin) == 3 else None


def _tensors(file: h5py.File, name: str) -> Tensors:
    tensors: Tensors = {}
    left = LIMIT_BYTES
    for layer in file:
        group = file[layer] if isinstance(file.get(layer, getlink=True), h5py.HardLink) else None
        if not isinstance(group, h5py.Group):
            raise ConversionError(f"'{layer}' of {name} is no layer")
        tensors[layer] = {}
        for parameter in group:
            data = group[parameter] if isinstance(group.get(parameter, getlink=True), h5py.HardLink) else None
            if not isinstance(data, h5py.Dataset) or data.external or data.is_virtual or data.nbytes > left:
                raise ConversionError(f"'{layer}/{parameter}' of {name} is no tensor of a network")
            left -= data.nbytes
            tensors[layer][parameter] = data[()]
    return tensors


def _architecture(tensors: Tensors, facts: dict[str, Any], name: str) -> Architecture:
    def outputs(layer: str) -> int:
        if "kernel" not in tensors.get(layer, {}):
            raise ConversionError(f"'{layer}/kernel' of {name} is missing")
        return tensors[layer]["kernel"].shape[0]
    a, b, c, d = (outputs(f"projects.{i}") for i in range(4))
    blocks = sum(layer.startswith("blocks.") and layer.endswith(".norm1") for layer in tensors)
    return Architecture(outputs("patch_embed"), blocks, outputs("layer1_rn"), (a, b, c, d), outputs("output_conv2.0"),
                        tuple(int(block) for block in facts.get("taken_blocks", ())))


def _meaning(facts: dict[str, Any], name: str) -> Meaning:
    if facts.get("output_unit") == DISPARITY:
        return Meaning(DISPARITY)
    if facts.get("output_unit") != METRE:
        raise ConversionError(f"{name} has output_unit {facts.get('output_unit')!r}, expected '{METRE}' or '{DISPARITY}'")
    numbers = [float(facts.get(key, 0)) for key in ("largest_depth", "training_focal_length")]
    if not all(0 < number < float("inf") for number in numbers):
        raise ConversionError(f"{name} lacks its largest_depth or its training_focal_length")
    return Meaning(METRE, *numbers)


def _check(network: DepthAnything, precision: str, name: str) -> None:
    """Raises ConversionError naming the first tensor that is missing, extra, of another shape or type, or not finite."""
    layers = network.architecture.layers
    for extra in network.tensors.keys() - layers.keys():
        raise ConversionError(f"layer '{extra}' of {name} is no part of {ARCHITECTURE}")
    for layer, described in layers.items():
        expected = {parameter: (shape, "<f4") for parameter, shape in described.shapes.items()}
        if "kernel" in expected:
            shape = described.shapes["kernel"]
            expected["kernel"] = shape, KERNELS[precision]
            if precision == "int8":
                expected["scale"] = shape[:1], "<f4"
        elif described.kind == "embedding" and precision == "float16":
            expected = {parameter: (shape, "<f2") for parameter, (shape, _) in expected.items()}
        found = {parameter: (values.shape, values.dtype.str)
                 for parameter, values in network.tensors.get(layer, {}).items()}
        for parameter in sorted(expected.keys() | found.keys()):
            if found.get(parameter) != expected.get(parameter):
                raise ConversionError(f"'{layer}/{parameter}' of {name} is missing, extra, or of another shape or type")
            values = network.tensors[layer][parameter]
            if not np.isfinite(values).all():
                raise ConversionError(f"'{layer}/{parameter}' of {name} holds values that are not finite")
