"""ONNX models, by the onnx package: batch norms apart, folded, partly folded, and faulty."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from fcrnweights.architecture import fcrn50
from fcrnweights.folding import affine, folded
from fcrnweights.network import Network, Tensors

from .common import HEIGHT, WIDTH, Operation, Recorder, arguments


class Model:
    """The nodes of a model; its norms become multiplications and additions where it `scales`."""

    def __init__(self, tensors: Tensors, scales: bool = False, fault: str = "") -> None:
        self.scales, self.fault = scales, fault
        self.nodes: list = []
        self.constants: list = []
        for operation in Recorder(tensors, "image", order="CADB", branches=("br2", "br1")).operations:
            getattr(self, operation.kind)(operation)
        self.output = operation.output
        if fault == "sigmoid":
            self.node("Sigmoid", [self.output], "wrong")
            self.output = "wrong"

    def constant(self, values: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def convolution(self, o: Operation) -> None:
        (t, b, l, r), stride = o.padding, o.stride
        if self.fault == "stride in the 3×3" and o.layer[:4] in ("res3", "res4", "res5") and o.layer[4] == "a":
            stride = {"2a": 1, "2b": 2}.get(o.layer[-2:], stride)
        self.node("Conv", [*o.inputs, *map(self.constant, o.tensors.values())], o.output,
                  kernel_shape=o.tensors["kernel"].shape[2:], strides=[stride] * 2, pads=[t, l, b, r])

    def norm(self, o: Operation) -> None:
        p, wrong = o.tensors, self.fault == "ReLU after layer1" and o.layer == "layer1_BN"
        output = o.output + "_" * wrong
        if self.scales:
            scale, shift = (self.constant(v.reshape(1, -1, 1, 1)) for v in affine(p))
            self.node("Add", [self.node("Mul", [*o.inputs, scale], f"{output} scaled"), shift], output)
        else:
            statistics = [self.constant(p[n]) for n in ("gamma", "beta", "mean", "variance")]
            self.node("BatchNormalization", [*o.inputs, *statistics], output, epsilon=1e-4)
        if wrong:
            self.node("Relu", [output], o.output)

    def relu(self, o: Operation) -> None:
        self.node("Relu", o.inputs, o.output)

    def add(self, o: Operation) -> None:
        self.node("Add", o.inputs, o.output)

    def pool(self, o: Operation) -> None:
        pads = [1, 1, 1, 1] if self.fault == "symmetric pooling" else [0, 0, 1, 1]
        self.node("MaxPool", o.inputs, o.output, kernel_shape=[3, 3], strides=[2, 2], pads=pads)

    def interleave(self, o: Operation) -> None:
        a, b, c, d = o.inputs
        parts = [a, b, c, d] if self.fault in ("pixel shuffle", "transposed parts") else [a, c, b, d]
        joined = self.node("Concat", parts, f"{o.output} joined", axis=1)
        self.node("DepthToSpace", [joined], o.output, blocksize=2, mode="CRD" if self.fault == "pixel shuffle" else "DCR")

    def write(self, path: Path, external: bool = False) -> None:
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "fcrn", [value("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])],
            [value(self.output, TensorProto.FLOAT, [1, 1, 128, 160])], self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
        onnx.save(model, path, save_as_external_data=external, location=f"{path.name}.data")


def main() -> None:
    tensors, folder = arguments()
    whole = folded(Network(fcrn50(16), tensors)).tensors
    partly = whole | {layer: parameters for layer, parameters in tensors.items() if "_br" in layer}
    Model(tensors).write(folder / "apart.onnx")
    Model(tensors).write(folder / "external.onnx", external=True)
    Model(whole).write(folder / "folded.onnx")
    Model(partly, scales=True).write(folder / "partly.onnx")
    for fault in ("stride in the 3×3", "symmetric pooling", "pixel shuffle", "transposed parts",
                  "ReLU after layer1", "sigmoid"):
        Model(tensors, fault=fault).write(folder / f"{fault}.onnx")


main()
