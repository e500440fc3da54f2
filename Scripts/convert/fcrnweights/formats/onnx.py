"""ONNX models.

Source: onnx.proto of the ONNX repository, IR version 3 and later.
"""

from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from .. import structure
from ..errors import ConversionError, decoding
from ..graph import (ADD, CONCATENATE, CONVOLVE, DEPTH_TO_SPACE, NORMALIZE, PAD, POOL, REARRANGE, RELU, SAME_LOWER,
                     SAME_UPPER, SCALE, Graph, Node, Padding)
from ..reading import Options, Reading

#: By name, as numbers, texts and lists.
Attributes = dict[str, Any]

FORM = "onnx"
TYPES = {TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64, TensorProto.FLOAT16, TensorProto.DOUBLE}
#: Operations that move values and compute none; what matters of their inputs is the first.
MOVING = {"Reshape", "Transpose", "Unsqueeze", "Squeeze", "Identity", "Dropout", "Cast", "Slice",
          "ScatterND", "Expand"}


def model(path: Path) -> ModelProto | None:
    """The message in `path`, or nothing where the file is no ONNX model."""
    try:
        message = ModelProto.FromString(path.read_bytes())
    except DecodeError:
        return None
    return message if message.ir_version and message.graph.node else None


def read(path: Path, options: Options) -> Reading:
    """Reads a model whose tensors are inside or in one file beside it."""
    with decoding(f"'{path.name}'"):
        return structure.reading(_Reader(path).graph(), FORM, path, options)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.folder = str(path.parent)
        self.model = model(path).graph
        self.constants = {tensor.name: self.tensor(tensor) for tensor in self.model.initializer}
        self.shape_values: set[str] = set()

    def graph(self) -> Graph:
        inputs = [value for value in self.model.input if value.name not in self.constants]
        outputs = self.model.output
        if len(inputs) != 1 or not outputs:
            raise ConversionError(f"the model has {len(inputs)} inputs, expected one image")
        shape = [extent.dim_value for extent in inputs[0].type.tensor_type.shape.dim]
        height, width = shape[1:3] if shape[-1:] == [3] else (shape + [0] * 4)[2:4]
        nodes = [made for node in self.model.node if (made := self.node(node))]
        return Graph(nodes, inputs[0].name, outputs[0].name, height or None, width or None)

    def tensor(self, tensor: TensorProto) -> np.ndarray:
        """The values, from inside the model or from the file beside it that the tensor names."""
        if tensor.data_type in TYPES:
            return numpy_helper.to_array(tensor, self.folder)
        if tensor.raw_data or tensor.int32_data:  # quantized values, booleans: never a kernel here
            raise ConversionError(f"tensor '{tensor.name}' has element type {tensor.data_type}; "
                                  "only models with floating-point weights can be read")
        return np.zeros(0)

    def node(self, node: NodeProto) -> Node | None:
        """The operation, or nothing where it computes a constant or a shape."""
        kind, inputs, outputs = node.op_type, list(node.input), tuple(node.output)
        attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
        name = node.name or (outputs[0] if outputs else kind)
        used = [i for i in inputs if i]
        if kind == "Constant":
            self.constants[outputs[0]] = self.tensor(attributes["value"]) if "value" in attributes else np.zeros(0)
            return None
        if kind == "Identity" and inputs[0] in self.constants:
            self.constants[outputs[0]] = self.constants[inputs[0]]
            return None
        if kind == "Shape" or all(i in self.shape_values or i in self.constants for i in used):
            self.shape_values.update(outputs)
            return None
        activations = tuple(i for i in used if i not in self.constants and i not in self.shape_values)

        def made(kind: str, **facts: Any) -> Node:
            return Node(kind, name, activations, outputs, **facts)

        if kind == "Conv":
            return made(CONVOLVE, **self.convolution(name, inputs, attributes))
        if kind == "BatchNormalization":
            return made(NORMALIZE, statistics=tuple(self.constants[i] for i in inputs[1:5]),
                        epsilon=attributes.get("epsilon", 1e-5))
        if kind == "Relu":
            return made(RELU)
        if kind == "MaxPool":
            return made(POOL, size=tuple(attributes["kernel_shape"]), stride=tuple(attributes.get("strides", (1, 1))),
                        padding=_padding(attributes), rounds_up=attributes.get("ceil_mode") == 1)
        if kind == "Pad":
            return made(PAD, padding=self.borders(name, inputs, attributes))
        if kind == "Concat":
            return made(CONCATENATE)
        if kind == "DepthToSpace":
            return made(DEPTH_TO_SPACE, channels_outermost=attributes.get("mode") == b"CRD")
        if kind == "Add" and len(activations) == 2:
            return made(ADD)
        if kind in ("Add", "Sub", "Mul", "Div"):
            return made(SCALE, **self.scale(kind, name, inputs, activations))
        if kind in MOVING:
            return made(REARRANGE)
        raise ConversionError(f"operation '{kind}' is no part of FCRN")

    def convolution(self, name: str, inputs: list[str], attributes: Attributes) -> dict[str, Any]:
        if inputs[1] not in self.constants:
            raise ConversionError(f"the kernel of '{name}' is computed, not stored")
        kernel = self.constants[inputs[1]]
        if kernel.ndim != 4 or attributes.get("group", 1) != 1 or any(d != 1 for d in attributes.get("dilations", ())):
            raise ConversionError(f"'{name}' is not a plain two-dimensional convolution")
        return {"kernel": kernel, "bias": self.constants[inputs[2]] if len(inputs) > 2 and inputs[2] else None,
                "stride": tuple(attributes.get("strides", (1, 1))), "padding": _padding(attributes)}

    def borders(self, name: str, inputs: list[str], attributes: Attributes) -> tuple[int, int, int, int]:
        amounts = attributes["pads"] if "pads" in attributes else self.constants[inputs[1]].astype(int).tolist()
        before, after = amounts[:4], amounts[4:]
        rows = 2 if before[1] == after[1] == 0 else 1  # rows and columns last, or channels last
        if len(amounts) != 8 or sum(before) + sum(after) != sum(
                side[axis] for side in (before, after) for axis in (rows, rows + 1)):
            raise ConversionError(f"'{name}' pads something other than rows and columns")
        return before[rows], after[rows], before[rows + 1], after[rows + 1]

    def scale(self, kind: str, name: str, inputs: list[str], activations: tuple[str, ...]) -> dict[str, Any]:
        constant = [self.constants[i] for i in inputs if i in self.constants]
        if len(activations) != 1 or len(constant) != 1 or (
                kind in ("Sub", "Div") and inputs[0] not in activations):
            raise ConversionError(f"'{name}' computes what FCRN does not")
        value = _per_channel(constant[0], name)
        if kind in ("Add", "Sub"):
            return {"offset": value if kind == "Add" else -value}
        return {"factor": value if kind == "Mul" else 1 / value if value.all() else np.nan}


def _per_channel(values: np.ndarray, name: str) -> np.ndarray:
    """One number, or one per channel in one dimension."""
    values = np.asarray(values, np.float64)
    if values.size == 1:
        return values.reshape(())
    if values.ndim >= 3 and values.shape[-3] == values.size:
        return values.reshape(-1)
    raise ConversionError(f"the constant of operation '{name}' is not one number per channel")


def _padding(attributes: Attributes) -> Padding:
    if (mode := attributes.get("auto_pad")) in (b"SAME_UPPER", b"SAME_LOWER"):
        return SAME_UPPER if mode == b"SAME_UPPER" else SAME_LOWER
    top, left, bottom, right = attributes.get("pads", (0, 0, 0, 0))
    return top, bottom, left, right
