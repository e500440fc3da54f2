"""The calls of depth.h by ctypes, which releases the interpreter lock while they run."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_float, c_int32, c_int64, c_uint32, c_uint64
from pathlib import Path
from typing import Any, Dict, Type

from ._errors import failure_of

ABI_VERSION = 1


class Structure(ctypes.Structure):
    """A structure of depth.h, which begins with its own size."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(struct_size=ctypes.sizeof(type(self)), **fields)


class Failure(Structure):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("message", c_char * 1016)]


class OpenOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_int32),
        ("weights", POINTER(c_char_p)),
        ("weights_count", c_uint32),
        ("mirrored", c_int32),
        ("precision", c_int32),
        ("input_size", c_int32),
        ("weights_kind", c_int32),
        ("tokens", c_int32),
        ("metres", c_char_p),
    ]


class Picture(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("format", c_int32),
        ("bytes", ctypes.c_void_p),
        ("byte_count", c_uint64),
        ("height", c_int32),
        ("width", c_int32),
        ("row_bytes", c_int64),
        ("max_pixels", c_int64),
    ]


class Map(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("unit", c_int32),
        ("values", ctypes.c_void_p),
        ("value_count", c_uint64),
        ("height", c_int32),
        ("width", c_int32),
        ("row_floats", c_int64),
    ]


class RefineOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_int32),
        ("method", c_int32),
        ("detail", c_float),
        ("size", c_int32),
        ("height", c_int32),
        ("width", c_int32),
        ("fill", c_int32),
        ("focal_length_kind", c_int32),
        ("reserved", c_int32),
        ("focal_length", c_double),
        ("calibration", c_char_p),
    ]


class EstimateFacts(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("focal_length_source", c_int32),
        ("focal_length", c_double),
        ("spread", c_double),
        ("uncertainty", c_double),
        ("depth_factor", c_double),
        ("focal_exponent", c_double),
        ("expected_error", POINTER(Map)),
    ]


class StereoOptions(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_int32),
        ("maximum_shift", c_double),
        ("convergence", c_double),
        ("balance", c_double),
        ("depth_source", c_int32),
        ("reserved", c_int32),
        ("estimator", ctypes.c_void_p),
    ]


class Views(Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("depth_source", c_int32),
        ("left", ctypes.c_void_p),
        ("right", ctypes.c_void_p),
        ("byte_count", c_uint64),
        ("height", c_int32),
        ("width", c_int32),
        ("row_bytes", c_int64),
    ]


def _loaded() -> ctypes.CDLL:
    path = Path(__file__).parent / "_native" / "libdepth.so"
    if not path.exists():
        raise ImportError(f"{path} is missing; install the package with 'pip install .' in the folder Python")
    library = ctypes.CDLL(str(path))
    pointer = ctypes.c_void_p
    arguments: Dict[str, list[Type[Any]]] = {
        "depth_open": [POINTER(OpenOptions), POINTER(pointer), POINTER(Failure)],
        "depth_precision": [pointer, POINTER(c_int32), POINTER(Failure)],
        "depth_weights_id": [pointer, c_char_p, c_uint64, POINTER(c_uint64), POINTER(Failure)],
        "depth_estimate": [
            pointer, POINTER(Picture), POINTER(RefineOptions), POINTER(Map), POINTER(EstimateFacts), POINTER(Failure),
        ],
        "depth_refine": [POINTER(Picture), POINTER(Map), POINTER(RefineOptions), POINTER(Map), POINTER(Failure)],
        "depth_normals": [POINTER(Map), c_double, POINTER(Map), POINTER(Failure)],
        "depth_align": [POINTER(Picture), POINTER(Map), POINTER(Map), c_double, POINTER(Map), POINTER(Failure)],
        "depth_write": [POINTER(Map), c_char_p, c_int32, POINTER(Failure)],
        "depth_stereo": [POINTER(Picture), POINTER(Map), POINTER(StereoOptions), POINTER(Views), POINTER(Failure)],
    }
    for name, types in arguments.items():
        getattr(library, name).argtypes = types
        getattr(library, name).restype = c_int32
    library.depth_abi_version.restype = c_uint32
    library.depth_version.restype = c_char_p
    library.depth_close.argtypes = [pointer]
    library.depth_close.restype = None
    found = library.depth_abi_version()
    if found != ABI_VERSION:
        raise ImportError(f"{path} has ABI version {found}, expected {ABI_VERSION}")
    return library


library = _loaded()


def call(name: str, *arguments: Any) -> None:
    """Makes a call whose last argument is a failure.

    Raises:
        DepthError: What the call says.
    """
    failure = Failure()
    status = getattr(library, name)(*arguments, byref(failure))
    if status != 0:
        raise failure_of(status, failure.message.decode("utf-8", "replace"))


def version() -> str:
    """The version of the library, such as ``0.2.0``."""
    return str(library.depth_version().decode())


