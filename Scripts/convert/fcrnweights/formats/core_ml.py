"""Core ML neural networks, `FCRN.mlmodel` and `FCRNFP16.mlmodel`, by the published messages of coremltools."""

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
        body = getattr(layer, layer.WhichOneof("layer") or "name")
        if layer.WhichOneof("layer") in ("loadConstant", "loadConstantND"):
            constants[layer.output[0]] = _weights(body.data, layer.name).reshape(body.shape)
        else:
            nodes.append(_node(layer, body, constants))
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


def _node(layer: Any, body: Any, constants: dict[str, np.ndarray]) -> Node:
    """A layer, translated; `constants` are the values that layers before it loaded."""
    kind, name = layer.WhichOneof("layer"), layer.name
    inputs = tuple(i for i in layer.input if i not in constants)

    def made(kind: str, **facts: Any) -> Node:
        return Node(kind, name, inputs, tuple(layer.output), **facts)

    if kind in MOVING:
        return made(REARRANGE)
    if kind == "convolution":
        if body.isDeconvolution or body.nGroups not in (0, 1) or any(d != 1 for d in body.dilationFactor):
            raise ConversionError(f"'{name}' is not a plain convolution")
        shape = (body.outputChannels, body.kernelChannels, *(body.kernelSize or (3, 3)))
        return made(CONVOLVE, kernel=_weights(body.weights, name).reshape(shape), stride=_pair(body.stride, 1),
                    bias=_weights(body.bias, name) if body.hasBias else None, padding=_padding(body))
    if kind == "pooling":
        if body.type != 0 or body.globalPooling:
            raise ConversionError(f"pooling '{name}' takes no maximum over a window")
        facts: dict[str, Any] = {"size": _pair(body.kernelSize, 3), "stride": _pair(body.stride, 1)}
        if body.HasField("includeLastPixel"):  # Caffe's rule: symmetric padding, and the last window may reach outside
            rows, columns = _pair(body.includeLastPixel.paddingAmounts, 0)
            return made(POOL, padding=(rows, rows, columns, columns), rounds_up=True, **facts)
        return made(POOL, padding=_padding(body), **facts)
    if kind == "activation":
        if body.HasField("ReLU"):
            return made(RELU)
        if body.HasField("linear"):
            return made(SCALE, factor=np.asarray(body.linear.alpha), offset=np.asarray(body.linear.beta))
        raise ConversionError(f"activation '{name}' is not a ReLU")
    if kind == "batchnorm":
        if body.computeMeanVar or body.instanceNormalization:
            raise ConversionError(f"'{name}' normalises by statistics of the image, not by stored ones")
        gamma, beta, mean, variance = (_weights(w, name) for w in (body.gamma, body.beta, body.mean, body.variance))
        return made(NORMALIZE, epsilon=body.epsilon or 1e-5,  # the specification's default
                    statistics=(gamma, beta, mean if mean.size else np.zeros(body.channels, "<f4"),
                                variance if variance.size else np.ones(body.channels, "<f4")))
    if kind == "padding":
        if body.WhichOneof("PaddingType") != "constant" or body.constant.value != 0:
            raise ConversionError(f"'{name}' pads with something other than zeros")
        return made(PAD, padding=_borders(body.paddingAmounts))
    if kind == "scale":
        return made(SCALE, factor=_flat(_weights(body.scale, name)),
                    offset=_flat(_weights(body.bias, name)) if body.hasBias else 0.0)
    if kind == "bias":
        return made(SCALE, offset=_flat(_weights(body.bias, name)))
    if kind == "concat":
        return made(CONCATENATE)
    if kind == "reorganizeData":
        if body.mode not in (1, 2) or body.blockSize != 2:
            raise ConversionError(f"'{name}' rearranges data in a way that FCRN does not")
        return made(DEPTH_TO_SPACE, channels_outermost=body.mode == 2)
    adds = kind in ("add", "addBroadcastable")
    if adds and len(inputs) == 2:
        return made(ADD)
    if adds or kind in ("multiply", "multiplyBroadcastable"):  # by a loaded constant, or the number in the layer itself
        if len(inputs) != 1:
            raise ConversionError(f"layer '{name}' computes what FCRN does not")
        loaded = [constants[i] for i in layer.input if i in constants]
        return made(SCALE, **{"offset" if adds else "factor": _flat(loaded[0]) if loaded else np.asarray(body.alpha)})
    raise ConversionError(f"layer '{name}' (kind {kind} of NeuralNetworkLayer) is no part of FCRN")


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
