"""TensorFlow Lite models with floating-point weights, without TensorFlow.

The converter folds a batch norm into the convolution before it where it can and leaves a
multiplication and an addition where it cannot; `structure` puts either back into the kernels.

Source: schema.fbs of TensorFlow Lite, version 3; field numbers are its order of declaration.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from pathlib import Path

import numpy as np

from .. import structure
from ..channels import per_channel
from ..errors import ConversionError, decoding
from ..flatbuffer import Table
from ..graph import (NO_PADDING, SAME_UPPER, Add, Concatenate, Convolve, DepthToSpace, Graph, Node,
                     Pad, Padding, Pool, Rearrange, Rectify, Scale)
from ..reading import Options, Reading

MAGIC = b"TFL3"
FORM = "tflite"
#: TensorType → NumPy.
TYPES = {0: "<f4", 1: "<f2", 2: "<i4", 4: "<i8"}
ADD, CONCATENATION, CONV_2D, DEPTH_TO_SPACE, DEQUANTIZE, MAX_POOL_2D, MUL, RELU, PAD, PADV2 = (
    0, 2, 3, 5, 6, 17, 18, 19, 34, 60)
SUB, DIV = 41, 42
#: RESHAPE, TRANSPOSE, SQUEEZE, STRIDED_SLICE, EXPAND_DIMS, PACK.
MOVING = {22, 39, 43, 45, 70, 83}


def read(path: Path, options: Options) -> Reading:
    with decoding(f"'{path.name}'"):
        graph = _Reader(np.memmap(path, np.uint8, "r").data).graph()
        return structure.reading(graph, FORM, path, options)


class _Reader:
    def __init__(self, data: memoryview) -> None:
        model = Table.root(data)
        if model.number(0, "I") != 3 or len(model.tables(2)) != 1:
            raise ConversionError("the model is not one TensorFlow Lite graph of version 3")
        self.buffers = model.tables(4)
        self.data = data
        # Codes beyond 127 are kept in a later field of their own.
        self.codes = [max(code.number(0, "b"), code.number(3, "i")) for code in model.tables(1)]
        self.subgraph = model.tables(2)[0]
        self.tensors = self.subgraph.tables(0)
        self.constants: dict[int, np.ndarray] = {}

    def graph(self) -> Graph:
        inputs = self.subgraph.vector(1, "<i4").tolist()
        outputs = self.subgraph.vector(2, "<i4").tolist()
        if len(inputs) != 1 or len(outputs) != 1:
            raise ConversionError(f"the model has {len(inputs)} inputs and {len(outputs)} outputs, "
                                  "expected one each")
        nodes = [node for operator in self.subgraph.tables(3) for node in self.nodes(operator)]
        shape = self.tensors[inputs[0]].vector(0, "<i4").tolist()
        height, width = (shape[1:3] if len(shape) == 4 else [0, 0])
        fixed = height > 1 and width > 1  # 1 stands for a size left open
        return Graph(tuple(nodes), str(inputs[0]), str(outputs[0]), height if fixed else None,
                     width if fixed else None)

    def constant(self, index: int) -> np.ndarray | None:
        """The stored value of a tensor, or `None` for an activation."""
        if index in self.constants:
            return self.constants[index]
        tensor = self.tensors[index]
        buffer = self.buffers[tensor.number(2, "I")]
        raw = buffer.vector(0, "u1")
        if not raw.size and buffer.number(2, "Q"):  # of a model too large for offsets of 32 bits
            start = buffer.number(1, "Q")
            raw = np.frombuffer(self.data, "u1", buffer.number(2, "Q"), start)
        if not raw.size:
            return None
        kind, shape = tensor.number(1, "b"), tensor.vector(0, "<i4").tolist()
        if kind not in TYPES:
            raise ConversionError(f"tensor '{tensor.text(3)}' has element type {kind}; only models "
                                  "with floating-point weights can be read")
        values = np.frombuffer(raw.tobytes(), TYPES[kind])
        if values.size != prod(shape):
            raise ValueError(f"tensor '{tensor.text(3)}' has {values.size} values")
        return values.reshape(shape)

    def nodes(self, operator: Table) -> list[Node]:
        kind = self.codes[operator.number(0, "I")]
        inputs = [i for i in operator.vector(1, "<i4").tolist() if i >= 0]
        outputs = operator.vector(2, "<i4").tolist()
        if min(inputs + outputs, default=-1) < 0:
            raise ValueError("an operation without tensors")
        options = operator.table(4)
        constants = {i: value for i in inputs if (value := self.constant(i)) is not None}
        if kind == DEQUANTIZE and inputs[0] in constants:  # float16 storage of a float32 constant
            self.constants[outputs[0]] = constants[inputs[0]].astype("<f4")
            return []
        name = self.tensors[outputs[0]].text(3).split(";")[-1]
        names = tuple(str(i) for i in inputs if i not in constants)
        made, fused = self.node(kind, name, inputs, names, str(outputs[0]), constants, options)
        if fused == 0:
            return [made]
        if fused != 1:
            raise ConversionError(f"'{name}' has an activation that is not a ReLU")
        # The activation inside an operation becomes one after it.
        linear = f"{outputs[0]} before ReLU"
        return [replace(made, outputs=(linear,)), Rectify(name, (linear,), (str(outputs[0]),))]

    def node(self, kind: int, name: str, inputs: list[int], names: tuple[str, ...], output: str,
             constants: dict[int, np.ndarray], options: Table | None) -> tuple[Node, int]:
        """The operation without its activation, and the number of that activation."""
        options = options or Table(memoryview(bytes(8)), 4)  # a table without fields
        out = (output,)
        if kind == CONV_2D:
            if (options.number(4, "i", 1), options.number(5, "i", 1)) != (1, 1):
                raise ConversionError(f"'{name}' is a dilated convolution")
            kernel = constants[inputs[1]].transpose(0, 3, 1, 2)  # stored output, rows, columns, input
            bias = constants[inputs[2]] if len(inputs) > 2 else None
            return Convolve(name, names, out, kernel, bias, _stride(options),
                            _padding(options)), options.number(3, "b")
        if kind == MAX_POOL_2D:
            size = options.number(4, "i"), options.number(3, "i")
            return Pool(name, names, out, size, _stride(options), _padding(options)), options.number(5, "b")
        if kind in (ADD, SUB, MUL, DIV):
            return _arithmetic(kind, name, inputs, names, out, constants), options.number(0, "b")
        if kind in (PAD, PADV2):
            return _pad(name, names, out, [constants[i] for i in inputs[1:]]), 0
        if kind == RELU:
            return Rectify(name, names, out), 0
        if kind == CONCATENATION:
            return Concatenate(name, names, out), options.number(1, "b")
        if kind == DEPTH_TO_SPACE:
            return DepthToSpace(name, names, out, False), 0
        if kind in MOVING:
            return Rearrange(name, names, out), 0
        raise ConversionError(f"'{name}' (operation {kind} of TensorFlow Lite) is no part of FCRN")


def _stride(options: Table) -> tuple[int, int]:
    return options.number(2, "i"), options.number(1, "i")


def _padding(options: Table) -> Padding:
    return SAME_UPPER if options.number(0, "b") == 0 else NO_PADDING


def _pad(name: str, names: tuple[str, ...], out: tuple[str, ...], constants: list[np.ndarray]) -> Node:
    amounts = constants[0].tolist()
    if len(amounts) != 4 or amounts[0] != [0, 0] or amounts[3] != [0, 0] or \
            any(value.any() for value in constants[1:]):
        raise ConversionError(f"'{name}' does more than put zeros around rows and columns")
    return Pad(name, names, out, (*amounts[1], *amounts[2]))


def _arithmetic(kind: int, name: str, inputs: list[int], names: tuple[str, ...],
                out: tuple[str, ...], constants: dict[int, np.ndarray]) -> Node:
    if kind == ADD and len(names) == 2:
        return Add(name, names, out)
    if len(names) != 1 or len(constants) != 1 or (kind in (SUB, DIV) and inputs[0] in constants):
        raise ConversionError(f"'{name}' computes what FCRN does not")
    value = per_channel(next(iter(constants.values())), name, channels_last=True)
    one, zero = np.ones(()), np.zeros(())
    if kind in (ADD, SUB):
        return Scale(name, names, out, one, value if kind == ADD else -value)
    with np.errstate(divide="ignore"):
        return Scale(name, names, out, value if kind == MUL else 1 / value, zero)
