"""Pictures and maps as structures of depth.h that point into the caller's memory."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, Literal, Optional, Protocol, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._errors import DepthError, InvalidArgumentError, unreadable
from ._library import Map, Picture


class ReadableFile(Protocol):
    """An open file, or ``io.BytesIO``."""

    def read(self) -> bytes: ...


class ArrayLike(Protocol):
    """What NumPy makes an array of, such as a picture of Pillow."""

    @property
    def __array_interface__(self) -> Any: ...


#: A picture: the path of a JPEG, PNG, HEIC, WebP or AVIF file, its bytes, a file that is open for reading bytes, or pixels. Pixels are an array, whatever NumPy
#: makes one of, or nested lists, of shape (height, width), (height, width, 3) RGB or (height, width, 4) RGBA: integers of 0 to
#: 255 or floats of 0 to 1, sRGB-encoded as in a file. A picture of Pillow is its pixels as they are: turned upright
#: by ``PIL.ImageOps.exif_transpose``, if need be; of a mode other than L, RGB or RGBA it is converted to RGB.
Photo = Union[
    str, "os.PathLike[str]", bytes, bytearray, memoryview, npt.NDArray[Any], ReadableFile, ArrayLike,
    Sequence[Sequence[Any]],
]
Unit = Literal["metre", "disparity", "near-white", "near-black", "relative-disparity"]

_FILE, _RGB, _RGBA, _GRAY = 0, 1, 2, 4
# The place of a name is its number in depth.h.
UNITS = ("metre", "disparity", "near-white", "near-black", "relative-disparity")


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
        except OSError as error:
            raise unreadable(os.fsdecode(photo), error) from error
        except ValueError as error:  # a zero byte in the path
            raise InvalidArgumentError(f"{photo!r} is not a path: {error}") from error
    elif hasattr(photo, "read"):
        photo = photo.read()
    if not isinstance(photo, (bytes, bytearray, memoryview)):
        _check_size(photo, max_pixels)
        return _array(_pixels(photo), max_pixels)
    try:
        view = np.frombuffer(photo, dtype=np.uint8)
    except (ValueError, BufferError) as error:
        raise InvalidArgumentError(f"the photo's bytes cannot be read in place: {error}") from error
    structure = Picture(format=_FILE, bytes=view.ctypes.data, byte_count=view.nbytes, max_pixels=max_pixels)
    return structure, view


def _check_size(photo: Any, max_pixels: int) -> None:
    """Refuses an array or a picture of Pillow with too many pixels before anything is copied."""
    shape = getattr(photo, "shape", None)
    if shape is None and hasattr(photo, "convert"):
        shape = tuple(reversed(photo.size))
    limit = max_pixels or 1 << 28  # as depth.h has it
    if not isinstance(shape, tuple) or len(shape) not in (2, 3):
        return
    height, width = shape[:2]
    if height * width > limit:
        raise DepthError(f"the picture: is {width}×{height} pixels, expected at most {limit} in all", "too_large")


def is_sequence_of_photos(photo: Any) -> bool:
    """Whether a list or tuple holds photos, and not rows of numbers."""
    if not isinstance(photo, (list, tuple)):
        return False
    return not photo or not isinstance(photo[0], (list, tuple, int, float, np.number))


def _pixels(photo: Any) -> npt.NDArray[np.uint8]:
    """The pixels of an array, of a picture of Pillow, or of nested lists."""
    if hasattr(photo, "convert") and getattr(photo, "mode", "RGB") not in ("L", "RGB", "RGBA"):
        photo = photo.convert("RGB")
    is_array = hasattr(photo, "__array__") or hasattr(photo, "__array_interface__")
    if not is_array and not isinstance(photo, (list, tuple)):
        raise InvalidArgumentError(
            f"the photo is {type(photo).__name__}, expected a path, the bytes of a file, an open file, or pixels"
        )
    try:
        values = np.asarray(photo)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"the photo has rows of different lengths or kinds: {error}") from error
    if values.dtype == np.uint8:
        return values
    if values.dtype.kind not in "iuf":
        raise InvalidArgumentError(f"the photo is an array of {values.dtype}, expected integers or floats")
    largest = 1 if values.dtype.kind == "f" else 255
    if values.size and not (values.min() >= 0 and values.max() <= largest):
        raise InvalidArgumentError(
            f"the photo has {values.dtype} of {values.min()} to {values.max()}, expected floats of 0 to 1 or integers of 0 to 255"
        )
    return np.rint(values * 255).astype(np.uint8) if largest == 1 else values.astype(np.uint8)


def _array(photo: npt.NDArray[np.uint8], max_pixels: int) -> Tuple[Picture, Any]:
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
