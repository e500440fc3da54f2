"""Weights from and to the HDF5 files that `depth` reads, by way of the converters' package."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from fcrnweights import archive
from fcrnweights.architecture import EFFICIENTNET_LITE2
from fcrnweights.folding import affine, fold
from fcrnweights.formats import own_archive
from fcrnweights.network import BN_EPSILON, Network, Tensors
from fcrnweights.precision import reduced
from fcrnweights.reading import Options, Source
from torch import Tensor, nn

from .lite import PIXEL_MEAN, PIXEL_SCALE, LiteFCRN, in_encoder
from .network import FCRN, TYPICAL_DEPTH, UpProjections, decoder_norms

#: A batch norm's parameters: the file's names and PyTorch's.
NORM = {"gamma": "weight", "beta": "bias", "mean": "running_mean", "variance": "running_var"}
#: Relative error that `Adjustment.error_spread` leaves as it is: about the mean on frames that a network has not seen.
TYPICAL_ERROR = 0.15


def load(path: Path, pictures: Tensor | None = None) -> UpProjections:
    """The network of a weights file, ready to be trained on.

    Norms that the file has folded into its decoder's kernels are taken out again, so that the decoder can
    be trained at a rate worth while: given `pictures` (N, 3, H, W) in 0…255, each norm gets the mean and
    variance that its input has there, and the factors that make up for them. The network's function
    stays the same. Without pictures, folded norms stay folded.
    """
    source = own_archive.read(path, Options()).network.checked()
    architecture = source.architecture
    if architecture.name == EFFICIENTNET_LITE2:
        net = _lite(source)
        if pictures is not None:
            with torch.no_grad():
                _balance_encoder(net)
                _measure_norms(net, pictures)
        return net
    norms = architecture.norms.keys()
    if source.folded:
        norms = decoder_norms(architecture) if pictures is not None else ()
    net = FCRN(architecture, norms)
    with torch.no_grad():
        for layer in architecture.convolutions:
            convolution, tensors = net.convolutions[layer.name], source.tensors[layer.name]
            convolution.weight.copy_(torch.from_numpy(tensors["kernel"]))
            if convolution.bias is not None:
                convolution.bias.copy_(torch.from_numpy(tensors["bias"]))
        for name, norm in net.norms.items():
            bias = _shared_bias(source, name)
            if source.folded:
                norm.running_mean.copy_(-bias)
            else:
                for theirs, ours in NORM.items():
                    getattr(norm, ours).copy_(torch.from_numpy(source.tensors[name][theirs]))
                norm.running_mean.sub_(bias)
        _normalise_pixels(net, source)
        if source.folded and pictures is not None:
            _measure_norms(net, pictures)
    return net


def _lite(source: Network) -> LiteFCRN:
    """The same function; every norm is a shift by the file's bias."""
    net = LiteFCRN(source.architecture).eval()
    with torch.no_grad():
        for norm in net.norms.values():
            norm.running_var.fill_(1 - norm.eps)
        for layer in source.architecture.convolutions:
            kernel, bias = (torch.from_numpy(source.tensors[layer.name][part]) for part in ("kernel", "bias"))
            convolution = net.convolutions[layer.name]
            convolution.weight.copy_(kernel * (PIXEL_SCALE if layer.name == "stem_conv" else 1))
            if convolution.bias is not None:
                convolution.bias.copy_(bias)
            elif in_encoder(layer.name):
                net.norms[layer.name].bias.copy_(bias)
            else:
                net.norms[layer.norm].running_mean.copy_(-bias)
    return net


def _balance_encoder(net: LiteFCRN) -> None:
    """Moves each channel's scale out of its folded kernel into its norm: the function stays the same.

    Every kernel then has the size that one drawn for a ReLU has (K. He et al., "Delving Deep into Rectifiers", 2015), so that one
    rate suits all of them.
    """
    for name, convolution in net.convolutions.items():
        if in_encoder(name):
            kernel = convolution.weight
            scale = (kernel.square().mean((1, 2, 3)) * kernel[0].numel() / 2).sqrt().clamp_min(1e-3)
            kernel.div_(scale.view(-1, 1, 1, 1))
            net.norms[name].weight.copy_(scale)


def _shared_bias(source: Network, norm: str) -> Tensor:
    """The file's bias of the convolutions before a norm, which have none here: its mean carries it.

    The four convolutions of an up-convolution share their norm, so they have to share their bias.
    """
    layers = [layer for layer in source.architecture.convolutions if layer.norm == norm]
    zero = np.zeros(layers[0].shape[0], np.float32)
    biases = [source.tensors[layer.name].get("bias", zero) for layer in layers]
    if any(not np.array_equal(bias, biases[0]) for bias in biases):
        raise ValueError(f"the four convolutions before '{norm}' differ in bias, so they were trained without it")
    return torch.from_numpy(biases[0])


def _measure_norms(net: UpProjections, pictures: Tensor) -> None:
    """Every norm's statistics from its input in one pass; a norm is right before its output is used."""

    def measure(norm: nn.BatchNorm2d, inputs: tuple[Tensor]) -> None:
        variance, mean = torch.var_mean(inputs[0], (0, 2, 3), unbiased=False)
        norm.bias.copy_(mean - norm.running_mean)
        norm.weight.copy_((variance + norm.eps).sqrt())
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    hooks = [norm.register_forward_pre_hook(measure) for norm in net.norms.values()]
    net.eval()(pictures)
    for hook in hooks:
        hook.remove()


def _normalise_pixels(net: FCRN, source: Network) -> None:
    """conv1 on (pixel − mean) / deviation instead of pixel · scale − mean of the file."""
    conv1 = net.convolutions["conv1"]
    scale = source.pixel_scale
    mean = torch.tensor(source.pixel_mean).view(1, 3, 1, 1)
    shift = (conv1.weight * (net.pixel_mean * scale - mean)).sum((1, 2, 3))
    conv1.weight.mul_(net.pixel_deviation * scale)
    if conv1.bias is not None:
        conv1.bias.add_(shift)
    else:
        net.norms["bn_conv1"].running_mean.sub_(shift)


def network(net: UpProjections) -> Network:
    """The trained network with batch norms and pixel normalisation folded, in float64 until the end."""
    state = {name: tensor.detach().double().cpu().numpy() for name, tensor in net.state_dict().items()}
    tensors: Tensors = {}
    for layer in net.architecture.convolutions:
        kernel = state[f"convolutions.{layer.name}.weight"]
        bias = state.get(f"convolutions.{layer.name}.bias", np.zeros(kernel.shape[0]))
        if layer.name == "conv1":
            kernel = kernel / net.pixel_deviation.double().cpu().numpy()
            bias = bias - (kernel * net.pixel_mean.double().cpu().numpy()).sum((1, 2, 3))
        if layer.name == "stem_conv":
            kernel = kernel / PIXEL_SCALE
        tensors[layer.name] = {"kernel": kernel, "bias": bias}
    for name, norm in net.norms.items():
        values = {theirs: state[f"norms.{name}.{ours}"] for theirs, ours in NORM.items()}
        values["variance"] = values["variance"] + (norm.eps - BN_EPSILON)
        scale, shift = affine(values)
        for layer in net.architecture.convolutions:
            if name in (layer.norm, layer.name):
                kernel, bias = fold(*(tensors[layer.name][part] for part in ("kernel", "bias")), scale, shift)
                tensors[layer.name] = {"kernel": kernel, "bias": bias}
    mean = (PIXEL_MEAN,) * 3 if net.architecture.name == EFFICIENTNET_LITE2 else (0.0, 0.0, 0.0)
    return Network(net.architecture, tensors, folded=True, pixel_mean=mean).checked()


@dataclass(frozen=True)
class Adjustment:
    """What the last layer of an exported network changes in its outputs."""

    scale: float = 1  # multiplies every depth
    spread: float = 1  # multiplies ln(depth ÷ TYPICAL_DEPTH), before `scale`
    error_scale: float = 1  # multiplies every expected error
    error_spread: float = 1  # multiplies ln(expected error ÷ TYPICAL_ERROR), before `error_scale`
    focal_exponent: float = 1  # of the ratio of focal lengths that depth is multiplied by

    def of(self, trained: Network) -> Network:
        """The network with these outputs; only its last layer differs.

        Raises `ValueError` for a network whose output is not ln depth and ln error and which is more than scaled.
        """
        tensors = dict(trained.tensors)
        last = tensors["ConvPred"]
        if trained.architecture.outputs == 2:
            factors = np.array([self.spread, self.error_spread])
            typical = np.log([TYPICAL_DEPTH, TYPICAL_ERROR])
            shifts = np.log([self.scale, self.error_scale]) + (1 - factors) * typical
            tensors["ConvPred"] = {"kernel": (last["kernel"] * factors.reshape(-1, 1, 1, 1)).astype(np.float32),
                                   "bias": (last["bias"] * factors + shifts).astype(np.float32)}
        else:
            if self != Adjustment(self.scale, focal_exponent=self.focal_exponent):
                raise ValueError("the network has one output, metres: only --scale applies")
            tensors["ConvPred"] = {name: values * np.float32(self.scale) for name, values in last.items()}
        return replace(trained, tensors=tensors, depth_scale=trained.depth_scale * self.scale, focal_exponent=self.focal_exponent)


def export(net: UpProjections, path: Path, precision: str, origins: Sequence[Path],
           adjustment: Adjustment = Adjustment()) -> None:
    """Writes a weights file; `origins` are the checkpoints, whose digest the file carries."""
    archive.write(path, reduced(adjustment.of(network(net)), precision), precision,
                  Source.of(origins[0], "fcrntrain", origins))
