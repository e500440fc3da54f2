"""The layers of FCRN: names, shapes and their place in the network, once for all converters.

Names follow the published TensorFlow model: `res2a_branch2b` as in ResNet's Caffe release,
`layer2x_br1_ConvA` for the up-projections.

Source: I. Laina et al., "Deeper Depth Prediction with Fully Convolutional Residual Networks",
3DV 2016; K. He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, table 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

RESNET50 = "fcrn-resnet50-upproj"
RESNET18 = "fcrn-resnet18-upproj"

#: Stage number, block letters, bottleneck width, stride of the first block.
STAGES = (("2", "abc", 64, 1), ("3", "abcd", 128, 2), ("4", "abcdef", 256, 2), ("5", "abc", 512, 2))
#: Height and width of the four kernels of an up-convolution, one per row and column parity.
QUARTET = {"A": (3, 3), "B": (2, 3), "C": (3, 2), "D": (2, 2)}
UP_PROJECTIONS = ("2x", "4x", "8x", "16x")


@dataclass(frozen=True)
class Convolution:
    """One convolution and the batch norm that follows it."""

    name: str
    norm: str | None
    shape: tuple[int, int, int, int]  # output × input × height × width
    stride: int
    has_bias: bool
    has_relu: bool  # directly after the norm, before any sum
    depth: int  # convolutions on the longest way from the image to here, this one included

    @property
    def is_quarter(self) -> bool:
        """Whether this is one of the small convolutions whose outputs are interleaved."""
        return self.name[-5:-1] == "Conv" and self.name[-1] in QUARTET


@dataclass(frozen=True)
class Architecture:
    """A network as the list of its convolutions in execution order."""

    name: str
    width_divisor: int
    decoder_widths: tuple[int, ...]  # of `layer1` and of the four up-projections
    convolutions: tuple[Convolution, ...]

    @cached_property
    def by_name(self) -> dict[str, Convolution]:
        return {layer.name: layer for layer in self.convolutions}

    @cached_property
    def norms(self) -> dict[str, int]:
        """Channels of every batch norm, in execution order."""
        return {c.norm: c.shape[0] for c in self.convolutions if c.norm}


class _Builder:
    def __init__(self) -> None:
        self.layers: list[Convolution] = []
        self.depth = 0

    def add(self, name: str, norm: str | None, inputs: int, outputs: int, kernel: tuple[int, int],
            after: int, stride: int = 1, bias: bool = False, relu: bool = False) -> None:
        self.layers.append(Convolution(name, norm, (outputs, inputs, *kernel), stride, bias, relu,
                                       self.depth + after))

    def block(self, block: str, inputs: int, widths: list[int], kernels: list[int], stride: int,
              projects: bool) -> None:
        """A residual block: branch 2 is a chain of convolutions, branch 1 projects the shortcut."""
        if projects:
            self.add(f"res{block}_branch1", f"bn{block}_branch1", inputs, widths[-1], (1, 1), 1, stride)
        before = inputs
        for i, (width, kernel) in enumerate(zip(widths, kernels)):
            branch = f"branch2{'abc'[i]}"
            self.add(f"res{block}_{branch}", f"bn{block}_{branch}", before, width, (kernel, kernel),
                     i + 1, stride if i == 0 else 1, relu=i + 1 < len(widths))
            before = width
        self.depth += len(widths)

    def up_projection(self, tag: str, inputs: int, outputs: int) -> None:
        layer = f"layer{tag}"
        for branch in ("br1", "br2"):
            for part, kernel in QUARTET.items():
                self.add(f"{layer}_{branch}_Conv{part}", f"{layer}_{branch}_BN", inputs, outputs,
                         kernel, 1, bias=True, relu=branch == "br1")
            if branch == "br1":
                self.add(f"{layer}_Conv", f"{layer}_BN", outputs, outputs, (3, 3), 2, bias=True)
        self.depth += 2

    def decoder(self, inputs: int, widths: tuple[int, ...]) -> None:
        self.add("layer1", "layer1_BN", inputs, widths[0], (1, 1), 1, bias=True)
        self.depth += 1
        for tag, before, after in zip(UP_PROJECTIONS, widths, widths[1:]):
            self.up_projection(tag, before, after)
        self.add("ConvPred", None, widths[-1], 1, (3, 3), 1, bias=True)


def fcrn50(divisor: int = 1) -> Architecture:
    """The published network; a `divisor` above one makes it narrow, for tests."""
    b = _Builder()
    b.add("conv1", "bn_conv1", 3, 64 // divisor, (7, 7), 1, stride=2, bias=True, relu=True)
    b.depth, inputs = 1, 64 // divisor
    for stage, letters, middle, stride in STAGES:
        width = middle // divisor
        for letter in letters:
            first = letter == "a"
            b.block(stage + letter, inputs, [width, width, 4 * width], [1, 3, 1],
                    stride if first else 1, first)
            inputs = 4 * width
    widths = tuple(w // divisor for w in (1024, 512, 256, 128, 64))
    b.decoder(inputs, widths)
    return Architecture(RESNET50, divisor, widths, tuple(b.layers))


def fcrn18(decoder_widths: tuple[int, ...]) -> Architecture:
    """The compact network: ResNet-18 with basic blocks, and a decoder of the given widths."""
    b = _Builder()
    b.add("conv1", "bn_conv1", 3, 64, (7, 7), 1, stride=2, bias=True, relu=True)
    b.depth, inputs = 1, 64
    for stage, _, width, stride in STAGES:
        for letter in "ab":
            first = letter == "a"
            b.block(stage + letter, inputs, [width, width], [3, 3], stride if first else 1,
                    projects=first and stage != "2")
            inputs = width
    b.decoder(inputs, decoder_widths)
    return Architecture(RESNET18, 1, decoder_widths, tuple(b.layers))
