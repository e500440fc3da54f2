"""Constants that scale an activation, as one number or one per channel."""

from __future__ import annotations

import numpy as np

from .errors import ConversionError


def per_channel(values: np.ndarray, name: str, channels_last: bool) -> np.ndarray:
    """`values` as they broadcast over channels, in one dimension; a single number stays one.

    Raises ConversionError when they vary over rows or columns.
    """
    values = np.asarray(values, np.float64)
    if values.size == 1:
        return values.reshape(())
    trailing = 1 if channels_last else 3
    if values.ndim >= trailing and values.shape[-trailing] == values.size:
        return values.reshape(-1)
    raise ConversionError(f"the constant of operation '{name}' is not one number per channel")
