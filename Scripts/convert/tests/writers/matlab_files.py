"""MatConvNet's DagNN as a struct: version 5 by SciPy, version 7.3 by hdf5storage."""

from __future__ import annotations

from pathlib import Path

import hdf5storage
import numpy as np
import scipy.io

from fcrnweights.network import Tensors

from ..forward import Padding, forward
from .common import arguments


class DagBackend:
    """Layers and parameters with the names that MatConvNet's importer and user gave them."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self.layers: list[dict] = []
        self.params: list[dict] = []

    def _layer(self, kind: str, inputs: list[str], params: list[str], **block) -> str:
        out = f"x{len(self.layers) + 1}"
        self.layers.append({"name": f"l{len(self.layers)}", "type": f"dagnn.{kind}", "inputs": inputs,
                            "outputs": [out], "params": params, "block": block})
        return out

    def _param(self, values: np.ndarray) -> str:
        name = f"p{len(self.params)}"
        self.params.append({"name": name, "value": values.astype(np.float32)})
        return name

    def convolution(self, x: str, layer: str, stride: int, padding: Padding) -> str:
        p = self.tensors[layer]
        kernel = p["kernel"].transpose(2, 3, 1, 0)
        params = [self._param(kernel)] + ([self._param(p["bias"].reshape(1, -1))] if "bias" in p else [])
        return self._layer("Conv", [x], params, size=np.array([kernel.shape], float),
                           hasBias=np.array([["bias" in p]]), pad=np.array([padding], float),
                           stride=np.array([[stride, stride]], float))

    def norm(self, x: str, layer: str) -> str:
        p = self.tensors[layer]
        sigma = np.sqrt(p["variance"].astype(np.float64) + 1e-4)
        params = [self._param(v) for v in (p["gamma"].reshape(-1, 1), p["beta"].reshape(-1, 1),
                                           np.stack([p["mean"], sigma], 1))]
        return self._layer("BatchNorm", [x], params, numChannels=np.array([[float(len(sigma))]]))

    def relu(self, x: str) -> str:
        return self._layer("ReLU", [x], [], leak=np.array([[0.0]]))

    def add(self, x: str, y: str) -> str:
        return self._layer("Sum", [x, y], [], numInputs=np.array([[2.0]]))

    def pool(self, x: str) -> str:
        return self._layer("Pooling", [x], [], method="max", poolSize=np.array([[3.0, 3.0]]),
                           pad=np.array([[0.0, 1, 0, 1]]), stride=np.array([[2.0, 2.0]]))

    def interleave(self, a: str, b: str, c: str, d: str) -> str:
        return self._layer("Combine", [a, b, c, d], [], numInputs=np.array([[4.0]]))


def cell(values: list[str]) -> np.ndarray:
    made = np.empty((1, len(values)), object)
    made[0, :] = values
    return made


def struct_array(rows: list[dict]) -> np.ndarray:
    made = np.empty((1, len(rows)), [(name, object) for name in rows[0]])
    for i, row in enumerate(rows):
        for name, value in row.items():
            made[0, i][name] = value
    return made


def dag(tensors: Tensors, padding: str, shuffled: bool) -> dict:
    backend = DagBackend(tensors)
    last = forward(backend, "data", padding)
    if shuffled:  # DagNN sorts when it loads
        backend.layers.reverse()
    assert backend.layers[0 if shuffled else -1]["outputs"] == [last]
    rows = [layer | {key: cell(layer[key]) for key in ("inputs", "outputs", "params")}
            | {"block": struct_array([layer["block"]])} for layer in backend.layers]
    return {"layers": struct_array(rows), "params": struct_array(backend.params),
            "meta": struct_array([{"normalization": struct_array([{"imageSize": np.array([[228.0, 304, 3]])}])}])}


def main() -> None:
    tensors, folder = arguments()
    nyu, make3d = dag(tensors, "topleft", False), dag(tensors, "bottomright", True)
    scipy.io.savemat(folder / "NYU_ResNet-UpProj.mat", {"net": struct_array([nyu])})
    scipy.io.savemat(folder / "Make3D_ResNet-UpProj.mat", make3d, do_compression=True)
    write_73(folder / "version 7.3.mat", make3d)


def write_73(path: Path, net: dict) -> None:
    hdf5storage.savemat(str(path), {"net": struct_array([net])}, format="7.3", oned_as="row",
                        store_python_metadata=False, matlab_compatible=True)


main()
