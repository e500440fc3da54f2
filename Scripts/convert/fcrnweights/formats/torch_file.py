"""Files written by `torch.save`, old and new, without PyTorch.

Both hold a pickle whose tensors refer to storages by key: the zip form (since 1.6) keeps each
storage as a member of the archive, the older form appends them to the pickle.

Source: torch/serialization.py.
"""

from __future__ import annotations

import pickle
import struct
import zipfile
from collections import OrderedDict
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import ConversionError
from ..restricted_pickle import Allowed, RestrictedUnpickler, numpy_names

#: Storage class → NumPy type.
STORAGES = {"FloatStorage": "<f4", "DoubleStorage": "<f8", "HalfStorage": "<f2", "LongStorage": "<i8",
            "IntStorage": "<i4", "ShortStorage": "<i2", "CharStorage": "i1", "ByteStorage": "u1",
            "BoolStorage": "?"}
#: How the older form begins: this number, pickled by protocol 2.
LEGACY_MAGIC = pickle.dumps(0x1950A86A20F9469CFC6C, protocol=2)
LIMIT_BYTES = 1 << 30


@dataclass(frozen=True)
class StorageType:
    """Stands for `torch.FloatStorage` and its like."""

    dtype: str


@dataclass
class Storage:
    """Elements that tensors are windows into; the older form fills them in afterwards."""

    dtype: str
    count: int
    data: np.ndarray | None = None


@dataclass(frozen=True)
class Window:
    """A tensor: a strided window into a storage."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def array(self) -> np.ndarray:
        data = self.storage.data
        if data is None or any(type(n) is not int or n < 0
                               for n in (self.offset, *self.shape, *self.strides)):
            raise ValueError("a tensor without elements or with a negative extent")
        if prod(self.shape) > data.size:  # a stride of 0 would make a little data look like a lot
            raise ValueError("a tensor larger than its storage")
        last = self.offset + sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))
        if 0 not in self.shape and last >= data.size:
            raise ValueError("a tensor that reaches beyond its storage")
        return np.lib.stride_tricks.as_strided(
            data[self.offset:], self.shape, tuple(s * data.itemsize for s in self.strides))


def load(path: Path) -> Any:
    """The pickled object, tensors as `Window`."""
    return _load_zip(path) if zipfile.is_zipfile(path) else _load_legacy(path)


def _allowed() -> Allowed:
    names: Allowed = {
        ("collections", "OrderedDict"): OrderedDict,
        ("torch._utils", "_rebuild_tensor"): lambda storage, offset, shape, strides: Window(
            storage, offset, tuple(shape), tuple(strides)),
        ("torch._utils", "_rebuild_tensor_v2"): lambda storage, offset, shape, strides, *_: Window(
            storage, offset, tuple(shape), tuple(strides)),
        ("torch._utils", "_rebuild_parameter"): lambda window, *_: window,
        ("torch", "Size"): tuple,
    }
    for name, dtype in STORAGES.items():
        names["torch", name] = StorageType(dtype)
    return names | numpy_names()


def _load_zip(path: Path) -> Any:
    with zipfile.ZipFile(path) as archive:
        pickles = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise ConversionError(f"'{path.name}' holds {len(pickles)} pickles, expected one")
        folder = pickles[0].removesuffix("data.pkl")
        if folder + "byteorder" in archive.namelist() and archive.read(folder + "byteorder") != b"little":
            raise ConversionError(f"'{path.name}' was written on a big-endian machine")
        storages: dict[str, Storage] = {}

        def storage(identifier: Any) -> Storage:
            kind, key, count = _storage_identifier(identifier)
            if key not in storages:
                member = f"{folder}data/{key}"
                size = count * np.dtype(kind).itemsize
                if size > LIMIT_BYTES or archive.getinfo(member).file_size != size:
                    raise ValueError(f"storage {key} whose size is not that of its elements")
                storages[key] = Storage(kind, count, np.frombuffer(archive.read(member), kind))
            return storages[key]

        if archive.getinfo(pickles[0]).file_size > LIMIT_BYTES:
            raise ValueError("a pickle of more than a gigabyte")
        with archive.open(pickles[0]) as file:
            return _unpickle(file, path, storage)


def _load_legacy(path: Path) -> Any:
    storages: dict[str, Storage] = {}

    def storage(identifier: Any) -> Storage:
        kind, key, count = _storage_identifier(identifier)
        return storages.setdefault(key, Storage(kind, count))

    with open(path, "rb") as file:
        for _ in range(3):  # magic number, protocol version, facts about the machine
            _unpickle(file, path, None)
        value = _unpickle(file, path, storage)
        for key in _unpickle(file, path, None):
            target = storages[key]
            count = struct.unpack("<q", file.read(8))[0]
            if count != target.count:
                raise ValueError(f"storage {key} of {count} elements, expected {target.count}")
            raw = file.read(count * np.dtype(target.dtype).itemsize)
            target.data = np.frombuffer(raw, target.dtype, count)
    return value


def _unpickle(file: IO[bytes], path: Path, storage: Any) -> Any:
    return RestrictedUnpickler(file, _allowed(), f"'{path.name}'", storage).load()


def _storage_identifier(identifier: Any) -> tuple[str, str, int]:
    """('storage', type, key, location, count), and in the older form a view that is always None."""
    label, kind, key, _, count = identifier[:5]
    if label != "storage" or not isinstance(kind, StorageType) or any(identifier[5:]):
        raise ValueError("a reference to something other than a storage")
    if not isinstance(key, str) or type(count) is not int or count < 0:
        raise ValueError("a storage of no certain size")
    return kind.dtype, key, count
