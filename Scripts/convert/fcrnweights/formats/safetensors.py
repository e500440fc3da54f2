"""safetensors: the length of a header, the header in JSON, and the raw tensors.

Source: https://github.com/huggingface/safetensors, section "Format". As there, every byte behind the
header belongs to exactly one tensor.
"""

from __future__ import annotations

import json
import struct
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ConversionError, decoding

#: Name of a type → the NumPy type of its bytes. BF16 is the upper half of a float32.
DTYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
LIMIT_HEADER = 1 << 24  # the header of the largest published file has 60 kB
LIMIT_DIMENSIONS = 8


def is_file(path: Path, head: bytes) -> bool:
    """Whether `path`, which begins with `head`, can only be meant as safetensors."""
    if len(head) < 9 or head[8:9] != b"{":
        return False
    return path.suffix == ".safetensors" or _header_length(head) <= LIMIT_HEADER


def load(path: Path) -> dict[str, np.ndarray]:
    """Name → tensor, windows into the file where its type is NumPy's."""
    name = f"'{path.name}'"
    with decoding(name):
        size = path.stat().st_size
        with open(path, "rb") as file:
            length = _header_length(file.read(8))
            if length > min(LIMIT_HEADER, size - 8):
                raise ConversionError(f"{name} says that its header has {length} bytes, which it cannot have")
            header = json.loads(file.read(length).decode("utf-8"), object_pairs_hook=_without_duplicates)
        if not isinstance(header, dict):
            raise ConversionError(f"{name} has a header that is no dictionary of tensors")
        header.pop("__metadata__", None)
        spans = {tensor: _span(tensor, facts) for tensor, facts in header.items()}
        _check_cover(spans, size - 8 - length, name)
        if not spans:
            raise ConversionError(f"{name} holds no tensors")
        data = np.memmap(path, np.uint8, "r", 8 + length)
        return {tensor: _array(data[start:end], header[tensor]) for tensor, (start, end) in spans.items()}


def _header_length(head: bytes) -> int:
    return struct.unpack("<Q", head[:8])[0]


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a name that is there twice")
    return dict(pairs)


def _span(tensor: str, facts: Any) -> tuple[int, int]:
    """First byte of a tensor and the one behind it, counted from the end of the header."""
    if not isinstance(facts, dict) or facts.keys() != {"dtype", "shape", "data_offsets"}:
        raise ConversionError(f"'{tensor}' has no type, shape and place")
    dtype, shape, place = facts["dtype"], facts["shape"], facts["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise ConversionError(f"'{tensor}' has the type {dtype}, expected {', '.join(DTYPES)}")
    for numbers in (shape, place):
        if (not isinstance(numbers, list) or len(numbers) > LIMIT_DIMENSIONS
                or any(type(n) is not int or not 0 <= n < 1 << 48 for n in numbers)):
            raise ConversionError(f"'{tensor}' has an impossible shape or place")
    if len(place) != 2 or place[1] - place[0] != prod(shape) * np.dtype(DTYPES[dtype]).itemsize:
        raise ConversionError(f"'{tensor}' has more or fewer bytes than its shape says")
    return place[0], place[1]


def _check_cover(spans: dict[str, tuple[int, int]], size: int, name: str) -> None:
    """Refuses tensors that overlap, leave gaps or reach beyond the file."""
    end = 0
    for tensor, (start, stop) in sorted(spans.items(), key=lambda item: item[1]):
        if start < end:
            raise ConversionError(f"'{tensor}' overlaps another tensor of {name}")
        if start > end:
            raise ConversionError(f"{name} has bytes before '{tensor}' that belong to no tensor")
        end = stop
    if end > size:
        raise ConversionError(f"{name} is cut short: its tensors have {end} bytes, {size} are there")
    if end < size:
        raise ConversionError(f"{name} has {size - end} bytes behind its last tensor")


def _array(data: np.ndarray, facts: dict[str, Any]) -> np.ndarray:
    values = np.asarray(data).view(DTYPES[facts["dtype"]]).reshape(facts["shape"])
    if facts["dtype"] == "BF16":
        values = (values.astype("<u4") << 16).view("<f4")
    return values
