"""MatConvNet's DagNN as a struct, in version 5 by SciPy."""

import numpy as np
import scipy.io

from fcrnweights.network import Tensors

from .common import Operation, Recorder, arguments

KINDS = {"convolution": "Conv", "norm": "BatchNorm", "relu": "ReLU", "add": "Sum", "pool": "Pooling",
         "interleave": "Combine"}


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


def parts(o: Operation) -> tuple[list[np.ndarray], dict]:
    """The parameters of a layer, and its block."""
    p = o.tensors
    if o.kind == "convolution":
        kernel = p["kernel"].transpose(2, 3, 1, 0)
        return [kernel, *([p["bias"].reshape(1, -1)] if "bias" in p else [])], {
            "size": np.array([kernel.shape], float), "hasBias": np.array([["bias" in p]]),
            "pad": np.array([o.padding], float), "stride": np.array([[o.stride, o.stride]], float)}
    if o.kind == "norm":
        sigma = np.sqrt(p["variance"].astype(np.float64) + 1e-4)
        return [p["gamma"].reshape(-1, 1), p["beta"].reshape(-1, 1), np.stack([p["mean"], sigma], 1)], {
            "numChannels": np.array([[float(len(sigma))]])}
    if o.kind == "relu":
        return [], {"leak": np.array([[0.0]])}
    if o.kind == "pool":
        return [], {"method": "max", "poolSize": np.array([[3.0, 3.0]]), "pad": np.array([[0.0, 1, 0, 1]]),
                    "stride": np.array([[2.0, 2.0]])}
    return [], {"numInputs": np.array([[float(len(o.inputs))]])}


def dag(tensors: Tensors, padding: str, shuffled: bool) -> dict:
    layers, params = [], []
    for i, o in enumerate(Recorder(tensors, "data", padding=padding).operations):
        values, block = parts(o)
        names = [f"p{len(params) + j}" for j in range(len(values))]
        params += [{"name": name, "value": value.astype(np.float32)} for name, value in zip(names, values)]
        layers.append({"name": f"l{i}", "type": f"dagnn.{KINDS[o.kind]}", "inputs": cell(o.inputs),
                       "outputs": cell([o.output]), "params": cell(names), "block": struct_array([block])})
    return {"layers": struct_array(layers[::-1] if shuffled else layers),  # DagNN sorts when it loads
            "params": struct_array(params),
            "meta": struct_array([{"normalization": struct_array([{"imageSize": np.array([[228.0, 304, 3]])}])}])}


def main() -> None:
    tensors, folder = arguments()
    scipy.io.savemat(folder / "NYU_ResNet-UpProj.mat", {"net": struct_array([dag(tensors, "topleft", False)])})
    scipy.io.savemat(folder / "Make3D_ResNet-UpProj.mat", dag(tensors, "bottomright", True), do_compression=True)


if __name__ == "__main__":
    main()
