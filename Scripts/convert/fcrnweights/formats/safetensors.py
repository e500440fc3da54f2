"""safetensors by its own package, which checks that the tensors cover the file without gaps or overlap."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes  # noqa: F401  gives NumPy the type that the package names bfloat16
import numpy as np
from safetensors import safe_open

from ..errors import ConversionError, decoding

DTYPES = ("F32", "F16", "BF16")
LIMIT_HEADER = 100_000_000  # bytes: the package's own


def is_file(path: Path, head: bytes) -> bool:
    """Whether `path`, which begins with `head`, can only be meant as safetensors."""
    if len(head) < 9 or head[8:9] != b"{":
        return False
    return path.suffix == ".safetensors" or int.from_bytes(head[:8], "little") <= LIMIT_HEADER


def load(path: Path) -> dict[str, np.ndarray]:
    """Name → tensor; bfloat16 as float32."""
    with decoding(f"'{path.name}'"), safe_open(path, "numpy") as file:
        state = {name: _tensor(file, name) for name in file.keys()}
    if not state:
        raise ConversionError(f"'{path.name}' holds no tensors")
    return state


def _tensor(file: safe_open, name: str) -> np.ndarray:
    dtype = file.get_slice(name).get_dtype()
    if dtype not in DTYPES:
        raise ConversionError(f"'{name}' has the type {dtype}, expected {', '.join(DTYPES)}")
    values = file.get_tensor(name)
    return values.astype("<f4") if dtype == "BF16" else values
