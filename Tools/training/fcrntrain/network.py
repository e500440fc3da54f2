"""FCRN in PyTorch, layer by layer under its published names.

Source: I. Laina et al., "Deeper Depth Prediction with Fully Convolutional Residual Networks",
3DV 2016, figures 1 and 2. The list of layers is `fcrnweights.architecture`, the one the converters use.
"""

from collections.abc import Callable, Collection

import torch
import torch.nn.functional as F
from fcrnweights.architecture import QUARTET, UP_PROJECTIONS, Architecture, Convolution
from fcrnweights.network import BN_EPSILON
from torch import Tensor, nn

#: Mean and standard deviation of ImageNet's pixels, 0…255, red green blue.
PIXEL_MEAN, PIXEL_DEVIATION = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
#: Metres that an untrained network predicts everywhere: about the median of indoor photographs.
TYPICAL_DEPTH = 2.5


class UpProjections(nn.Module):
    """The common part of FCRN's networks: `convolutions` and `norms` by name, and the up-projections.

    `norm_of` gives the name and settings of the batch norm after a layer; a convolution without one has a bias.
    """

    def __init__(self, architecture: Architecture, norm_of: Callable[[Convolution], tuple[str, dict[str, float]] | None]) -> None:
        super().__init__()
        self.architecture = architecture
        self.convolutions, self.norms = nn.ModuleDict(), nn.ModuleDict()
        for layer in architecture.convolutions:
            outputs, inputs, *kernel = layer.shape
            norm = norm_of(layer)
            # A batch norm takes a bias away again, so a convolution before one needs none.
            convolution = nn.Conv2d(inputs * layer.groups, outputs, tuple(kernel), layer.stride, groups=layer.groups, bias=norm is None)
            nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu")
            if convolution.bias is not None:
                nn.init.zeros_(convolution.bias)
            self.convolutions[layer.name] = convolution
            if norm is not None and norm[0] not in self.norms:
                self.norms[norm[0]] = nn.BatchNorm2d(outputs, **norm[1])

    def _layer(self, name: str, x: Tensor, padding: int | None = None) -> Tensor:
        raise NotImplementedError

    def _normed(self, norm: str | None, x: Tensor) -> Tensor:
        return self.norms[norm](x) if norm in self.norms else x

    def _up_projection(self, layer: str, x: Tensor) -> Tensor:
        first, second = self._up_convolution(layer, x)
        first, second = self._normed(f"{layer}_br1_BN", first), self._normed(f"{layer}_br2_BN", second)
        return F.relu(self._layer(f"{layer}_Conv", F.relu(first)) + second)

    def _up_convolution(self, layer: str, x: Tensor) -> tuple[Tensor, Tensor]:
        """Both branches of a faster up-convolution (figure 2d), channels side by side in one product.

        All four kernels begin one pixel above and left of theirs. Padding by one everywhere and keeping
        the first rows and columns does the same for 2-wide kernels as padding top and left.
        """
        height, width = x.shape[2:]
        parts = {}
        for part in QUARTET:
            pair = [self.convolutions[f"{layer}_{branch}_Conv{part}"] for branch in ("br1", "br2")]
            kernel = torch.cat([convolution.weight for convolution in pair])
            biases = [convolution.bias for convolution in pair if convolution.bias is not None]
            bias = torch.cat(biases) if biases else None
            parts[part] = F.conv2d(x, kernel, bias, padding=1)[:, :, :height, :width]
        # Each branch has its own memory: batch norm takes several times as long on half of the channels of a larger tensor.
        branches = [{part: y.permute(0, 2, 3, 1).tensor_split(2, 3)[branch] for part, y in parts.items()} for branch in range(2)]
        return _interleaved(branches[0]), _interleaved(branches[1])


class FCRN(UpProjections):
    """Pixels (N, 3, H, W) in 0…255 → metres (N, h, w) before the final ReLU; of a network with two outputs
    (N, 2, h, w): ln metres and ln expected relative error.

    `conv1` works on pixels normalised by ImageNet's mean and deviation, so that its gradients are of
    the size of all others'; `exchange.py` folds both into it. The border is padded with black, as the
    exported layer sees it.

    `norms` names the batch norms: by default all of the architecture's, fewer if norms were folded into the kernels. Training steps of an encoder without norms are a third faster.
    """

    def __init__(self, architecture: Architecture, norms: Collection[str] | None = None) -> None:
        norms = architecture.norms.keys() if norms is None else norms
        super().__init__(architecture, lambda layer: (layer.norm, {"eps": BN_EPSILON}) if layer.norm in norms else None)
        nn.init.normal_(self.convolutions["ConvPred"].weight, std=0.02)
        nn.init.constant_(self.convolutions["ConvPred"].bias, TYPICAL_DEPTH)
        shape = (1, 3, 1, 1)
        self.register_buffer("pixel_mean", torch.tensor(PIXEL_MEAN).view(shape), persistent=False)
        self.register_buffer("pixel_deviation", torch.tensor(PIXEL_DEVIATION).view(shape), persistent=False)

    def bottleneck(self, pixels: Tensor) -> Tensor:
        """The result of `layer1`, which the decoder begins with; without global context."""
        x = (F.pad(pixels, (3, 3, 3, 3)) - self.pixel_mean) / self.pixel_deviation
        x = F.relu(self._layer("conv1", x.contiguous(memory_format=torch.channels_last), padding=0))
        x = _pooled(x)
        for block in self._blocks():
            x = self._residual(block, x)
        return self._layer("layer1", x)

    def forward(self, pixels: Tensor) -> Tensor:
        x = self.bottleneck(pixels)
        if "layer1_context" in self.convolutions:
            x = x + self.convolutions["layer1_context"](x.mean((2, 3), keepdim=True))
        for tag in UP_PROJECTIONS:
            x = self._up_projection(f"layer{tag}", x)
        x = self._layer("ConvPred", x).float()
        return x if self.architecture.outputs == 2 else x[:, 0]

    def _blocks(self) -> list[str]:
        """`res2a`, `res2b`, … in execution order."""
        names = (layer.name for layer in self.architecture.convolutions)
        return list(dict.fromkeys(name.split("_")[0] for name in names if name.startswith("res")))

    def _layer(self, name: str, x: Tensor, padding: int | None = None) -> Tensor:
        """Convolution, centred unless `padding` says otherwise, and its batch norm."""
        layer, convolution = self.architecture.by_name[name], self.convolutions[name]
        padding = layer.shape[2] // 2 if padding is None else padding
        x = F.conv2d(x, convolution.weight, convolution.bias, layer.stride, padding)
        return self._normed(layer.norm, x)

    def _residual(self, block: str, x: Tensor) -> Tensor:
        branch = [f"res{block[3:]}_branch2{letter}" for letter in "abc"]
        branch = [name for name in branch if name in self.architecture.by_name]
        y = x
        for name in branch:
            y = self._layer(name, y if name == branch[0] else F.relu(y))
        projection = f"{block}_branch1"
        shortcut = self._layer(projection, x) if projection in self.architecture.by_name else x
        return F.relu(y + shortcut)


def _interleaved(parts: dict[str, Tensor]) -> Tensor:
    """The four parts (N, H, W, C) of an up-convolution as one map (N, C, 2H, 2W): A and C in the even rows, B and D in the odd ones."""
    even = torch.stack((parts["A"], parts["C"]), 3).flatten(2, 3)
    odd = torch.stack((parts["B"], parts["D"]), 3).flatten(2, 3)
    return torch.stack((even, odd), 2).flatten(1, 2).permute(0, 3, 1, 2)


def decoder_norms(architecture: Architecture) -> set[str]:
    return {norm for norm in architecture.norms if norm.startswith("layer")}


def _pooled(x: Tensor) -> Tensor:
    """`pool1`: 3 × 3, stride 2, padded as TensorFlow's SAME, that is nowhere before an even side."""
    height, width = x.shape[2:]
    padded = F.pad(x, (width % 2, 1, height % 2, 1), value=0.0)  # after a ReLU zero is as good as −∞
    return F.max_pool2d(padded, 3, 2)
