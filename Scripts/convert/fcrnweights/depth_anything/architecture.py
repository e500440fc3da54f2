"""The layers of Depth Anything V2 in our file: names, kinds and shapes, from a few widths.

Source: L. Yang et al., "Depth Anything V2", NeurIPS 2024; the encoder is M. Oquab et al., "DINOv2", TMLR
2024, the head R. Ranftl et al., "Vision Transformers for Dense Prediction", ICCV 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..errors import ConversionError

ARCHITECTURE = "depth-anything-v2"
PATCH, HEAD_WIDTH, MLP_RATIO = 14, 64, 4
#: Pixels of a side that the networks were trained on, and positions of its patches and the class token.
INPUT_SIDE = 518
POSITIONS = 1 + (INPUT_SIDE // PATCH) ** 2
#: Blocks of a published encoder → after how many of them the four maps are taken.
TAKEN_BLOCKS = {12: (3, 6, 9, 12), 24: (5, 12, 18, 24)}
LIMIT_WIDTH, LIMIT_BLOCKS = 4096, 64
#: Of the picture, 0…1, per channel: those of ImageNet.
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """One group of the file."""

    kind: str  # "conv", "conv_transpose", "norm" or "embedding"
    shapes: Mapping[str, Shape]  # parameter → shape


@dataclass(frozen=True)
class Architecture:
    """What tells one network of the family from another."""

    width: int  # of a token
    blocks: int
    features: int  # channels of the head's maps
    channels: tuple[int, int, int, int]  # of the four maps before they become `features`
    last_features: int  # of the last map before depth
    taken_blocks: tuple[int, ...]

    def __post_init__(self) -> None:
        numbers = (self.width, self.features, self.last_features, *self.channels)
        if min(numbers) < 1 or max(numbers) > LIMIT_WIDTH or self.features % 2:
            raise ConversionError("the widths are those of no Depth Anything V2")
        if self.width % HEAD_WIDTH:
            raise ConversionError(f"tokens of {self.width} numbers are not made of heads of {HEAD_WIDTH}")
        if not 1 <= self.blocks <= LIMIT_BLOCKS:
            raise ConversionError(f"an encoder of {self.blocks} blocks is not known")
        taken = self.taken_blocks
        if len(taken) != 4 or list(taken) != sorted(set(taken)) or not 1 <= taken[0] <= taken[3] <= self.blocks:
            raise ConversionError(f"four maps cannot be taken after blocks {taken} of {self.blocks}")

    @property
    def heads(self) -> int:
        return self.width // HEAD_WIDTH

    @property
    def licence(self) -> str:
        """Of the published weights with this width of tokens."""
        return {384: "Apache-2.0", 768: "CC-BY-NC-4.0", 1024: "CC-BY-NC-4.0"}.get(self.width, "unknown")

    @cached_property
    def layers(self) -> dict[str, Layer]:
        """Every layer in the order of execution."""
        width, features = self.width, self.features
        layers = {
            "patch_embed": _convolution(width, 3, PATCH),
            "embeddings": Layer("embedding", {"class_token": (width,), "positions": (POSITIONS, width)}),
        }
        for i in range(self.blocks):
            layers |= {
                f"blocks.{i}.norm1": _norm(width),
                f"blocks.{i}.attn.qkv": _convolution(3 * width, width, 1),
                f"blocks.{i}.attn.proj": _convolution(width, width, 1),
                f"blocks.{i}.norm2": _norm(width),
                f"blocks.{i}.mlp.fc1": _convolution(MLP_RATIO * width, width, 1),
                f"blocks.{i}.mlp.fc2": _convolution(width, MLP_RATIO * width, 1),
            }
        layers["norm"] = _norm(width)
        for i, channels in enumerate(self.channels):
            layers[f"projects.{i}"] = _convolution(channels, width, 1)
        c0, c1, _, c3 = self.channels
        layers |= {"resize_layers.0": _convolution(c0, c0, 4, kind="conv_transpose"),
                   "resize_layers.1": _convolution(c1, c1, 2, kind="conv_transpose"),
                   "resize_layers.3": _convolution(c3, c3, 3)}
        for i, channels in enumerate(self.channels, 1):
            layers[f"layer{i}_rn"] = _convolution(features, channels, 3, bias=False)
        for i in (4, 3, 2, 1):
            for unit in ((2,) if i == 4 else (1, 2)):
                for j in (1, 2):
                    layers[f"refinenet{i}.resConfUnit{unit}.conv{j}"] = _convolution(features, features, 3)
            layers[f"refinenet{i}.out_conv"] = _convolution(features, features, 1)
        layers["output_conv1"] = _convolution(features // 2, features, 3)
        layers["output_conv2.0"] = _convolution(self.last_features, features // 2, 3)
        layers["output_conv2.2"] = _convolution(1, self.last_features, 1)
        return layers


def _convolution(outputs: int, inputs: int, side: int, bias: bool = True, kind: str = "conv") -> Layer:
    shapes: dict[str, Shape] = {"kernel": (outputs, inputs, side, side)}
    return Layer(kind, shapes | {"bias": (outputs,)} if bias else shapes)


def _norm(width: int) -> Layer:
    return Layer("norm", {"gamma": (width,), "beta": (width,)})
