"""MatConvNet's DagNN, `NYU_ResNet-UpProj.mat` and the Make3D model, versions 5 and 7.3 of MAT.

Filters are rows × columns × input × output. A batch norm keeps `moments`, mean and sigma per
channel, where sigma already contains the epsilon of training: none is added at inference.

Source: `dagnn.DagNN.saveobj` of MatConvNet 1.0-beta20.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pymatreader import read_mat

from .. import structure
from ..errors import ConversionError, decoding
from ..graph import ADD, CONVOLVE, NORMALIZE, POOL, REARRANGE, RELU, Graph, Node
from ..reading import Options, Reading

MAGIC = b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file"
FORM = "matconvnet"
#: Layers without arithmetic: the interleaving of an up-projection, and dropout.
MOVING = ("dagnn.Combine", "dagnn.DropOut")

Struct = Mapping[str, Any]


def read(path: Path, options: Options) -> Reading:
    with decoding(f"'{path.name}'"):
        return structure.reading(_graph(read_mat(path), path.name), FORM, path, options)


def _graph(file: Struct, name: str) -> Graph:
    net = file["net"] if isinstance(file.get("net"), Mapping) else file
    if not net.get("layers") or not net.get("params"):
        raise ConversionError(f"'{name}' holds no DagNN: it has no layers and params")
    values = {_text(p["name"]): p["value"] for p in _rows(net["params"])}
    nodes = [_node(layer, values) for layer in _rows(net["layers"])]
    made = {output for node in nodes for output in node.outputs}
    used = {i for node in nodes for i in node.inputs}
    images, results = sorted(used - made), sorted(made - used)
    if len(images) != 1 or len(results) != 1:
        raise ConversionError(f"'{name}' has inputs {images} and outputs {results}, expected one each")
    # The size stays open: MatConvNet pools an odd number of rows in another way, the weights are the same.
    return Graph(nodes, images[0], results[0])


def _rows(columns: Struct) -> list[Struct]:
    """The elements of a struct array, which is read as a list per field."""
    return [dict(zip(columns, row)) for row in zip(*columns.values(), strict=True)]


def _node(layer: Struct, values: Struct) -> Node:
    name, kind = _text(layer["name"]), _text(layer["type"])
    block: Struct = layer["block"] if isinstance(layer["block"], Mapping) else {}
    try:
        parameters = [np.asarray(values[p], np.float32) for p in _texts(layer.get("params", ()))]
    except KeyError as missing:
        raise ConversionError(f"layer '{name}' needs parameter {missing}, which is not there") from None

    def node(kind: str, **facts: Any) -> Node:
        return Node(kind, name, _texts(layer["inputs"]), _texts(layer["outputs"]), **facts)

    if kind == "dagnn.Conv":
        bias = parameters[1].reshape(-1) if len(parameters) > 1 else None
        return node(CONVOLVE, kernel=_kernel(parameters[0]), bias=bias, stride=_pair(block.get("stride", 1)),
                    padding=_padding(block))
    if kind == "dagnn.BatchNorm":
        gamma, beta, moments = parameters
        if moments.ndim != 2 or moments.shape[1] != 2:
            raise ConversionError(f"'{name}' has moments of shape {moments.shape}, expected channels × 2")
        return node(NORMALIZE, statistics=(gamma.reshape(-1), beta.reshape(-1), moments[:, 0],
                                           np.square(moments[:, 1], dtype=np.float64)))
    if kind == "dagnn.ReLU":
        if np.any(np.asarray(block.get("leak", 0))):
            raise ConversionError(f"'{name}' is a leaky ReLU")
        return node(RELU)
    if kind == "dagnn.Pooling":
        if block.get("method", "max") != "max":
            raise ConversionError(f"pooling '{name}' takes no maximum")
        return node(POOL, size=_pair(block["poolSize"]), stride=_pair(block.get("stride", 1)), padding=_padding(block))
    if kind == "dagnn.Sum":
        return node(ADD)
    if kind in MOVING:
        return node(REARRANGE)
    raise ConversionError(f"layer '{name}' of type '{kind}' is no part of FCRN")


def _kernel(values: np.ndarray) -> np.ndarray:
    """Output × input × rows × columns. Reading drops extents of one: a matrix is a 1×1 kernel."""
    if values.ndim == 2:
        values = values[None, None]
    return values.reshape(values.shape + (1,) * (4 - values.ndim)).transpose(3, 2, 0, 1)


def _padding(block: Struct) -> tuple[int, ...]:
    """Top, bottom, left, right; or one number for all."""
    return tuple(np.broadcast_to(np.ravel(block.get("pad", 0)), 4).astype(int).tolist())


def _pair(value: Any) -> tuple[int, int]:
    first, second = np.broadcast_to(np.ravel(value), 2).astype(int).tolist()
    return first, second


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ConversionError("a name in the file is no text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    """A cell array of names, or a single name."""
    return (value,) if isinstance(value, str) and value else tuple(_text(v) for v in value)
