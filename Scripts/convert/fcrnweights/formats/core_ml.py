"""Core ML neural networks, `FCRN.mlmodel` and `FCRNFP16.mlmodel`, by the published messages of coremltools."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np

from .. import structure
from ..errors import ConversionError, decoding
from ..graph import (ADD, CONCATENATE, CONVOLVE, DEPTH_TO_SPACE, NO_PADDING, NORMALIZE, PAD, POOL, REARRANGE, RELU,
                     SAME_LOWER, SAME_UPPER, SCALE, Graph, Node, Padding)
from ..reading import Options, Reading

FORM = "core ml neural network"
BGR = 30  # ImageFeatureType.ColorSpace; 20 is RGB
#: Layers that move values and compute none.
MOVING = ("reshape", "flatten", "permute", "copy", "stack", "concatND", "transpose", "squeeze", "expandDims",
          "reshapeStatic", "rankPreservingReshape")


def model(path: Path) -> Any | None:
    """The message in `path`, or nothing where the file is none of Core ML."""
    logging.disable(logging.ERROR)  # of the parts that only macOS has
    from coremltools.proto.Model_pb2 import Model
    from google.protobuf.message import DecodeError
    logging.disable(logging.NOTSET)
    try:
        message = Model.FromString(path.read_bytes())
    except DecodeError:
        return None
    return message if message.WhichOneof("Type") and message.description.input else None


def read(path: Path, options: Options) -> Reading:
    """Reads the weights at whatever precision they are stored, except as look-up tables."""
    with decoding(f"'{path.name}'"):
        message = model(path)
        if message.WhichOneof("Type") != "neuralNetwork":
            kind = "an ML program" if message.WhichOneof("Type") == "mlProgram" else "another kind of model"
            raise ConversionError(f"'{path.name}' holds {kind}, not a Core ML neural network")
        return structure.reading(_graph(message.description, message.neuralNetwork), FORM, path, options)


def _graph(description: Any, network: Any) -> Graph:
    if len(description.input) != 1 or len(description.output) != 1:
        raise ConversionError(f"the model has {len(description.input)} inputs and {len(description.output)} outputs, "
                              "expected one each")
    name, kind = description.input[0].name, description.input[0].type
    image, shape = kind.imageType, kind.multiArrayType.shape
    height, width = (image.height, image.width) if image.height or len(shape) < 3 else shape[-2:]
    is_bgr = image.colorSpace == BGR
    nodes = [_preprocessing(p, name, is_bgr) for p in network.preprocessing if p.WhichOneof("preprocessor")]
    constants: dict[str, np.ndarray] = {}
    for layer in network.layers:
        kind, body = layer.WhichOneof("layer"), getattr(layer, layer.WhichOneof("layer") or "name")
        if kind in ("loadConstant", "loadConstantND"):
            constants[layer.output[0]] = _weights(body.data, layer.name).reshape(body.shape)
        else:
            nodes.append(_Layer(layer, kind, body, constants).node())
    return Graph(nodes, name, description.output[0].name, height or None, width or None, is_bgr,
                 ("preprocessing is read from the model",) if network.preprocessing else ())


def _preprocessing(message: Any, image: str, is_bgr: bool) -> Node:
    """Scales in place: the scaled image keeps its name. Biases are stored by color."""
    if message.WhichOneof("preprocessor") == "meanImage":
        raise ConversionError("the model subtracts a mean image, which FCRN does not")
    scaler = message.scaler
    offset = [scaler.redBias, scaler.greenBias, scaler.blueBias]
    return Node(SCALE, "preprocessing", (image,), (image,), factor=np.asarray(scaler.channelScale or 1.0),
                offset=np.array(offset[::-1] if is_bgr else offset))


def _weights(message: Any, name: str) -> np.ndarray:
    """WeightParams: float32 or float16; 8-bit and table-quantized weights are refused."""
    if message.HasField("quantization") or message.rawValue or message.int8RawValue:
        raise ConversionError(f"layer '{name}' has quantised weights; "
                              "only float32 and float16 models can be read")
    if message.float16Value:
        return np.frombuffer(message.float16Value, "<f2").astype("<f4")
    return np.array(message.floatValue, "<f4")


class _Layer:
    """A layer of the network, to be translated; `constants` are the values that layers before it loaded."""

    def __init__(self, layer: Any, kind: str, body: Any, constants: dict[str, np.ndarray]) -> None:
        self.name, self.kind, self.body = layer.name, kind, body
        self.inputs = tuple(i for i in layer.input if i not in constants)
        self.outputs = tuple(layer.output)
        self.constants = [constants[i] for i in layer.input if i in constants]

    def node(self) -> Node:
        if self.kind in MOVING:
            return self._made(REARRANGE)
        if self.kind in ("add", "addBroadcastable", "multiply", "multiplyBroadcastable"):
            return self._arithmetic()
        translate = getattr(self, f"_{self.kind}", None)
        if translate is None:
            raise ConversionError(f"layer '{self.name}' (kind {self.kind} of NeuralNetworkLayer) is no part of FCRN")
        return translate(self.body)

    def _made(self, kind: str, **facts: Any) -> Node:
        return Node(kind, self.name, self.inputs, self.outputs, **facts)

    def _convolution(self, body: Any) -> Node:
        if body.isDeconvolution or body.nGroups not in (0, 1) or any(d != 1 for d in body.dilationFactor):
            raise ConversionError(f"'{self.name}' is not a plain convolution")
        shape = (body.outputChannels, body.kernelChannels, *(body.kernelSize or (3, 3)))
        return self._made(CONVOLVE, kernel=_weights(body.weights, self.name).reshape(shape),
                          bias=_weights(body.bias, self.name) if body.hasBias else None,
                          stride=_pair(body.stride, 1), padding=_padding(body))

    def _pooling(self, body: Any) -> Node:
        if body.type != 0 or body.globalPooling:
            raise ConversionError(f"pooling '{self.name}' takes no maximum over a window")
        facts: dict[str, Any] = {"size": _pair(body.kernelSize, 3), "stride": _pair(body.stride, 1)}
        if body.HasField("includeLastPixel"):  # Caffe's rule: symmetric padding, and the last window may reach outside
            rows, columns = _pair(body.includeLastPixel.paddingAmounts, 0)
            return self._made(POOL, padding=(rows, rows, columns, columns), rounds_up=True, **facts)
        return self._made(POOL, padding=_padding(body), **facts)

    def _activation(self, body: Any) -> Node:
        if body.HasField("ReLU"):
            return self._made(RELU)
        if body.HasField("linear"):
            return self._made(SCALE, factor=np.asarray(body.linear.alpha), offset=np.asarray(body.linear.beta))
        raise ConversionError(f"activation '{self.name}' is not a ReLU")

    def _batchnorm(self, body: Any) -> Node:
        if body.computeMeanVar or body.instanceNormalization:
            raise ConversionError(f"'{self.name}' normalises by statistics of the image, not by stored ones")
        gamma, beta, mean, variance = (_weights(w, self.name) for w in (body.gamma, body.beta, body.mean, body.variance))
        return self._made(NORMALIZE, epsilon=body.epsilon or 1e-5,  # the specification's default
                          statistics=(gamma, beta, mean if mean.size else np.zeros(body.channels, "<f4"),
                                      variance if variance.size else np.ones(body.channels, "<f4")))

    def _padding(self, body: Any) -> Node:
        if body.WhichOneof("PaddingType") != "constant" or body.constant.value != 0:
            raise ConversionError(f"'{self.name}' pads with something other than zeros")
        return self._made(PAD, padding=_borders(body.paddingAmounts))

    def _scale(self, body: Any) -> Node:
        return self._made(SCALE, factor=_flat(_weights(body.scale, self.name)),
                          offset=_flat(_weights(body.bias, self.name)) if body.hasBias else 0.0)

    def _bias(self, body: Any) -> Node:
        return self._made(SCALE, offset=_flat(_weights(body.bias, self.name)))

    def _concat(self, _: Any) -> Node:
        return self._made(CONCATENATE)

    def _reorganizeData(self, body: Any) -> Node:
        if body.mode not in (1, 2) or body.blockSize != 2:
            raise ConversionError(f"'{self.name}' rearranges data in a way that FCRN does not")
        return self._made(DEPTH_TO_SPACE, channels_outermost=body.mode == 2)

    def _arithmetic(self) -> Node:
        """The sum of two activations; or one with a loaded constant, or with the number in the layer itself."""
        adds = self.kind.startswith("add")
        if adds and len(self.inputs) == 2:
            return self._made(ADD)
        if len(self.inputs) != 1:
            raise ConversionError(f"layer '{self.name}' computes what FCRN does not")
        value = _flat(self.constants[0]) if self.constants else np.asarray(self.body.alpha)
        return self._made(SCALE, **{"offset" if adds else "factor": value})


def _flat(values: np.ndarray) -> np.ndarray:
    """One number, or one per channel."""
    return values.reshape(() if values.size == 1 else -1)


def _padding(body: Any) -> Padding:
    if body.HasField("same"):
        return SAME_LOWER if body.same.asymmetryMode == 1 else SAME_UPPER
    return _borders(body.valid.paddingAmounts)


def _borders(message: Any) -> tuple[int, ...]:
    edges = message.borderAmounts
    return tuple(n for edge in edges for n in (edge.startEdgeSize, edge.endEdgeSize)) or NO_PADDING


def _pair(values: Any, default: int) -> tuple[int, int]:
    first, second = values or (default, default)
    return first, second
