"""The layers of FCRN: names, shapes and their place in the network, once for all converters.

Names follow the published TensorFlow model: `res2a_branch2b` as in ResNet's Caffe release,
`layer2x_br1_ConvA` for the up-projections.

Source: I. Laina et al., "Deeper Depth Prediction with Fully Convolutional Residual Networks",
3DV 2016; K. He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, table 1; M. Tan, Q. Le, "EfficientNet:
Rethinking Model Scaling for Convolutional Neural Networks", ICML 2019, in the Lite variant.
"""

from dataclasses import dataclass
from functools import cached_property

RESNET50 = "fcrn-resnet50-upproj"
RESNET18 = "fcrn-resnet18-upproj"
EFFICIENTNET_LITE2 = "fcrn-efficientnet-lite2-upproj"

#: Stage number, block letters, bottleneck width, stride of the first block.
STAGES = (("2", "abc", 64, 1), ("3", "abcd", 128, 2), ("4", "abcdef", 256, 2), ("5", "abc", 512, 2))
#: Stage number, block letters, expansion, kernel, stride of the first block, output channels.
LITE2_STAGES = (("1", "a", 1, 3, 1, 16), ("2", "abc", 6, 3, 2, 24), ("3", "abc", 6, 5, 2, 48), ("4", "abcd", 6, 3, 2, 88),
                ("5", "abcd", 6, 5, 1, 120), ("6", "abcde", 6, 5, 2, 208), ("7", "a", 6, 3, 1, 352))
#: Up-projection → the encoder's block whose output its skip connection adds.
LITE2_SKIPS = {"2x": "5d", "4x": "3c", "8x": "2c", "16x": "1a"}
#: Height and width of the four kernels of an up-convolution, one per row and column parity.
QUARTET = {"A": (3, 3), "B": (2, 3), "C": (3, 2), "D": (2, 2)}
UP_PROJECTIONS = ("2x", "4x", "8x", "16x")


@dataclass(frozen=True)
class Convolution:
    """One convolution and the batch norm that follows it."""

    name: str
    norm: str | None
    shape: tuple[int, int, int, int]  # output × input / groups × height × width
    stride: int
    has_bias: bool
    activation: str  # "none", "relu" or "relu6", directly after the norm, before any sum
    depth: int  # convolutions on the longest way from the image to here, this one included
    groups: int = 1  # as many as channels where depthwise

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
    input_size: tuple[int, int] = (228, 304)  # height × width of the training images
    output_activation: str | None = None  # "relu", "none" or "exp"; None: the file's `final_relu` decides
    outputs: int = 1  # 2: the second is the expected relative error
    global_context: bool = False  # layer1_context is there
    skip_connections: bool = False  # layerNx_skip are there

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
            after: int, stride: int = 1, bias: bool = False, activation: str = "none", groups: int = 1) -> None:
        self.layers.append(Convolution(name, norm, (outputs, inputs // groups, *kernel), stride, bias, activation,
                                       self.depth + after, groups))

    def block(self, block: str, inputs: int, widths: list[int], kernels: list[int], stride: int,
              projects: bool) -> None:
        """A residual block: branch 2 is a chain of convolutions, branch 1 projects the shortcut."""
        if projects:
            self.add(f"res{block}_branch1", f"bn{block}_branch1", inputs, widths[-1], (1, 1), 1, stride)
        before = inputs
        for i, (width, kernel) in enumerate(zip(widths, kernels)):
            branch = f"branch2{'abc'[i]}"
            self.add(f"res{block}_{branch}", f"bn{block}_{branch}", before, width, (kernel, kernel),
                     i + 1, stride if i == 0 else 1, activation="relu" if i + 1 < len(widths) else "none")
            before = width
        self.depth += len(widths)

    def up_projection(self, tag: str, inputs: int, outputs: int) -> None:
        layer = f"layer{tag}"
        for branch in ("br1", "br2"):
            for part, kernel in QUARTET.items():
                self.add(f"{layer}_{branch}_Conv{part}", f"{layer}_{branch}_BN", inputs, outputs,
                         kernel, 1, bias=True, activation="relu" if branch == "br1" else "none")
            if branch == "br1":
                self.add(f"{layer}_Conv", f"{layer}_BN", outputs, outputs, (3, 3), 2, bias=True)
        self.depth += 2

    def inverted_residual(self, block: str, inputs: int, outputs: int, expansion: int, kernel: int, stride: int) -> None:
        """Sandler et al. (2018), figure 3b: expand, filter each channel alone, project without activation."""
        middle = inputs * expansion
        if expansion > 1:
            self.biased(f"{block}_expand", inputs, middle, 1, activation="relu6")
        self.biased(f"{block}_depthwise", middle, middle, kernel, stride, "relu6", groups=middle)
        self.biased(f"{block}_project", middle, outputs, 1)

    def biased(self, name: str, inputs: int, outputs: int, kernel: int, stride: int = 1, activation: str = "none",
               groups: int = 1) -> None:
        """A convolution whose batch norm is folded."""
        self.add(name, None, inputs, outputs, (kernel, kernel), 1, stride, True, activation, groups)
        self.depth += 1

    def decoder(self, inputs: int, widths: tuple[int, ...], outputs: int = 1, global_context: bool = False,
                skips: dict[str, int] | None = None) -> None:
        """`skips`: up-projection → channels of the encoder's map that it adds."""
        self.add("layer1", "layer1_BN", inputs, widths[0], (1, 1), 1, bias=True)
        self.depth += 1
        if global_context:
            self.biased("layer1_context", widths[0], widths[0], 1)
        for tag, before, after in zip(UP_PROJECTIONS, widths, widths[1:]):
            self.up_projection(tag, before, after)
            if skips:
                self.add(f"layer{tag}_skip", None, skips[tag], after, (1, 1), 0, bias=True)
        self.add("ConvPred", None, widths[-1], outputs, (3, 3), 1, bias=True)


def fcrn50(divisor: int = 1) -> Architecture:
    """The published network; a `divisor` above one makes it narrow, for tests."""
    b = _Builder()
    b.add("conv1", "bn_conv1", 3, 64 // divisor, (7, 7), 1, stride=2, bias=True, activation="relu")
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


def fcrn18(decoder_widths: tuple[int, ...], *, outputs: int = 1, output_activation: str | None = None,
           global_context: bool = False) -> Architecture:
    """The compact network: ResNet-18 with basic blocks, and a decoder of the given widths."""
    b = _Builder()
    b.add("conv1", "bn_conv1", 3, 64, (7, 7), 1, stride=2, bias=True, activation="relu")
    b.depth, inputs = 1, 64
    for stage, _, width, stride in STAGES:
        for letter in "ab":
            first = letter == "a"
            b.block(stage + letter, inputs, [width, width], [3, 3], stride if first else 1,
                    projects=first and stage != "2")
            inputs = width
    b.decoder(inputs, decoder_widths, outputs, global_context)
    return Architecture(RESNET18, 1, decoder_widths, tuple(b.layers), output_activation=output_activation,
                        outputs=outputs, global_context=global_context)


def fcrn_lite2(decoder_widths: tuple[int, ...] = (256, 128, 64, 32, 32), *, width_divisor: int = 1, outputs: int = 2,
               output_activation: str | None = "exp", global_context: bool = True,
               skip_connections: bool = True) -> Architecture:
    """EfficientNet-Lite2 and up-projections; a `width_divisor` above one makes the encoder narrow, for tests.

    The encoder's convolutions have no norms: they are folded in the ImageNet weights that it begins with.
    """
    b = _Builder()
    inputs = max(32 // width_divisor, 1)
    b.biased("stem_conv", 3, inputs, 3, stride=2, activation="relu6")
    channels = {}
    for stage, letters, expansion, kernel, stride, width in LITE2_STAGES:
        for letter in letters:
            outs = max(width // width_divisor, 1)
            b.inverted_residual(f"block{stage}{letter}", inputs, outs, expansion, kernel, stride if letter == "a" else 1)
            inputs = channels[stage + letter] = outs
    skips = {tag: channels[block] for tag, block in LITE2_SKIPS.items()} if skip_connections else None
    b.decoder(inputs, decoder_widths, outputs, global_context, skips)
    return Architecture(EFFICIENTNET_LITE2, width_divisor, decoder_widths, tuple(b.layers), (256, 320), output_activation,
                        outputs, global_context, skip_connections)
