"""A network of the family in memory, made from a state dict under the authors' names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import ConversionError
from ..precision import reduced_kernel, restored_kernel
from .architecture import Architecture, Shape
from .kinds import Meaning
from .names import BLOCK, HEAD, SCRATCH, UNUSED, State

#: Layer → parameter → values.
Tensors = dict[str, dict[str, np.ndarray]]
#: Gives the tensor of a name, once it is known to have a shape.
Take = Callable[[str, Shape], np.ndarray]
PARAMETERS = {"kernel": "weight", "bias": "bias", "gamma": "weight", "beta": "bias"}
#: Layers whose outputs LayerScale multiplies → the factors' name in the same block.
SCALED = {"attn.proj": "ls1.gamma", "mlp.fc2": "ls2.gamma"}


@dataclass(frozen=True)
class DepthAnything:
    """Weights and what their numbers mean."""

    architecture: Architecture
    meaning: Meaning
    tensors: Tensors

    def reduced(self, precision: str) -> DepthAnything:
        """Kernels in `precision`, and embeddings too where it is float16; the rest stays float32."""
        if precision == "float32":
            return self
        tensors: Tensors = {}
        for layer, parameters in self.tensors.items():
            tensors[layer] = dict(parameters)
            if "kernel" in parameters:
                tensors[layer] |= reduced_kernel(layer, parameters["kernel"], precision)
            elif precision == "float16" and "positions" in parameters:
                for name, values in parameters.items():
                    tensors[layer][name] = reduced_kernel(f"{layer}/{name}", values, precision)["kernel"]
        return replace(self, tensors=tensors)

    def restored(self) -> DepthAnything:
        """Everything widened to float32, as a reader sees it."""
        tensors: Tensors = {}
        for layer, parameters in self.tensors.items():
            tensors[layer] = {name: values.astype("<f4") for name, values in parameters.items() if name != "scale"}
            if "kernel" in parameters:
                tensors[layer]["kernel"] = restored_kernel(parameters)
        return replace(self, tensors=tensors)


def blocks_of(state: State) -> int:
    """Blocks of the encoder."""
    found = {int(match[1]) for name in state if (match := re.match(r"pretrained\.blocks\.(\d{1,3})\.", name))}
    if found != set(range(len(found))) or not found:
        raise ConversionError("it holds no Depth Anything V2: the blocks of its encoder are not numbered from 0")
    return len(found)


def architecture_of(state: State, taken_blocks: tuple[int, ...]) -> Architecture:
    """The architecture with the widths of the tensors in `state`."""
    def outputs(name: str) -> int:
        if name not in state:
            raise ConversionError(f"'{name}' is missing")
        if state[name].ndim != 4:
            raise ConversionError(f"'{name}' has {state[name].ndim} dimensions, expected 4")
        return state[name].shape[0]
    a, b, c, d = (outputs(f"{HEAD}projects.{i}.weight") for i in range(4))
    return Architecture(outputs("pretrained.patch_embed.proj.weight"), blocks_of(state),
                        outputs(f"{SCRATCH}layer1_rn.weight"), (a, b, c, d),
                        outputs(f"{SCRATCH}output_conv2.0.weight"), taken_blocks)


def tensors_of(state: State, architecture: Architecture) -> Tensors:
    """Our tensors, each known to be there, of its shape and finite; nothing may be left over."""
    left = {name for name in state if not UNUSED.fullmatch(name)}

    def take(name: str, shape: tuple[int, ...]) -> np.ndarray:
        left.discard(name)
        return _checked(name, state.get(name), shape)

    tensors: Tensors = {}
    for layer, described in architecture.layers.items():
        if described.kind == "embedding":
            positions, width = described.shapes["positions"]
            tensors[layer] = {
                "class_token": take("pretrained.cls_token", (1, 1, width)).reshape(width),
                "positions": take("pretrained.pos_embed", (1, positions, width)).reshape(positions, width)}
            continue
        theirs = _authors_layer(layer)
        tensors[layer] = {parameter: _from_theirs(take, f"{theirs}.{PARAMETERS[parameter]}", shape, described.kind)
                          for parameter, shape in described.shapes.items()}
        for suffix, factors in SCALED.items():
            if theirs.startswith(BLOCK) and theirs.endswith(suffix):
                gamma = take(theirs.removesuffix(suffix) + factors, (architecture.width,))
                tensors[layer] = _scaled(theirs, tensors[layer], gamma)
    for name in sorted(left):
        raise ConversionError(f"'{name}' is no tensor of Depth Anything V2")
    return tensors


def _authors_layer(layer: str) -> str:
    if layer == "patch_embed":
        return "pretrained.patch_embed.proj"
    if layer.startswith(("blocks.", "norm")):
        return "pretrained." + layer
    return (HEAD if layer.startswith(("projects.", "resize_layers.")) else SCRATCH) + layer


def _from_theirs(take: Take, name: str, shape: Shape, kind: str) -> np.ndarray:
    """Linear layers become 1 × 1 kernels; transposed ones, input × output there, are turned round."""
    if len(shape) == 4 and ".blocks." in name:
        return take(name, shape[:2]).reshape(shape)
    if len(shape) == 4 and kind == "conv_transpose":
        outputs, inputs, *sides = shape
        return np.ascontiguousarray(take(name, (inputs, outputs, *sides)).transpose(1, 0, 2, 3))
    return take(name, shape)


def _scaled(layer: str, parameters: dict[str, np.ndarray], gamma: np.ndarray) -> dict[str, np.ndarray]:
    """A layer whose output is multiplied by `gamma`, computed in float64 and rounded once."""
    factors = gamma.astype(np.float64)
    folded = {"kernel": parameters["kernel"] * factors[:, None, None, None], "bias": parameters["bias"] * factors}
    return {name: _checked(f"{layer}.{PARAMETERS[name]}", values, values.shape) for name, values in folded.items()}


def _checked(name: str, values: np.ndarray | None, shape: tuple[int, ...]) -> np.ndarray:
    """`values` in contiguous float32."""
    if values is None:
        raise ConversionError(f"'{name}' is missing")
    if values.dtype.kind != "f":
        raise ConversionError(f"'{name}' holds {values.dtype}, not floating-point numbers")
    if values.shape != shape:
        raise ConversionError(f"'{name}' has shape {'×'.join(map(str, values.shape))}, "
                              f"expected {'×'.join(map(str, shape))}")
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(values, "<f4")
    if not np.isfinite(values).all():
        raise ConversionError(f"'{name}' holds values that are not finite")
    return values
