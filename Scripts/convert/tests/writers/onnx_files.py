"""ONNX models, by the onnx package: batch norms apart, folded, partly folded, and faulty."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from fcrnweights.folding import affine, fold
from fcrnweights.network import Tensors

from ..forward import Padding, forward
from .common import HEIGHT, WIDTH, arguments


class NodeBackend:
    """`mode`: "apart" writes BatchNormalization, "folded" folds every norm, "partly" all but those
    after an interleaving, which become a multiplication and an addition."""

    def __init__(self, tensors: Tensors, mode: str, fault: str = "") -> None:
        self.tensors, self.mode, self.fault = tensors, mode, fault
        self.nodes: list = []
        self.constants: list = []
        self.norm_of = self._norms()

    def _norms(self) -> dict[str, str]:
        from fcrnweights.architecture import fcrn50
        return {c.name: c.norm for c in fcrn50().convolutions}

    def _constant(self, values: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))
        return name

    def _node(self, kind: str, inputs: list[str], **attributes) -> str:
        out = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], **attributes))
        return out

    def _folds(self, norm: str | None) -> bool:
        after_interleave = norm is not None and norm.endswith(("br1_BN", "br2_BN"))
        return norm is not None and (self.mode == "folded" or (self.mode == "partly" and not after_interleave))

    def convolution(self, x: str, layer: str, stride: int, padding: Padding) -> str:
        kernel, bias = self.tensors[layer]["kernel"], self.tensors[layer].get("bias")
        norm = self.norm_of[layer]
        if self._folds(norm):
            kernel, bias = fold(kernel, np.zeros(len(kernel)) if bias is None else bias,
                                *affine(self.tensors[norm]))
        t, b, l, r = padding
        inputs = [x, self._constant(kernel)] + ([] if bias is None else [self._constant(bias)])
        if self.fault == "stride in the 3×3" and layer[:4] in ("res3", "res4", "res5") and layer[4] == "a":
            stride = {"2a": 1, "2b": 2}.get(layer[-2:], stride)
        return self._node("Conv", inputs, kernel_shape=kernel.shape[2:], strides=[stride] * 2, pads=[t, l, b, r])

    def norm(self, x: str, layer: str) -> str:
        if self._folds(layer):
            return x
        p = self.tensors[layer]
        if self.mode == "partly":
            scale, shift = (v.reshape(1, -1, 1, 1) for v in affine(p))
            return self._node("Add", [self._node("Mul", [x, self._constant(scale)]), self._constant(shift)])
        inputs = [x] + [self._constant(p[n]) for n in ("gamma", "beta", "mean", "variance")]
        y = self._node("BatchNormalization", inputs, epsilon=1e-4)
        return self.relu(y) if self.fault == "ReLU after layer1" and layer == "layer1_BN" else y

    def relu(self, x: str) -> str:
        return self._node("Relu", [x])

    def add(self, x: str, y: str) -> str:
        return self._node("Add", [x, y])

    def pool(self, x: str) -> str:
        pads = [1, 1, 1, 1] if self.fault == "symmetric pooling" else [0, 0, 1, 1]
        return self._node("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=pads)

    def interleave(self, a: str, b: str, c: str, d: str) -> str:
        parts = [a, b, c, d] if self.fault in ("pixel shuffle", "transposed parts") else [a, c, b, d]
        mode = "CRD" if self.fault == "pixel shuffle" else "DCR"
        return self._node("DepthToSpace", [self._node("Concat", parts, axis=1)], blocksize=2, mode=mode)


def write(path: Path, tensors: Tensors, mode: str, fault: str = "", external: bool = False) -> None:
    backend = NodeBackend(tensors, mode, fault)
    out = forward(backend, "image", order="CADB", branches=("br2", "br1"))
    if fault == "sigmoid":
        out = backend._node("Sigmoid", [out])
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        backend.nodes, "fcrn", [value("image", TensorProto.FLOAT, [1, 3, HEIGHT, WIDTH])],
        [value(out, TensorProto.FLOAT, [1, 1, 128, 160])], backend.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    onnx.save(model, path, save_as_external_data=external, location=f"{path.name}.data")


def main() -> None:
    tensors, folder = arguments()
    for mode in ("apart", "folded", "partly"):
        write(folder / f"{mode}.onnx", tensors, mode)
    write(folder / "external.onnx", tensors, "apart", external=True)
    for fault in ("stride in the 3×3", "symmetric pooling", "pixel shuffle", "transposed parts",
                  "ReLU after layer1", "sigmoid"):
        write(folder / f"{fault}.onnx", tensors, "apart", fault)


main()
