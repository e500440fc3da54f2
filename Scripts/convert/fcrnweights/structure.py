"""Recognises FCRN in a graph: which convolution is which layer, and whether it is used as published."""

from pathlib import Path

import numpy as np

from .architecture import Convolution
from .errors import ConversionError
from .folding import affine, fold
from .graph import NORMALIZE, SCALE, Graph, Node
from .network import BN_EPSILON, BOTTOM_RIGHT, TOP_LEFT, Network, Tensors
from .official import architecture_of_width
from .reading import Options, Reading
from .tracing import Site, Trace


def reading(graph: Graph, form: str, path: Path, options: Options) -> Reading:
    """The network in `graph`, with batch norms kept apart if the graph keeps all of them apart.

    Raises ConversionError where shapes, strides, padding or ReLUs differ from the published ones.
    """
    traced = Trace(graph)
    if not traced.sites:
        raise ConversionError("the model has no convolution")
    architecture = architecture_of_width(traced.sites[0].node.kernel.shape[0])
    places = _places(traced.sites, architecture.convolutions)
    for layer in architecture.convolutions:
        _check_use(layer, places[layer.name])
    padding = _padding(places, architecture.by_name)
    if options.padding not in (None, padding):
        raise ConversionError(f"the model pads its up-projections {padding}, not {options.padding}")
    apart = _unfolded(places, architecture.by_name)
    tensors = apart or {name: _folded(site) for name, site in places.items()}
    scale, mean = _pixels(traced.pixel_factor, traced.pixel_offset, tensors["conv1"], graph.is_bgr)
    notes = graph.notes
    if traced.interleaves_checked < 8:
        notes += ("the order in which the model interleaves its up-projections is taken as published",)
    return Reading(
        Network(architecture, tensors, apart is None, padding, places["ConvPred"].has_relu, scale, mean),
        form, (path,),
        tuple((layer.name, f"{places[layer.name].node.name} ({'×'.join(map(str, layer.shape))})")
              for layer in architecture.convolutions), notes)


def _places(sites: list[Site], layers: tuple[Convolution, ...]) -> dict[str, Site]:
    """Layer → its convolution, by depth and shape.

    Only the two branches of an up-projection have convolutions of equal depth and shape; branch 1
    is the one that another convolution follows before the sum.
    """
    if len(sites) != len(layers):
        raise ConversionError(f"the model has {len(sites)} convolutions, FCRN-50 has {len(layers)}")
    followed = {origin for site in sites for origin in site.feeds_on
                if site.depth == sites[origin].depth + 1}
    waiting = dict(enumerate(sites))
    places = {}
    for layer in layers:
        found = [i for i, site in waiting.items()
                 if site.depth == layer.depth and site.node.kernel.shape == layer.shape]
        if layer.is_quarter:
            found = [i for i in found if (i in followed) == ("_br1_" in layer.name)]
        if len(found) != 1:
            raise ConversionError(
                f"{len(found) or 'no'} convolution{'s' if len(found) > 1 else ''} of the model "
                f"could be '{layer.name}' ({'×'.join(map(str, layer.shape))} at depth {layer.depth})")
        places[layer.name] = waiting.pop(found[0])
    return places


def _check_use(layer: Convolution, site: Site) -> None:
    what = f"'{site.node.name}' in the place of '{layer.name}'"
    if site.node.stride != (layer.stride, layer.stride):
        raise ConversionError(
            f"{what} has stride {site.node.stride[0]}, expected {layer.stride}: the published weights "
            "have stride 2 on the first 1×1 convolution of a stage, not on its 3×3")
    kernel = layer.shape[2:]
    for axis, k in enumerate(kernel):
        before, after = site.padding[2 * axis:2 * axis + 2]
        if before + after != k - 1 or (k % 2 and before != after):
            raise ConversionError(f"{what} is padded by {before} and {after}, which the published "
                                  f"{kernel[0]}×{kernel[1]} convolution is not")
    if site.has_relu != (layer.activation == "relu") and layer.name != "ConvPred":
        raise ConversionError(f"{what} has {'a' if site.has_relu else 'no'} ReLU after it, "
                              f"the published network has {'none' if site.has_relu else 'one'}")


def _padding(places: dict[str, Site], layers: dict[str, Convolution]) -> str:
    sides = {places[name].padding[2 * axis] for name, layer in layers.items()
             for axis in (0, 1) if layer.shape[2 + axis] == 2}
    if len(sides) != 1:
        raise ConversionError("the model pads some of its up-projections top/left, some bottom/right")
    return TOP_LEFT if sides == {1} else BOTTOM_RIGHT


def _unfolded(places: dict[str, Site], layers: dict[str, Convolution]) -> Tensors | None:
    """Convolutions and batch norms apart, as published; `None` if the model has folded some."""
    tensors: Tensors = {}
    for name, layer in layers.items():
        site = places[name]
        norms = [_parameters(node) for node in site.after if node.kind == NORMALIZE]
        if len(site.after) != len(norms) or len(norms) != (1 if layer.norm else 0):
            return None
        tensors[name] = {"kernel": site.node.kernel}
        norm, bias = norms[0] if norms else None, site.node.bias
        if layer.has_bias:
            tensors[name]["bias"] = np.zeros(layer.shape[0]) if bias is None else bias
        elif bias is not None and norm is not None:
            norm["mean"] = norm["mean"] - bias
        if norm is None or layer.norm is None:
            continue
        shared = tensors.setdefault(layer.norm, norm)
        if norm["variance"].min(initial=0) < 0 or any((shared[p] != norm[p]).any() for p in norm):
            return None  # a norm of its own for each part
    return tensors


def _parameters(node: Node) -> dict[str, np.ndarray]:
    """The norm's parameters for an epsilon of 1e-4, whatever the model's own."""
    gamma, beta, mean, variance = node.statistics
    if np.float32(node.epsilon) != np.float32(BN_EPSILON):
        variance = variance.astype(np.float64) + (node.epsilon - BN_EPSILON)
    return {"gamma": gamma, "beta": beta, "mean": mean, "variance": variance}


def _folded(site: Site) -> dict[str, np.ndarray]:
    kernel = site.node.kernel
    bias = np.zeros(kernel.shape[0]) if site.node.bias is None else site.node.bias
    for node in site.after:
        if node.kind == SCALE:
            scale, shift = (np.broadcast_to(v, kernel.shape[:1]) for v in (node.factor, node.offset))
        else:
            scale, shift = affine(_parameters(node))
        kernel, bias = fold(kernel, bias, scale, shift)
    return {"kernel": kernel, "bias": bias}


def _pixels(factor: np.ndarray, offset: np.ndarray, conv1: dict[str, np.ndarray],
            is_bgr: bool) -> tuple[float, tuple[float, float, float]]:
    """Scale and mean of `pixel · scale − mean` for RGB; what is no common scale goes into `conv1`."""
    factor, offset = (np.broadcast_to(v, 3).astype(np.float64) for v in (factor, offset))
    if not (factor > 0).all():
        raise ConversionError("the model scales its image by a factor that is not positive")
    if is_bgr:
        factor, offset = factor[::-1], offset[::-1]
        conv1["kernel"] = conv1["kernel"][:, ::-1]
    if (factor != factor[0]).any():
        conv1["kernel"] = conv1["kernel"] * (factor / factor[0])[None, :, None, None]
        offset = offset * factor[0] / factor
    red, green, blue = (-offset + 0.0).tolist()
    return float(factor[0]), (red, green, blue)
