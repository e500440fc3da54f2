"""FCRN's up-projections on EfficientNet-Lite2, layer by layer under the names of `fcrnweights.architecture`.

Sources: M. Tan, Q. Le, "EfficientNet", ICML 2019, table 1, in the Lite variant (ReLU6, no squeeze-and-excitation); M. Sandler
et al., "MobileNetV2", CVPR 2018, figure 3b; W. Liu et al., "ParseNet", 2015 (global context); I. Laina et al., 3DV 2016 (the
up-projections).
"""

import torch
import torch.nn.functional as F
from fcrnweights.architecture import LITE2_SKIPS, UP_PROJECTIONS, Architecture, Convolution
from torch import Tensor, nn

from . import depthwise
from .network import BN_EPSILON, TYPICAL_DEPTH, UpProjections

#: The encoder's batch norms add this, as ImageNet's weights were trained.
ENCODER_EPSILON = 1e-3
#: The network's input is (pixel − 127) / 128; the exported stem divides, so that codes of pixels stay whole.
PIXEL_MEAN, PIXEL_SCALE = 127.0, 128.0
#: Natural logarithm of the relative error that an untrained network expects.
TYPICAL_LOG_ERROR = -2.0


class LiteFCRN(UpProjections):
    """Pixels (N, 3, H, W) in 0…255 → (N, 2, h, w): ln metres and ln expected relative error.

    Every convolution of the encoder has a batch norm here, which `exchange.py` folds.
    """

    def __init__(self, architecture: Architecture) -> None:
        super().__init__(architecture, _norm_of)
        begin_head(self.convolutions)
        self.blocks = list(dict.fromkeys(name.split("_")[0] for name in self.convolutions if name.startswith("block")))
        #: How often the deepest blocks' branches are left out in training (G. Huang et al., "Deep Networks with Stochastic
        #: Depth", ECCV 2016); the first ones' less.
        self.largest_drop = 0.15
        #: Whether the encoder's norms keep ImageNet's statistics, so that steps take a fifth less.
        self.frozen_norms = True

    @property
    def fresh(self) -> set[str]:
        """Layers that ImageNet's weights do not have."""
        return {name for name in (*self.convolutions, *self.norms) if not in_encoder(name)}

    def load_imagenet(self, state: dict[str, Tensor]) -> None:
        """Copies the encoder of `efficientnet_lite_pytorch`, whose blocks are numbered from 0."""
        norms = {"expand": "_bn0", "depthwise": "_bn1", "project": "_bn2"}
        with torch.no_grad():
            for name in filter(in_encoder, self.convolutions):
                if name == "stem_conv":
                    convolution, norm = "_conv_stem", "_bn0"
                else:
                    block, part = name.split("_")
                    prefix = f"_blocks.{self.blocks.index(block)}."
                    convolution, norm = f"{prefix}_{part}_conv", prefix + norms[part]
                self.convolutions[name].weight.copy_(state[f"{convolution}.weight"])
                for parameter in ("weight", "bias", "running_mean", "running_var"):
                    getattr(self.norms[name], parameter).copy_(state[f"{norm}.{parameter}"])

    def freeze(self, stages: int) -> None:
        """Leaves the stem and the first `stages` stages as they are.

        No gradients are computed there, where maps are largest. With 0 stages the stem is trained too.
        """
        if stages == 0:
            return
        for name in (*self.convolutions, *self.norms):
            if name.startswith("stem_") or (name.startswith("block") and int(name[5]) <= stages):
                for module in (layers[name] for layers in (self.convolutions, self.norms) if name in layers):
                    module.requires_grad_(False)

    @property
    def deepest(self) -> str:
        """The block whose map the decoder begins with."""
        return self.blocks[-1][5:]

    def encoded(self, pixels: Tensor) -> dict[str, Tensor]:
        """Every block's map, `1a` first."""
        x = ((pixels - PIXEL_MEAN) / PIXEL_SCALE).contiguous(memory_format=torch.channels_last)
        x = F.relu6(self._layer("stem_conv", x))
        maps = {}
        for block in self.blocks:
            x = maps[block[5:]] = self._inverted_residual(block, x)
        return maps

    def forward(self, pixels: Tensor) -> Tensor:
        maps = self.encoded(pixels)
        x = self._layer("layer1", maps[self.deepest])
        if self.architecture.global_context:
            x = with_context(self.convolutions["layer1_context"], x)
        for tag in UP_PROJECTIONS:
            x = self._up_projection(f"layer{tag}", x)
            if self.architecture.skip_connections:
                x = F.relu(x + self._layer(f"layer{tag}_skip", maps[LITE2_SKIPS[tag]]))
        return self._layer("ConvPred", x).float()

    def _layer(self, name: str, x: Tensor, padding: int | None = None) -> Tensor:
        layer = self.architecture.by_name[name]
        padding = layer.shape[2] // 2 if padding is None else padding
        folded = self.frozen_norms and in_encoder(name)
        kernel, bias = self._folded(name) if folded else (self.convolutions[name].weight, self.convolutions[name].bias)
        y = F.conv2d(x, kernel, bias, layer.stride, padding, groups=layer.groups)
        return y if folded else self._normed(name if in_encoder(name) else layer.norm, y)

    def _folded(self, name: str) -> tuple[Tensor, Tensor]:
        """Kernel and bias of a layer of the encoder with its norm's statistics in them."""
        norm = self.norms[name]
        scale = norm.weight * (norm.running_var + norm.eps).rsqrt()
        return self.convolutions[name].weight * scale.view(-1, 1, 1, 1), norm.bias - norm.running_mean * scale

    def _filtered(self, name: str, x: Tensor) -> Tensor:
        """ReLU6, depthwise convolution, ReLU6."""
        if self.frozen_norms and depthwise.is_used(x, self.convolutions[name].weight):
            return depthwise.Depthwise.apply(x, *self._folded(name), self.architecture.by_name[name].stride)
        return F.relu6(self._layer(name, F.relu6(x)))

    def _inverted_residual(self, block: str, x: Tensor) -> Tensor:
        y = self._layer(f"{block}_expand", x) if f"{block}_expand" in self.convolutions else x
        y = self._layer(f"{block}_project", self._filtered(f"{block}_depthwise", y))
        if y.shape != x.shape:
            return y
        if self.training and self.largest_drop > 0 and y.requires_grad:
            share = self.largest_drop * self.blocks.index(block) / len(self.blocks)
            y = y * ((torch.rand(len(y), 1, 1, 1, device=y.device) >= share) / (1 - share)).to(y.dtype)
        return y + x


def _norm_of(layer: Convolution) -> tuple[str, dict[str, float]] | None:
    if in_encoder(layer.name):
        return layer.name, {"eps": ENCODER_EPSILON, "momentum": 0.02}
    return (layer.norm, {"eps": BN_EPSILON}) if layer.norm else None


def in_encoder(name: str) -> bool:
    return name.startswith(("stem_", "block"))


def with_context(convolution: nn.Conv2d, x: Tensor) -> Tensor:
    return x + convolution(x.mean((2, 3), keepdim=True))


def begin_head(convolutions: nn.ModuleDict) -> None:
    """Every pixel at a typical depth and error; a context that adds nothing."""
    head = convolutions["ConvPred"]
    nn.init.normal_(head.weight, std=0.01)
    with torch.no_grad():
        head.bias.copy_(torch.tensor([TYPICAL_DEPTH]).log().repeat(len(head.bias)))
        head.bias[1:] = TYPICAL_LOG_ERROR
        if "layer1_context" in convolutions:
            convolutions["layer1_context"].weight.zero_()
