"""Core ML neural networks, built and halved by coremltools."""

from typing import Any

import coremltools as ct
from coremltools.models import datatypes
from coremltools.models.neural_network import NeuralNetworkBuilder
from coremltools.models.neural_network.quantization_utils import quantize_weights

from fcrnweights.network import Tensors

from .common import HEIGHT, WIDTH, Recorder, arguments


def build(tensors: Tensors, padding: str, branches: tuple[str, str], bgr: bool) -> Any:
    builder = NeuralNetworkBuilder([("image", datatypes.Array(3, HEIGHT, WIDTH))],
                                   [("depthmap", None)], disable_rank5_shape_mapping=False)
    if bgr:  # a model for BGR pictures, scaled and centered by the model itself
        conv1 = tensors["conv1"]
        tensors = tensors | {"conv1": conv1 | {"kernel": conv1["kernel"][:, ::-1].copy()}}
    for o in Recorder(tensors, "image", padding=padding, order="DCBA", branches=branches).operations:
        out, p, inputs = o.output, o.tensors, list(o.inputs)
        if o.kind == "convolution":
            outputs, channels, rows, columns = p["kernel"].shape
            sides = {f"padding_{side}": n for side, n in zip(("top", "bottom", "left", "right"), o.padding)}
            builder.add_convolution(
                out, channels, outputs, rows, columns, o.stride, o.stride, "valid", 1, p["kernel"].transpose(2, 3, 1, 0),
                p.get("bias"), "bias" in p, input_name=inputs[0], output_name=out, **sides)
        elif o.kind == "norm":
            builder.add_batchnorm(out, len(p["mean"]), p["gamma"], p["beta"], p["mean"], p["variance"], inputs[0], out,
                                  epsilon=1e-4)
        elif o.kind == "relu":
            builder.add_activation(out, "RELU", inputs[0], out)
        elif o.kind == "add":
            builder.add_elementwise(out, inputs, out, "ADD")
        elif o.kind == "pool":
            builder.add_pooling(out, 3, 3, 2, 2, "MAX", "SAME", inputs[0], out)
        else:
            a, b, c, d = inputs
            builder.add_elementwise(f"{out} joined", [a, c, b, d], f"{out} joined", "CONCAT")
            builder.add_reorganize_data(out, f"{out} joined", out, mode="DEPTH_TO_SPACE", block_size=2)
    builder.add_activation("out", "LINEAR", out, "depthmap", [1.0, 0.0])
    builder.set_pre_processing_parameters(
        image_input_names=["image"], is_bgr=bgr, image_scale=0.5 if bgr else 1.0,
        red_bias=-3.0 if bgr else 0, green_bias=-2.0 if bgr else 0, blue_bias=-1.0 if bgr else 0)
    return builder.spec


def main() -> None:
    tensors, folder = arguments()
    spec = build(tensors, "topleft", ("br2", "br1"), bgr=False)
    (folder / "FCRN.mlmodel").write_bytes(spec.SerializeToString())
    half = quantize_weights(ct.models.MLModel(spec, skip_model_load=True), nbits=16)
    (folder / "FCRNFP16.mlmodel").write_bytes(getattr(half, "get_spec", lambda: half)().SerializeToString())
    (folder / "bgr.mlmodel").write_bytes(build(tensors, "bottomright", ("br1", "br2"), bgr=True).SerializeToString())
    weights = spec.neuralNetwork.layers[0].convolution.weights
    weights.ClearField("floatValue")
    weights.rawValue, weights.quantization.numberOfBits = bytes(tensors["conv1"]["kernel"].size), 8
    (folder / "eight-bit.mlmodel").write_bytes(spec.SerializeToString())


main()
