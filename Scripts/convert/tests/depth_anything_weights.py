"""Random weights of a small Depth Anything V2, in files under both naming schemes, by writers of our own.

Every tensor is drawn by NumPy from a seed made of its hub name, so that another implementation can have the same.
"""

from __future__ import annotations

import io
import json
import math
import pickle
import struct
import zipfile
import zlib
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np

State = dict[str, np.ndarray]

TINY_WIDTH, TINY_BLOCKS, TINY_FEATURES, TINY_CHANNELS = 128, 4, 16, (8, 12, 16, 24)


def shapes(width: int = TINY_WIDTH, blocks: int = TINY_BLOCKS, features: int = TINY_FEATURES,
           channels: tuple[int, ...] = TINY_CHANNELS) -> dict[str, tuple[int, ...]]:
    """Every tensor under its hub name."""
    made: dict[str, tuple[int, ...]] = {}

    def layer(name: str, *shape: int, bias: bool = True, outputs: int | None = None) -> None:
        made[name + ".weight"] = shape
        if bias:
            made[name + ".bias"] = (shape[0] if outputs is None else outputs,)

    made |= {f"backbone.embeddings.{name}": shape for name, shape in (
        ("cls_token", (1, 1, width)), ("mask_token", (1, width)), ("position_embeddings", (1, 1370, width)))}
    layer("backbone.embeddings.patch_embeddings.projection", width, 3, 14, 14)
    for i in range(blocks):
        block = f"backbone.encoder.layer.{i}."
        for part in ("query", "key", "value"):
            layer(f"{block}attention.attention.{part}", width, width)
        layer(block + "attention.output.dense", width, width)
        layer(block + "mlp.fc1", 4 * width, width)
        layer(block + "mlp.fc2", width, 4 * width)
        for j in (1, 2):
            layer(f"{block}norm{j}", width)
            made[f"{block}layer_scale{j}.lambda1"] = (width,)
    layer("backbone.layernorm", width)
    for i, count in enumerate(channels):
        layer(f"neck.reassemble_stage.layers.{i}.projection", count, width, 1, 1)
        if i != 2:
            side = {0: 4, 1: 2, 3: 3}[i]
            layer(f"neck.reassemble_stage.layers.{i}.resize", count, count, side, side)
        layer(f"neck.convs.{i}", features, count, 3, 3, bias=False)
        fusion = f"neck.fusion_stage.layers.{i}."
        layer(fusion + "projection", features, features, 1, 1)
        for unit in (1, 2):
            for j in (1, 2):
                layer(f"{fusion}residual_layer{unit}.convolution{j}", features, features, 3, 3)
    layer("head.conv1", features // 2, features, 3, 3)
    layer("head.conv2", 32, features // 2, 3, 3)
    layer("head.conv3", 1, 32, 1, 1)
    return made


def hub_state(**sizes: Any) -> State:
    return {name: _values(name, shape).astype("<f4") for name, shape in shapes(**sizes).items()}


def _values(name: str, shape: tuple[int, ...]) -> np.ndarray:
    dice = np.random.default_rng(zlib.crc32(name.encode()))
    leaf = name.split(".")[-1]
    if name.endswith(("norm1.weight", "norm2.weight", "layernorm.weight")):
        return 1 + 0.1 * dice.standard_normal(shape)
    if leaf == "lambda1":
        return 0.3 + 0.05 * dice.standard_normal(shape)
    if leaf == "bias":
        return 0.02 * dice.standard_normal(shape)
    if leaf == "weight":
        gain = {"head.conv3.weight": 0.02, "head.conv1.weight": 0.7}.get(name, 1.2)
        return dice.standard_normal(shape) * (gain / np.sqrt(np.prod(shape[1:])))
    return 0.2 * dice.standard_normal(shape)


def authors_state(hub: State) -> State:
    """The same under the authors' names, written down apart from the converter's own table."""
    blocks = sum(name.endswith("layer_scale1.lambda1") for name in hub)
    made = {"pretrained.cls_token": hub["backbone.embeddings.cls_token"],
            "pretrained.pos_embed": hub["backbone.embeddings.position_embeddings"],
            "pretrained.mask_token": hub["backbone.embeddings.mask_token"]}
    modules = {"pretrained.patch_embed.proj": "backbone.embeddings.patch_embeddings.projection",
               "pretrained.norm": "backbone.layernorm"}
    for i in range(blocks):
        ours, theirs = f"pretrained.blocks.{i}.", f"backbone.encoder.layer.{i}."
        for name in ("norm1", "norm2", "mlp.fc1", "mlp.fc2"):
            modules[ours + name] = theirs + name
        modules[ours + "attn.proj"] = theirs + "attention.output.dense"
        for j in (1, 2):
            made[f"{ours}ls{j}.gamma"] = hub[f"{theirs}layer_scale{j}.lambda1"]
        for leaf in ("weight", "bias"):
            made[f"{ours}attn.qkv.{leaf}"] = np.concatenate(
                [hub[f"{theirs}attention.attention.{part}.{leaf}"] for part in ("query", "key", "value")])
    for i in range(4):
        modules[f"depth_head.projects.{i}"] = f"neck.reassemble_stage.layers.{i}.projection"
        modules[f"depth_head.resize_layers.{i}"] = f"neck.reassemble_stage.layers.{i}.resize"
        modules[f"depth_head.scratch.layer{i + 1}_rn"] = f"neck.convs.{i}"
        ours, theirs = f"depth_head.scratch.refinenet{4 - i}.", f"neck.fusion_stage.layers.{i}."
        modules[ours + "out_conv"] = theirs + "projection"
        for unit in (1, 2):
            for j in (1, 2):
                modules[f"{ours}resConfUnit{unit}.conv{j}"] = f"{theirs}residual_layer{unit}.convolution{j}"
    for ours, theirs in (("output_conv1", "conv1"), ("output_conv2.0", "conv2"), ("output_conv2.2", "conv3")):
        modules["depth_head.scratch." + ours] = "head." + theirs
    for ours, theirs in modules.items():
        made |= {f"{ours}.{leaf}": hub[f"{theirs}.{leaf}"] for leaf in ("weight", "bias") if f"{theirs}.{leaf}" in hub}
    return made


def config(largest_depth: float | None = None, blocks: int = TINY_BLOCKS, taken: tuple[int, ...] = (1, 2, 3, 4),
           **changed: Any) -> dict[str, Any]:
    """The config.json of the hub's files."""
    backbone = {"model_type": "dinov2", "num_hidden_layers": blocks, "out_features": [f"stage{i}" for i in taken],
                "patch_size": 14, "reshape_hidden_states": False}
    return {"architectures": ["DepthAnythingForDepthEstimation"], "backbone_config": backbone,
            "model_type": "depth_anything", "max_depth": largest_depth,
            "depth_estimation_type": "relative" if largest_depth is None else "metric",
            "reassemble_factors": [4, 2, 1, 0.5]} | changed


def write_hub(folder: Path, state: State, facts: dict[str, Any] | None = None, dtype: str = "F32") -> Path:
    """model.safetensors, and config.json beside it; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    if facts is not None:
        (folder / "config.json").write_text(json.dumps(facts))
    path = folder / "model.safetensors"
    path.write_bytes(safetensors(state, dtype))
    return path


def safetensors(state: State, dtype: str = "F32") -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, values in state.items():
        raw = encoded(values, dtype)
        header[name] = {"dtype": dtype, "shape": list(values.shape), "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    return with_header(header, body)


def with_header(header: Any, body: bytes) -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def encoded(values: np.ndarray, dtype: str) -> bytes:
    """BF16 cuts the lower half off, so tests round before they write."""
    if dtype == "BF16":
        return (np.ascontiguousarray(values, "<f4").view("<u4") >> 16).astype("<u2").tobytes()
    return values.astype({"F32": "<f4", "F16": "<f2"}[dtype]).tobytes()


class _Name:
    """Is pickled as a global name; a call of it is pickled as an object that the name builds."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __reduce__(self) -> str:
        return self.name

    def __call__(self) -> None: ...


class _Tensor:
    def __init__(self, key: str, values: np.ndarray) -> None:
        self.key, self.values = key, values

    def __reduce__(self) -> tuple:
        strides = [math.prod(self.values.shape[i + 1:]) for i in range(self.values.ndim)]
        return _Name("torch._utils", "_rebuild_tensor_v2"), (_Storage(self), 0, self.values.shape, tuple(strides), False,
                                                            OrderedDict())


class _Storage:
    def __init__(self, tensor: _Tensor) -> None:
        self.tensor = tensor


class _Pickler(pickle._Pickler):  # type: ignore[name-defined]
    """Names need not be importable here: there is no PyTorch."""

    is_legacy = False

    def save_global(self, obj: Any, name: str | None = None) -> None:
        if isinstance(obj, _Name):
            self.write(pickle.GLOBAL + f"{obj.module}\n{obj.name}\n".encode())
        else:
            super().save_global(obj, name)

    def persistent_id(self, obj: Any) -> Any:
        if not isinstance(obj, _Storage):
            return None
        kind = {"f4": "FloatStorage", "f2": "HalfStorage", "f8": "DoubleStorage", "i8": "LongStorage"}
        values = obj.tensor.values
        identifier = ("storage", _Name("torch", kind[values.dtype.str[1:]]), obj.tensor.key, "cpu", values.size)
        return (*identifier, None) if self.is_legacy else identifier


class _LegacyPickler(_Pickler):
    is_legacy = True


def write_pth(path: Path, state: State, wrap: str | None = None) -> Path:
    """What `torch.save` writes since version 1.6."""
    tensors = [_Tensor(str(i), values) for i, values in enumerate(state.values())]
    value: Any = OrderedDict(zip(state, tensors, strict=True))
    stream = io.BytesIO()
    _Pickler(stream, 2).dump({wrap: value} if wrap else value)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", stream.getvalue())
        archive.writestr("archive/byteorder", "little")
        for tensor in tensors:
            archive.writestr(f"archive/data/{tensor.key}", tensor.values.tobytes())
        archive.writestr("archive/version", "3\n")
    return path


def write_legacy_pth(path: Path, state: State) -> Path:
    """What it wrote before."""
    tensors = [_Tensor(str(i), values) for i, values in enumerate(state.values())]
    stream = io.BytesIO()
    for value in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}):
        pickle.dump(value, stream, 2)
    _LegacyPickler(stream, 2).dump(OrderedDict(zip(state, tensors, strict=True)))
    pickle.dump([tensor.key for tensor in tensors], stream, 2)
    for tensor in tensors:
        stream.write(struct.pack("<q", tensor.values.size) + tensor.values.tobytes())
    path.write_bytes(stream.getvalue())
    return path
