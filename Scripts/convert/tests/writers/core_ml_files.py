"""Core ML neural networks, built and halved by coremltools."""

from __future__ import annotations

from pathlib import Path

import coremltools as ct
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder
from coremltools.models.neural_network.quantization_utils import quantize_weights

from fcrnweights.network import Tensors

from ..forward import Padding, forward
from .common import HEIGHT, WIDTH, arguments


class BuilderBackend:
    """Layers with names that say nothing, as a converter from another framework leaves them."""

    def __init__(self, builder: NeuralNetworkBuilder, tensors: Tensors) -> None:
        self.builder, self.tensors, self.count = builder, tensors, 0

    def _name(self) -> str:
        self.count += 1
        return f"layer_{self.count}"

    def convolution(self, x: str, layer: str, stride: int, padding: Padding) -> str:
        out, p = self._name(), self.tensors[layer]
        outputs, inputs, rows, columns = p["kernel"].shape
        t, b, l, r = padding
        self.builder.add_convolution(
            out, inputs, outputs, rows, columns, stride, stride, "valid", 1,
            p["kernel"].transpose(2, 3, 1, 0), p.get("bias"), "bias" in p, input_name=x, output_name=out,
            padding_top=t, padding_bottom=b, padding_left=l, padding_right=r)
        return out

    def norm(self, x: str, layer: str) -> str:
        out, p = self._name(), self.tensors[layer]
        self.builder.add_batchnorm(out, len(p["mean"]), p["gamma"], p["beta"], p["mean"], p["variance"],
                                   x, out, epsilon=1e-4)
        return out

    def relu(self, x: str) -> str:
        out = self._name()
        self.builder.add_activation(out, "RELU", x, out)
        return out

    def add(self, x: str, y: str) -> str:
        out = self._name()
        self.builder.add_elementwise(out, [x, y], out, "ADD")
        return out

    def pool(self, x: str) -> str:
        out = self._name()
        self.builder.add_pooling(out, 3, 3, 2, 2, "MAX", "SAME", x, out)
        return out

    def interleave(self, a: str, b: str, c: str, d: str) -> str:
        joined, out = self._name(), self._name()
        self.builder.add_elementwise(joined, [a, c, b, d], joined, "CONCAT")
        self.builder.add_reorganize_data(out, joined, out, mode="DEPTH_TO_SPACE", block_size=2)
        return out


def build(tensors: Tensors, padding: str, branches: tuple[str, str], bgr: bool):
    builder = NeuralNetworkBuilder([("image", datatypes.Array(3, HEIGHT, WIDTH))],
                                   [("depthmap", None)], disable_rank5_shape_mapping=False)
    if bgr:  # a model for BGR pictures, scaled and centred by the model itself
        tensors = dict(tensors)
        kernel = tensors["conv1"]["kernel"]
        tensors["conv1"] = tensors["conv1"] | {"kernel": kernel[:, ::-1].copy()}
    backend = BuilderBackend(builder, tensors)
    last = forward(backend, "image", padding, order="DCBA", branches=branches)
    builder.add_activation("out", "LINEAR", last, "depthmap", [1.0, 0.0])
    builder.set_pre_processing_parameters(
        image_input_names=["image"], is_bgr=bgr, image_scale=0.5 if bgr else 1.0,
        red_bias=-3.0 if bgr else 0, green_bias=-2.0 if bgr else 0, blue_bias=-1.0 if bgr else 0)
    return builder.spec


def main() -> None:
    tensors, folder = arguments()
    spec = build(tensors, "topleft", ("br2", "br1"), bgr=False)
    save(spec, folder / "FCRN.mlmodel")
    half = quantize_weights(ct.models.MLModel(spec, skip_model_load=True), nbits=16)
    save(half if not hasattr(half, "get_spec") else half.get_spec(), folder / "FCRNFP16.mlmodel")
    save(build(tensors, "bottomright", ("br1", "br2"), bgr=True), folder / "bgr.mlmodel")
    weights = spec.neuralNetwork.layers[0].convolution.weights
    weights.ClearField("floatValue")
    weights.rawValue, weights.quantization.numberOfBits = bytes(tensors["conv1"]["kernel"].size), 8
    save(spec, folder / "eight-bit.mlmodel")


def save(spec, path: Path) -> None:
    path.write_bytes(spec.SerializeToString())


main()
