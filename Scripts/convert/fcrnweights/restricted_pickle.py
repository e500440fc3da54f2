"""Pickles read without running what is in them.

A pickle is a program that may call anything importable. Here a name resolves only if the caller
listed it, so the worst a hostile file can do is to be refused.
"""

import pickle
from collections.abc import Callable
from typing import IO, Any

import numpy as np

from .errors import ConversionError

Allowed = dict[tuple[str, str], Any]


class RestrictedUnpickler(pickle.Unpickler):
    """An unpickler that knows a given list of names, and asks `load_storage` for anything external."""

    def __init__(self, file: IO[bytes], allowed: Allowed, what: str,
                 load_storage: Callable[[Any], Any] | None = None) -> None:
        super().__init__(file, encoding="latin1")  # Python 2 wrote the published file
        self._allowed, self._what, self._load_storage = allowed, what, load_storage

    def find_class(self, module: str, name: str) -> Any:
        try:
            return self._allowed[module, name]
        except KeyError:
            raise ConversionError(
                f"{self._what} is refused: its pickle contains '{module}.{name}', which no weights need"
            ) from None

    def persistent_load(self, identifier: Any) -> Any:
        if self._load_storage is None:
            raise pickle.UnpicklingError("a reference to another file")
        return self._load_storage(identifier)


def numpy_names() -> Allowed:
    """What pickled NumPy arrays and scalars consist of, in old and new NumPy."""
    names = {"_reconstruct": _empty_array, "scalar": _scalar, "ndarray": np.ndarray, "dtype": np.dtype}
    return {("_codecs", "encode"): _encoded} | {
        (module, name): what for name, what in names.items()
        for module in ("numpy", "numpy.core.multiarray", "numpy._core.multiarray")}


def _empty_array(kind: type, shape: tuple[int, ...], _: bytes) -> np.ndarray:
    """The blank an array's state is poured into; NumPy always writes it with no elements."""
    if kind is not np.ndarray or tuple(shape) != (0,):
        raise pickle.UnpicklingError("an array that does not begin empty")
    return np.ndarray((0,), np.int8)


def _scalar(dtype: np.dtype, data: bytes | str) -> np.generic:
    if not isinstance(dtype, np.dtype) or dtype.hasobject:
        raise pickle.UnpicklingError("a scalar of no numeric type")
    data = data.encode("latin1") if isinstance(data, str) else data
    return np.frombuffer(data, dtype, 1)[0]


def _encoded(text: str, encoding: str) -> bytes:
    """How protocol 2 of Python 3 spells bytes."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"text encoded as {encoding!r}")
    return text.encode("latin1")
