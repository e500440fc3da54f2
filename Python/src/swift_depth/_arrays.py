"""Pictures and maps as structures of depth.h that point into the caller's memory."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._errors import DepthError, InvalidArgumentError
from ._library import Map, Picture

#: A picture: the path of a JPEG or PNG file, its bytes, or an array of ``uint8`` of shape (height, width),
#: (height, width, 3) RGB or (height, width, 4) RGBA.
Photo = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, npt.NDArray[np.uint8]]

_FILE, _RGB, _RGBA, _GRAY = 0, 1, 2, 4
UNITS = ("metre", "disparity", "near-white", "near-black")


@contextmanager
def named(photo: Photo) -> Iterator[None]:
    """Errors about a picture say its path, where it has one: the library sees bytes alone."""
    try:
        yield
    except DepthError as error:
        subject, text = "the picture", str(error)
        if not isinstance(photo, (str, os.PathLike)) or not text.startswith(subject):
            raise
        raise type(error)(os.fspath(photo) + text[len(subject) :], error.code) from None


def picture(photo: Photo, max_pixels: int) -> Tuple[Picture, Any]:
    """A picture's structure, and what owns its memory."""
    if isinstance(photo, (str, os.PathLike)):
        try:
            photo = Path(photo).read_bytes()
        except ValueError as error:  # a zero byte in the path
            raise InvalidArgumentError(f"{photo!r} is not a path: {error}") from error
    if isinstance(photo, np.ndarray):
        return _array(photo, max_pixels)
    try:
        view = np.frombuffer(photo, dtype=np.uint8)
    except (TypeError, ValueError, BufferError) as error:
        raise InvalidArgumentError(
            f"the photo is {type(photo).__name__}, expected a path, the bytes of a file, or an array of uint8"
        ) from error
    structure = Picture(format=_FILE, bytes=view.ctypes.data, byte_count=view.nbytes, max_pixels=max_pixels)
    return structure, view


def _array(photo: npt.NDArray[Any], max_pixels: int) -> Tuple[Picture, Any]:
    if photo.dtype != np.uint8:
        raise InvalidArgumentError(f"the photo is an array of {photo.dtype}, expected uint8")
    formats = {(2, 0): _GRAY, (3, 1): _GRAY, (3, 3): _RGB, (3, 4): _RGBA}
    channels = photo.shape[2] if photo.ndim == 3 else 0
    layout = formats.get((photo.ndim, channels))
    if layout is None or 0 in photo.shape:
        raise InvalidArgumentError(
            f"the photo has the shape {photo.shape}, expected (height, width), (height, width, 3) or (height, width, 4)"
        )
    height, width = photo.shape[:2]
    pixel = max(channels, 1)
    adjacent = photo.strides[1] == pixel and (channels == 0 or photo.strides[2] == 1)
    if not adjacent or photo.strides[0] < width * pixel:
        photo = np.ascontiguousarray(photo)
    row = photo.strides[0]
    structure = Picture(
        format=layout,
        bytes=photo.ctypes.data,
        byte_count=(height - 1) * row + width * pixel,
        height=_side(height),
        width=_side(width),
        row_bytes=row,
        max_pixels=max_pixels,
    )
    return structure, photo


def _side(pixels: int) -> int:
    if pixels >= 1 << 31:
        raise InvalidArgumentError(f"the array has {pixels} rows or columns, expected fewer than 2³¹")
    return pixels


def depth_map(depth: npt.NDArray[Any], unit: str) -> Tuple[Map, Any]:
    """The structure of a map that is read, and what owns its memory."""
    if unit not in UNITS:
        raise InvalidArgumentError(f"the unit is {unit!r}, expected {', '.join(UNITS)}")
    depth = np.asarray(depth)
    if depth.ndim != 2 or 0 in depth.shape or depth.dtype.kind not in "fiu":
        raise InvalidArgumentError(
            f"the depth has the shape {depth.shape} of {depth.dtype}, expected (height, width) of numbers"
        )
    if depth.dtype != np.float32 or not _in_rows(depth):
        depth = np.ascontiguousarray(depth, dtype=np.float32)
    return _structure(depth, UNITS.index(unit)), depth


def _in_rows(values: npt.NDArray[Any]) -> bool:
    """Whether rows are whole and in their order, with or without gaps between them."""
    row = values.strides[0]
    return values.strides[1] == 4 and row % 4 == 0 and row >= 4 * values.shape[1]


def _structure(values: npt.NDArray[np.float32], unit: int = 0) -> Map:
    height, width = values.shape
    row = values.strides[0] // 4
    return Map(
        unit=unit,
        values=values.ctypes.data,
        value_count=(height - 1) * row + width,
        height=_side(height),
        width=_side(width),
        row_floats=row,
    )


def result(size: Tuple[int, int], out: Optional[npt.NDArray[np.float32]]) -> Tuple[Map, npt.NDArray[np.float32]]:
    """The structure of a map that is written, and the array that it is written into."""
    if out is None:
        out = np.empty(size, dtype=np.float32)
    if not isinstance(out, np.ndarray) or out.dtype != np.float32 or out.shape != size:
        found = f"{out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise InvalidArgumentError(f"out is {found}, expected {size} of float32")
    if not out.flags.writeable or not _in_rows(out):
        raise InvalidArgumentError("out is read-only or its rows are not whole, expected rows of adjacent floats")
    return _structure(out), out
