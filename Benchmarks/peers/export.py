"""Writes the generated FCRN-50 for everybody who is compared: our HDF5, and ONNX.

    export.py FOLDER        full.h5, fcrn.onnx, and deconv5.onnx for runtimes without depth-to-space

`deconv5` puts one 5×5 transposed convolution of the same cost in the place of each quartet, with numbers
that mean nothing: it is good for time and for nothing else.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from fcrnweights.archive import write
from fcrnweights.architecture import fcrn50
from fcrnweights.network import Network
from fcrnweights.source import Source
from forward import forward
from tests.generator import tensors

HEIGHT, WIDTH, EPSILON = 228, 304, 1e-4


class Graph:
    """A backend of `forward` that writes ONNX nodes; batch norms go into the kernels before them."""

    def __init__(self, values: dict, deconvolves: bool) -> None:
        self.architecture = fcrn50()
        self.values = values
        self.deconvolves = deconvolves
        self.nodes: list = []
        self.constants: list = []

    def name(self) -> str:
        return f"v{len(self.nodes) + len(self.constants)}"

    def constant(self, array: np.ndarray) -> str:
        name = self.name()
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name))
        return name

    def node(self, kind: str, *inputs: str, **attributes) -> str:
        name = self.name()
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def folded(self, layer: str) -> tuple[np.ndarray, np.ndarray]:
        own = {k: v.astype(np.float64) for k, v in self.values[layer].items()}
        kernel, bias = own["kernel"], own.get("bias", np.zeros(own["kernel"].shape[0]))
        norm = self.architecture.by_name[layer].norm
        if norm:
            n = {k: v.astype(np.float64) for k, v in self.values[norm].items()}
            scale = n["gamma"] / np.sqrt(n["variance"] + EPSILON)
            kernel = kernel * scale[:, None, None, None]
            bias = (bias - n["mean"]) * scale + n["beta"]
        return kernel, bias

    def convolution(self, x: str, layer: str, stride: int, padding: tuple) -> str:
        if self.deconvolves and self.architecture.by_name[layer].is_quarter:
            return f"{x}|{layer}"  # interleave() makes one node of four
        kernel, bias = self.folded(layer)
        top, bottom, left, right = padding
        return self.node("Conv", x, self.constant(kernel), self.constant(bias), strides=[stride] * 2,
                         kernel_shape=list(kernel.shape[2:]), pads=[top, left, bottom, right])

    def interleave(self, a: str, b: str, c: str, d: str) -> str:
        if not self.deconvolves:
            joined = self.node("Concat", a, c, b, d, axis=1)
            return self.node("DepthToSpace", joined, blocksize=2, mode="DCR")
        x, layer = a.split("|")
        kernel, bias = self.folded(layer)
        noise = np.random.default_rng(0).standard_normal((kernel.shape[1], kernel.shape[0], 5, 5))
        return self.node("ConvTranspose", x, self.constant(noise * kernel.std() / 2), self.constant(bias),
                         kernel_shape=[5, 5], strides=[2, 2], pads=[2] * 4, output_padding=[1, 1])

    def norm(self, x: str, layer: str) -> str:
        return x

    def relu(self, x: str) -> str:
        return self.node("Relu", x)

    def add(self, x: str, y: str) -> str:
        return self.node("Add", x, y)

    def pool(self, x: str) -> str:
        return self.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1])

    def save(self, path: Path) -> None:
        output = forward(self, "image")
        graph = helper.make_graph(
            self.nodes, "fcrn", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)], self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def bounded(values: dict) -> dict:
    """The same weights with activations of order one: kernels by He et al. (2015), norms with the variance that follows."""
    for name, own in values.items():
        if "kernel" in own:
            own["kernel"] *= np.float32(np.sqrt(6 / own["kernel"][0].size))
        else:
            own["variance"] += np.float32(1.5)
            own["mean"] *= np.float32(0.25)
            own["gamma"] *= np.float32(0.5 if name.endswith("branch2c") else 1)
    values["bn_conv1"]["variance"] *= np.float32(16384)
    return values


def main() -> None:
    folder = Path(sys.argv[1])
    values = bounded(tensors(fcrn50()))
    network = Network(fcrn50(), values)
    write(folder / "full.h5", network, "float32", Source("generated weights", "0" * 64, "generated"))
    Graph(values, deconvolves=False).save(folder / "fcrn.onnx")
    Graph(values, deconvolves=True).save(folder / "deconv5.onnx")


if __name__ == "__main__":
    main()
