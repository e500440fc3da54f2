"""ONNX models.

Source: onnx.proto of the ONNX repository, IR version 3 and later.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, NodeProto, TensorProto, numpy_helper

from .. import structure
from ..errors import ConversionError, decoding
from ..graph import (SAME_LOWER, SAME_UPPER, Add, Concatenate, Convolve, DepthToSpace, Graph, Node,
                     Normalise, Pad, Padding, Pool, Rearrange, Rectify, Scale)
from ..protobuf import Message
from ..reading import Options, Reading

Attributes = dict[str, AttributeProto]

FORM = "onnx"
TYPES = {TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64, TensorProto.FLOAT16, TensorProto.DOUBLE}
#: Operations that move values and compute none; what matters of their inputs is the first.
MOVING = {"Reshape", "Transpose", "Unsqueeze", "Squeeze", "Identity", "Dropout", "Cast", "Slice",
          "ScatterND", "Expand"}


def is_model(path: Path) -> bool:
    """Whether the outermost message has a graph in the place ONNX gives it."""
    try:
        model = Message(np.memmap(path, np.uint8, "r").data)
        return 7 in model and 1 in model and 500 not in model and len(model.message(7).messages(1)) > 0
    except (ValueError, IndexError, OSError):
        return False


def read(path: Path, options: Options) -> Reading:
    """Reads a model whose tensors are inside or in one file beside it."""
    with decoding(f"'{path.name}'"):
        reader = _Reader(path)
        return structure.reading(reader.graph(), FORM, path, options)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.folder = str(path.parent)
        self.model = onnx.load(path, load_external_data=False).graph
        self.constants = {tensor.name: self.tensor(tensor) for tensor in self.model.initializer}
        self.shape_values: set[str] = set()

    def graph(self) -> Graph:
        inputs = [value for value in self.model.input if value.name not in self.constants]
        outputs = self.model.output
        if len(inputs) != 1 or not outputs:
            raise ConversionError(f"the model has {len(inputs)} inputs, expected one image")
        shape = [extent.dim_value for extent in inputs[0].type.tensor_type.shape.dim]
        height, width = shape[1:3] if shape[-1:] == [3] else (shape + [0] * 4)[2:4]
        nodes = [made for node in self.model.node for made in self.nodes(node)]
        return Graph(tuple(nodes), inputs[0].name, outputs[0].name, height or None, width or None)

    def tensor(self, tensor: TensorProto) -> np.ndarray:
        """The values, from inside the model or from the file beside it that the tensor names."""
        if tensor.data_type in TYPES:
            return numpy_helper.to_array(tensor, self.folder)
        if tensor.raw_data or tensor.int32_data:  # quantised codes, booleans: never a kernel here
            raise ConversionError(f"tensor '{tensor.name}' has element type {tensor.data_type}; "
                                  "only models with floating-point weights can be read")
        return np.zeros(0)

    def nodes(self, node: NodeProto) -> list[Node]:
        kind, inputs, outputs = node.op_type, list(node.input), tuple(node.output)
        attributes = {attribute.name: attribute for attribute in node.attribute}
        name = node.name or (outputs[0] if outputs else kind)
        if kind == "Constant":
            value = attributes.get("value")
            self.constants[outputs[0]] = self.tensor(value.t) if value else np.zeros(0)
            return []
        if kind == "Identity" and inputs[0] in self.constants:
            self.constants[outputs[0]] = self.constants[inputs[0]]
            return []
        used = [i for i in inputs if i]
        if kind == "Shape" or all(i in self.shape_values or i in self.constants for i in used):
            self.shape_values.update(outputs)
            return []
        activations = tuple(i for i in used if i not in self.constants and i not in self.shape_values)
        translate: dict[str, Callable[[], Node]] = {
            "Conv": lambda: self.convolution(name, inputs, outputs, attributes),
            "BatchNormalization": lambda: Normalise(
                name, (inputs[0],), outputs[:1], *self.statistics(inputs),
                attributes["epsilon"].f if "epsilon" in attributes else 1e-5),
            "Relu": lambda: Rectify(name, activations, outputs),
            "MaxPool": lambda: self.pooling(name, activations, outputs, attributes),
            "Pad": lambda: self.pad(name, inputs, outputs, attributes),
            "Concat": lambda: Concatenate(name, activations, outputs),
            "DepthToSpace": lambda: self.depth_to_space(name, activations, outputs, attributes),
        }
        if kind in ("Add", "Sub", "Mul", "Div"):
            return [self.arithmetic(kind, name, inputs, activations, outputs)]
        if kind in MOVING:
            return [Rearrange(name, activations, outputs)]
        if kind not in translate:
            raise ConversionError(f"operation '{kind}' is no part of FCRN")
        return [translate[kind]()]

    def convolution(self, name: str, inputs: list[str], outputs: tuple[str, ...],
                    attributes: Attributes) -> Node:
        if inputs[1] not in self.constants:
            raise ConversionError(f"the kernel of '{name}' is computed, not stored")
        kernel = self.constants[inputs[1]]
        if kernel.ndim != 4 or _integers(attributes, "group", [1]) != [1] or \
                any(d != 1 for d in _integers(attributes, "dilations", [1, 1])):
            raise ConversionError(f"'{name}' is not a plain two-dimensional convolution")
        bias = self.constants[inputs[2]] if len(inputs) > 2 and inputs[2] else None
        return Convolve(name, (inputs[0],), outputs, kernel, bias,
                        _pair(attributes, "strides", [1, 1]), _padding(attributes))

    def pooling(self, name: str, inputs: tuple[str, ...], outputs: tuple[str, ...],
                attributes: Attributes) -> Node:
        return Pool(name, inputs, outputs[:1], _pair(attributes, "kernel_shape", [0, 0]),
                    _pair(attributes, "strides", [1, 1]), _padding(attributes),
                    _integers(attributes, "ceil_mode", [0]) == [1])

    def statistics(self, inputs: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Scale, bias, mean and variance of a batch norm, in the order of its inputs."""
        gamma, beta, mean, variance = (self.constants[i] for i in inputs[1:5])
        return gamma, beta, mean, variance

    def pad(self, name: str, inputs: list[str], outputs: tuple[str, ...],
            attributes: Attributes) -> Node:
        amounts = (list(attributes["pads"].ints) if "pads" in attributes
                   else self.constants[inputs[1]].astype(int).tolist())
        before, after = amounts[:4], amounts[4:]
        rows = 2 if before[1] == after[1] == 0 else 1  # rows and columns last, or channels last
        if len(amounts) != 8 or sum(before) + sum(after) != sum(
                side[axis] for side in (before, after) for axis in (rows, rows + 1)):
            raise ConversionError(f"'{name}' pads something other than rows and columns")
        return Pad(name, (inputs[0],), outputs,
                   (before[rows], after[rows], before[rows + 1], after[rows + 1]))

    def depth_to_space(self, name: str, inputs: tuple[str, ...], outputs: tuple[str, ...],
                       attributes: Attributes) -> Node:
        mode = attributes["mode"].s if "mode" in attributes else b"DCR"
        return DepthToSpace(name, inputs, outputs, mode == b"CRD")

    def arithmetic(self, kind: str, name: str, inputs: list[str], activations: tuple[str, ...],
                   outputs: tuple[str, ...]) -> Node:
        if len(activations) == 2 and kind == "Add":
            return Add(name, activations, outputs)
        constant = [self.constants[i] for i in inputs if i in self.constants]
        if len(activations) != 1 or len(constant) != 1 or (
                kind in ("Sub", "Div") and inputs[0] not in activations):
            raise ConversionError(f"'{name}' computes what FCRN does not")
        value = _per_channel(constant[0], name)
        one, zero = np.ones(()), np.zeros(())
        factor, offset = {"Add": (one, value), "Sub": (one, -value), "Mul": (value, zero),
                          "Div": (1 / value if value.all() else one * np.nan, zero)}[kind]
        return Scale(name, activations, outputs, factor, offset)


def _per_channel(values: np.ndarray, name: str) -> np.ndarray:
    """One number, or one per channel in one dimension."""
    values = np.asarray(values, np.float64)
    if values.size == 1:
        return values.reshape(())
    if values.ndim >= 3 and values.shape[-3] == values.size:
        return values.reshape(-1)
    raise ConversionError(f"the constant of operation '{name}' is not one number per channel")


def _integers(attributes: Attributes, name: str, default: list[int]) -> list[int]:
    if name not in attributes:
        return default
    return list(attributes[name].ints) or [attributes[name].i]


def _pair(attributes: Attributes, name: str, default: list[int]) -> tuple[int, int]:
    first, second = _integers(attributes, name, default)
    return first, second


def _padding(attributes: Attributes) -> Padding:
    mode = attributes["auto_pad"].s if "auto_pad" in attributes else b"NOTSET"
    if mode in (b"SAME_UPPER", b"SAME_LOWER"):
        return SAME_UPPER if mode == b"SAME_UPPER" else SAME_LOWER
    top, left, bottom, right = _integers(attributes, "pads", [0, 0, 0, 0])
    return top, bottom, left, right
