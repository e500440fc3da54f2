"""MatConvNet's DagNN, `NYU_ResNet-UpProj.mat` and the Make3D model, versions 5 and 7.3 of MAT.

Filters are rows × columns × input × output. A batch norm keeps `moments`, mean and sigma per
channel, where sigma already contains the epsilon of training: none is added at inference.

Source: `dagnn.DagNN.saveobj` of MatConvNet 1.0-beta20.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .. import structure
from ..errors import ConversionError, decoding
from ..graph import (NO_PADDING, Add, Convolve, Graph, Node, Normalise, Pool, Rearrange, Rectify)
from ..reading import Options, Reading
from . import mat5, mat73
from .mat5 import Struct

MAGIC_5, MAGIC_73 = b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file"
FORM = "matconvnet"
#: Layers without arithmetic: the interleaving of an up-projection, and dropout.
MOVING = ("dagnn.Combine", "dagnn.DropOut")


def read_version_5(path: Path, options: Options) -> Reading:
    with decoding(f"'{path.name}'"):
        return structure.reading(_graph(mat5.read(path), path.name), FORM, path, options)


def read_version_73(path: Path, options: Options) -> Reading:
    with decoding(f"'{path.name}'"):
        return structure.reading(_graph(mat73.read(path), path.name), FORM, path, options)


def _graph(file: Struct, name: str) -> Graph:
    net = file["net"][0] if file.get("net") and isinstance(file["net"][0], dict) else file
    if not net.get("layers") or not net.get("params"):
        raise ConversionError(f"'{name}' holds no DagNN: it has no layers and params")
    values = {_text(p["name"]): p["value"] for p in net["params"]}
    nodes = [_node(layer, values) for layer in net["layers"]]
    made = {output for node in nodes for output in node.outputs}
    used = {i for node in nodes for i in node.inputs}
    images, results = sorted(used - made), sorted(made - used)
    if len(images) != 1 or len(results) != 1:
        raise ConversionError(f"'{name}' has inputs {images} and outputs {results}, expected one each")
    # The size stays open: MatConvNet pools an odd number of rows in another way, the weights are the same.
    return Graph(tuple(_sorted(nodes, images[0])), images[0], results[0])


def _sorted(nodes: list[Node], image: str) -> list[Node]:
    """Execution order; DagNN computes it when it loads a file."""
    known, waiting, order = {image}, list(nodes), []
    while waiting:
        ready = [node for node in waiting if known.issuperset(node.inputs)]
        if not ready:
            raise ConversionError(f"layer '{waiting[0].name}' is part of a cycle")
        order += ready
        known.update(output for node in ready for output in node.outputs)
        waiting = [node for node in waiting if not known.issuperset(node.outputs)]
    return order


def _node(layer: Struct, values: dict[str, np.ndarray]) -> Node:
    name, kind = _text(layer["name"]), _text(layer["type"])
    inputs, outputs = _texts(layer["inputs"]), _texts(layer["outputs"])
    block: Struct = layer["block"][0] if layer.get("block") else {}
    try:
        parameters = [np.asarray(values[p], np.float32) for p in _texts(layer.get("params", ""))]
    except KeyError as missing:
        raise ConversionError(f"layer '{name}' needs parameter {missing}, which is not there") from None
    if kind == "dagnn.Conv":
        kernel = parameters[0].reshape(parameters[0].shape + (1,) * (4 - parameters[0].ndim))
        bias = parameters[1].reshape(-1) if len(parameters) > 1 else None
        return Convolve(name, inputs, outputs, kernel.transpose(3, 2, 0, 1), bias,
                        _pair(block.get("stride", 1)), _padding(block))
    if kind == "dagnn.BatchNorm":
        gamma, beta, moments = parameters
        if moments.ndim != 2 or moments.shape[1] != 2:
            raise ConversionError(f"'{name}' has moments of shape {moments.shape}, expected channels × 2")
        return Normalise(name, inputs, outputs, gamma.reshape(-1), beta.reshape(-1), moments[:, 0],
                         np.square(moments[:, 1], dtype=np.float64), 0.0)
    if kind == "dagnn.ReLU":
        if np.any(np.asarray(block.get("leak", 0))):
            raise ConversionError(f"'{name}' is a leaky ReLU")
        return Rectify(name, inputs, outputs)
    if kind == "dagnn.Pooling":
        if _text(block.get("method", "max")) != "max":
            raise ConversionError(f"pooling '{name}' takes no maximum")
        return Pool(name, inputs, outputs, _pair(block["poolSize"]), _pair(block.get("stride", 1)),
                    _padding(block))
    if kind == "dagnn.Sum":
        return Add(name, inputs, outputs)
    if kind in MOVING:
        return Rearrange(name, inputs, outputs)
    raise ConversionError(f"layer '{name}' of type '{kind}' is no part of FCRN")


def _padding(block: Struct) -> tuple[int, int, int, int]:
    """Top, bottom, left, right; or one number for all."""
    amounts = np.asarray(block.get("pad", 0)).reshape(-1).astype(int).tolist()
    if len(amounts) == 1:
        amounts *= 4
    top, bottom, left, right = amounts or NO_PADDING
    return top, bottom, left, right


def _pair(value: Any) -> tuple[int, int]:
    numbers = np.asarray(value).reshape(-1).astype(int).tolist()
    first, second = numbers * 2 if len(numbers) == 1 else numbers
    return first, second


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ConversionError("a name in the file is no text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    """A cell array of names, or a single name."""
    return (value,) if isinstance(value, str) and value else tuple(_text(v) for v in value)
