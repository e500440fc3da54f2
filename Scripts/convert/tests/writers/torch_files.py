"""State dicts by `torch.save` in both its forms, and a module that PyTorch itself exports to ONNX."""

from __future__ import annotations

from pathlib import Path

import torch

from fcrnweights.formats.torch_ports import proj_and_skip, published, torchvision
from fcrnweights.network import Tensors

from .common import HEIGHT, WIDTH, arguments, forward

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
        for layer, parameters in tensors.items():
            for name, values in parameters.items():
                self.register_buffer(f"{layer}_{name}", torch.from_numpy(values.copy()))

    def _get(self, layer: str, name: str):
        return getattr(self, f"{layer}_{name}", None)

    def convolution(self, x, layer: str, stride: int, padding: tuple[int, ...]):
        t, b, l, r = padding
        if len(set(padding)) > 1:
            x, t = torch.nn.functional.pad(x, (l, r, t, b)), 0
        return torch.nn.functional.conv2d(x, self._get(layer, "kernel"), self._get(layer, "bias"), stride, t)

    def norm(self, x, layer: str):
        return torch.nn.functional.batch_norm(
            x, *(self._get(layer, n) for n in ("mean", "variance", "gamma", "beta")), eps=1e-4)

    def relu(self, x):
        return torch.relu(x)

    def add(self, x, y):
        return x + y

    def pool(self, x):
        return torch.nn.functional.max_pool2d(x, 3, 2, ceil_mode=True)

    def interleave(self, a, b, c, d):
        n, channels, h, w = a.shape
        left, right = (torch.stack(p, 3).reshape(n, channels, 2 * h, w) for p in ((a, b), (c, d)))
        return torch.stack((left, right), 4).reshape(n, channels, 2 * h, 2 * w)

    def forward(self, x):
        return forward(self, x)


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
