"""Core ML neural networks, `FCRN.mlmodel` and `FCRNFP16.mlmodel`, without coremltools.

Source: Model.proto and NeuralNetwork.proto of coremltools; field numbers are theirs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .. import structure
from ..errors import ConversionError, decoding
from ..graph import (NO_PADDING, SAME_LOWER, SAME_UPPER, Add, Concatenate, Convolve, DepthToSpace,
                     Graph, Node, Normalise, Pad, Padding, Pool, Rearrange, Rectify, Scale)
from ..protobuf import Message
from ..reading import Options, Reading

FORM = "core ml neural network"
NEURAL_NETWORK, ML_PROGRAM = 500, 502
BGR = 30  # ImageFeatureType.ColorSpace; 20 is RGB
#: Layers that move values and compute none.
MOVING = {300: "reshape", 301: "flatten", 310: "permute", 600: "copy", 925: "stack", 980: "concatND",
          985: "transpose", 1120: "squeeze", 1125: "expandDims", 1140: "reshapeStatic",
          1150: "rankPreservingReshape"}


def is_model(path: Path) -> bool:
    """Whether the outermost message has a description and a model where Core ML has them."""
    try:
        model = Message(np.memmap(path, np.uint8, "r").data)
        return 1 in model and 2 in model and len(model.fields) >= 3 and max(model.fields) >= 200
    except (ValueError, IndexError, OSError):
        return False


def read(path: Path, options: Options) -> Reading:
    """Reads the weights at whatever precision they are stored, except as look-up tables."""
    with decoding(f"'{path.name}'"):
        model = Message(np.memmap(path, np.uint8, "r").data)
        if NEURAL_NETWORK not in model:
            kind = "an ML program" if ML_PROGRAM in model else "another kind of model"
            raise ConversionError(f"'{path.name}' holds {kind}, not a Core ML neural network")
        graph = _graph(model.message(2), model.message(NEURAL_NETWORK))
        return structure.reading(graph, FORM, path, options)


def _graph(description: Message, network: Message) -> Graph:
    inputs, outputs = description.messages(1), description.messages(10)
    if len(inputs) != 1 or len(outputs) != 1:
        raise ConversionError(f"the model has {len(inputs)} inputs and {len(outputs)} outputs, "
                              "expected one each")
    name, image = inputs[0].text(1), inputs[0].message(3).message(4)
    shape = inputs[0].message(3).message(5).integers(1)
    height, width = image.integer(2), image.integer(1)
    if not height and len(shape) >= 3:
        height, width = shape[-2:]
    nodes: list[Node] = []
    constants: dict[str, np.ndarray] = {}
    for preprocessing in network.messages(2):
        nodes += _preprocessing(preprocessing, name, image.integer(3) == BGR)
    for layer in network.messages(1):
        nodes += _nodes(layer, constants)
    return Graph(tuple(nodes), name, outputs[0].text(1), height or None, width or None,
                 image.integer(3) == BGR, ("preprocessing is read from the model",) if 2 in network else ())


def _preprocessing(message: Message, image: str, is_bgr: bool) -> list[Node]:
    """Scales in place: the scaled image keeps its name. Biases are stored by colour."""
    if 11 in message:
        raise ConversionError("the model subtracts a mean image, which FCRN does not")
    if 10 not in message:
        return []
    scaler = message.message(10)
    colours = (20, 21, 22) if is_bgr else (22, 21, 20)  # blue, green, red
    offset = np.array([scaler.floating(colour) for colour in colours])
    return [Scale("preprocessing", (image,), (image,), np.asarray(scaler.floating(10) or 1.0), offset)]


def _nodes(layer: Message, constants: dict[str, np.ndarray]) -> list[Node]:
    name, outputs = layer.text(1), tuple(layer.texts(3))
    inputs = tuple(i for i in layer.texts(2) if i not in constants)
    kinds = [number for number in layer.fields if number >= 100]
    if len(kinds) != 1:
        raise ConversionError(f"layer '{name}' has no known kind")
    kind, body = kinds[0], layer.message(kinds[0])
    if kind in (290, 1070):  # load constant
        constants[outputs[0]] = _weights(body.message(2), name).reshape(body.integers(1))
        return []
    if kind == 100:
        return [_convolution(name, inputs, outputs, body)]
    if kind == 120:
        return [_pooling(name, inputs, outputs, body)]
    if kind == 130:
        return [_activation(name, inputs, outputs, body)]
    if kind == 160:
        return [_batch_norm(name, inputs, outputs, body)]
    if kind == 200:
        return [_padding_layer(name, inputs, outputs, body)]
    if kind in (230, 880) and len(inputs) == 2:
        return [Add(name, inputs, outputs)]
    if kind in (230, 231, 880, 900) and len(inputs) == 1:
        return [_with_constant(name, inputs, outputs, kind, layer, body, constants)]
    if kind in (245, 250):
        return [_scale(name, inputs, outputs, body, kind == 245)]
    if kind == 320:
        return [Concatenate(name, inputs, outputs)]
    if kind == 345 and body.integer(1) in (1, 2) and body.integer(2) == 2:
        return [DepthToSpace(name, inputs, outputs, body.integer(1) == 2)]
    if kind in MOVING:
        return [Rearrange(name, inputs, outputs)]
    raise ConversionError(f"layer '{name}' (kind {kind} of NeuralNetworkLayer) is no part of FCRN")


def _weights(message: Message, name: str) -> np.ndarray:
    """WeightParams: float32 or float16; 8-bit and table-quantised weights are refused."""
    if 40 in message or 30 in message or 31 in message:
        raise ConversionError(f"layer '{name}' has quantised weights; "
                              "only float32 and float16 models can be read")
    if 2 in message:
        return np.frombuffer(message.bytes(2), "<f2").astype("<f4")
    return message.floats(1)


def _convolution(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], body: Message) -> Node:
    if body.integer(60) or body.integer(10, 1) not in (0, 1) or \
            any(d != 1 for d in body.integers(40)):
        raise ConversionError(f"'{name}' is not a plain convolution")
    rows, columns = body.integers(20) or [3, 3]
    shape = (body.integer(1), body.integer(2), rows, columns)
    bias = _weights(body.message(91), name) if body.integer(70) else None
    return Convolve(name, inputs, outputs, _weights(body.message(90), name).reshape(shape), bias,
                    _pair(body.integers(30)), _padding(body, 50, 51))


def _padding(body: Message, valid: int, same: int) -> Padding:
    if same in body:
        return SAME_LOWER if body.message(same).integer(1) == 1 else SAME_UPPER
    return _borders(body.message(valid).message(1)) if valid in body else NO_PADDING


def _borders(message: Message) -> tuple[int, int, int, int]:
    edges = message.messages(10)
    if not edges:
        return NO_PADDING
    rows, columns = edges
    return rows.integer(1), rows.integer(2), columns.integer(1), columns.integer(2)


def _pooling(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], body: Message) -> Node:
    if body.integer(1) != 0 or body.integer(60):
        raise ConversionError(f"pooling '{name}' takes no maximum over a window")
    size, stride = _pair(body.integers(10), 3), _pair(body.integers(20))
    if 32 in body:  # Caffe's rule: symmetric padding, and the last window may reach outside
        rows, columns = body.message(32).integers(10) or [0, 0]
        return Pool(name, inputs, outputs, size, stride, (rows, rows, columns, columns), True)
    return Pool(name, inputs, outputs, size, stride, _padding(body, 30, 31))


def _activation(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], body: Message) -> Node:
    if 10 in body:
        return Rectify(name, inputs, outputs)
    if 5 in body:
        linear = body.message(5)
        return Scale(name, inputs, outputs, np.asarray(linear.floating(1)),
                     np.asarray(linear.floating(2)))
    raise ConversionError(f"activation '{name}' is not a ReLU")


def _batch_norm(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], body: Message) -> Node:
    if body.integer(5) or body.integer(6):
        raise ConversionError(f"'{name}' normalises by statistics of the image, not by stored ones")
    gamma, beta, mean, variance = (_weights(body.message(n), name) for n in (15, 16, 17, 18))
    channels = body.integer(1)
    return Normalise(name, inputs, outputs, gamma, beta,
                     mean if mean.size else np.zeros(channels, "<f4"),
                     variance if variance.size else np.ones(channels, "<f4"),
                     body.floating(10) or 1e-5)  # the specification's default


def _padding_layer(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], body: Message) -> Node:
    if 1 not in body or body.message(1).floating(1) != 0:
        raise ConversionError(f"'{name}' pads with something other than zeros")
    return Pad(name, inputs, outputs, _borders(body.message(10)))


def _scale(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], body: Message,
           scales: bool) -> Node:
    def values(number: int) -> np.ndarray:
        flat = _weights(body.message(number), name).reshape(-1)
        return flat.reshape(()) if flat.size == 1 else flat

    if not scales:
        return Scale(name, inputs, outputs, np.ones(()), values(2))
    return Scale(name, inputs, outputs, values(2), values(5) if body.integer(3) else np.zeros(()))


def _with_constant(name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], kind: int,
                   layer: Message, body: Message, constants: dict[str, np.ndarray]) -> Node:
    """Adds or multiplies by a loaded constant, or by the number in the layer itself."""
    held = [constants[i] for i in layer.texts(2) if i in constants]
    value = held[0].reshape(-1) if held else np.asarray(body.floating(1))
    value = value.reshape(()) if value.size == 1 else value
    if kind in (230, 880):
        return Scale(name, inputs, outputs, np.ones(()), value)
    return Scale(name, inputs, outputs, value, np.zeros(()))


def _pair(values: list[int], default: int = 1) -> tuple[int, int]:
    first, second = values or [default, default]
    return first, second
