"""State dicts by `torch.save` in both its forms, and a module that PyTorch itself exports to ONNX."""

from pathlib import Path

import torch

from fcrnweights.formats.torch_ports import proj_and_skip, published, torchvision
from fcrnweights.network import Tensors

from .common import HEIGHT, WIDTH, Operation, Recorder, arguments

NAMES = {"kernel": "weight", "gamma": "weight", "beta": "bias", "mean": "running_mean",
         "variance": "running_var"}


def state(tensors: Tensors, names: dict[str, str]) -> dict[str, torch.Tensor]:
    """`names`: module of the port → our layer."""
    made = {}
    for module, layer in names.items():
        for parameter, values in tensors[layer].items():
            made[f"{module}.{NAMES.get(parameter, parameter)}"] = torch.from_numpy(values.copy())
        if "mean" in tensors[layer]:
            made[f"{module}.num_batches_tracked"] = torch.tensor(0)
    return made


class Module(torch.nn.Module):
    """The network as PyTorch operations."""

    def __init__(self, tensors: Tensors) -> None:
        super().__init__()
        self.operations = Recorder(tensors, "image").operations
        for o in self.operations:
            for name, values in (o.tensors or {}).items():
                self.register_buffer(f"{o.output}_{name}", torch.from_numpy(values.copy()))

    def forward(self, image):
        made = {"image": image}
        for o in self.operations:
            x, *others = (made[i] for i in o.inputs)
            made[o.output] = x = self.step(o, {n: getattr(self, f"{o.output}_{n}") for n in o.tensors or ()}, x, *others)
        return x

    def step(self, o: Operation, p: dict, x, *others):
        functions = torch.nn.functional
        if o.kind == "convolution":
            t, b, l, r = o.padding
            if len(set(o.padding)) > 1:
                x, t = functions.pad(x, (l, r, t, b)), 0
            return functions.conv2d(x, p["kernel"], p.get("bias"), o.stride, t)
        if o.kind == "norm":
            return functions.batch_norm(x, p["mean"], p["variance"], p["gamma"], p["beta"], eps=1e-4)
        if o.kind == "relu":
            return torch.relu(x)
        if o.kind == "add":
            return x + others[0]
        if o.kind == "pool":
            return functions.max_pool2d(x, 3, 2, ceil_mode=True)
        n, channels, h, w = x.shape
        left, right = (torch.stack(p, 3).reshape(n, channels, 2 * h, w) for p in ((x, others[0]), others[1:]))
        return torch.stack((left, right), 4).reshape(n, channels, 2 * h, 2 * w)


def main() -> None:
    tensors, folder = arguments()
    plain = state(tensors, published())
    torch.save(plain, folder / "published.pth")
    torch.save(plain, folder / "legacy.pth", _use_new_zipfile_serialization=False)
    torch.save({"epoch": 3, "best": 0.5, "state_dict": {f"module.{k}": v.double() for k, v in plain.items()},
                "optimizer": {"lr": 0.01}}, folder / "checkpoint.pth.tar")
    torch.save(state(tensors, proj_and_skip()), folder / "proj-and-skip.pth")
    repaired = {m: l for m, l in torchvision().items() if l in tensors}
    torch.save(state(tensors, repaired), folder / "torchvision-names.pth")
    write_faults(tensors, repaired, folder)
    torch.onnx.export(Module(tensors).eval(), (torch.zeros(1, 3, HEIGHT, WIDTH),),
                      folder / "exported.onnx", dynamo=True)


def write_faults(tensors: Tensors, names: dict[str, str], folder: Path) -> None:
    """What must be refused: the ports that compute something else, and a module pickled whole."""
    port = state(tensors, names)
    dropped = {k: v for k, v in port.items() if k not in ("conv1.bias", "conv2.bias")}
    torch.save(dropped, folder / "dropped biases.pth")
    untouched = dict(port)
    for name, values in port.items():
        if name.endswith("running_mean"):
            untouched[name] = torch.zeros_like(values)
        if name.endswith("running_var"):
            untouched[name] = torch.ones_like(values)
    torch.save(untouched, folder / "untouched statistics.pth")
    torch.save({"upSample.layer1.upper_branch.faster_upconv.conv1_.conv1.weight": torch.zeros(1)},
               folder / "faster.pth")
    torch.save({"upSample.layer1.upper_branch.conv1.weight": torch.zeros(1)}, folder / "unpooling.pth")
    torch.save({f"features.{i}.weight": v for i, v in enumerate(port.values())}, folder / "unknown names.pth")
    torch.save(torch.nn.Conv2d(1, 1, 1), folder / "whole module.pth")


main()
