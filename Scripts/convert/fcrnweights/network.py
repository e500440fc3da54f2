"""A network in memory, between whatever it was read from and the file it is written to."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from .architecture import Architecture
from .errors import ConversionError

#: Added to every variance, as the published network does.
BN_EPSILON = 1e-4

TOP_LEFT, BOTTOM_RIGHT = "topleft", "bottomright"

#: Layer → parameter → values: `kernel` OIHW and `bias`, or `gamma`, `beta`, `mean`, `variance`.
Tensors = dict[str, dict[str, np.ndarray]]


@dataclass(frozen=True)
class Network:
    """Weights and everything the file has to say about them."""

    architecture: Architecture
    tensors: Tensors
    folded: bool = False  # batch norms are part of the kernels and biases
    padding: str = TOP_LEFT  # side on which 2-wide kernels of the up-projections are padded
    final_relu: bool = True
    pixel_scale: float = 1.0  # network input = pixel · scale − mean, pixel 0…255
    pixel_mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    depth_scale: float = 1.0  # factor that ConvPred was multiplied by after training, and contains
    focal_exponent: float = 1.0  # of the ratio of focal lengths that depth is multiplied by

    def checked(self) -> Self:
        """Itself in contiguous float32, once every tensor is known to be there, shaped and finite.

        Raises ConversionError naming the first tensor at fault.
        """
        expected: dict[str, dict[str, tuple[int, ...]]] = {}
        for layer in self.architecture.convolutions:
            expected[layer.name] = {"kernel": layer.shape}
            if self.folded or layer.has_bias:
                expected[layer.name]["bias"] = layer.shape[:1]
        if not self.folded:
            for norm, channels in self.architecture.norms.items():
                expected[norm] = dict.fromkeys(("gamma", "beta", "mean", "variance"), (channels,))
        if extra := self.tensors.keys() - expected.keys():
            raise ConversionError(f"layer '{min(extra)}' is no part of {self.architecture.name}")
        return replace(self, tensors={
            layer: _checked(layer, parameters, self.tensors.get(layer))
            for layer, parameters in expected.items()})


def _checked(layer: str, expected: dict[str, tuple[int, ...]],
             found: dict[str, np.ndarray] | None) -> dict[str, np.ndarray]:
    if found is None:
        raise ConversionError(f"layer '{layer}' is missing")
    for extra in found.keys() - expected.keys():
        raise ConversionError(f"'{layer}' has a {extra}, which the network has not")
    result = {}
    for parameter, shape in expected.items():
        name = f"{layer}/{parameter}"
        if parameter not in found:
            raise ConversionError(f"'{name}' is missing")
        values = np.asarray(found[parameter])
        if values.dtype.kind != "f":
            raise ConversionError(f"'{name}' holds {values.dtype}, not floating-point numbers")
        if values.shape != shape:
            raise ConversionError(
                f"'{name}' has shape {_times(values.shape)}, expected {_times(shape)}")
        with np.errstate(over="ignore"):
            values = np.ascontiguousarray(values, "<f4")
        if not np.isfinite(values).all():
            raise ConversionError(f"'{name}' holds values that are not finite")
        if parameter == "variance" and values.min(initial=0) < 0:
            raise ConversionError(f"'{name}' holds a negative variance")
        result[parameter] = values
    return result


def _times(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "none (a single number)"
