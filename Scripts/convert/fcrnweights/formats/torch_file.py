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


@dataclass
class Storage:
    """Elements that tensors are windows into; they are read after the pickle."""

    dtype: np.dtype
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
    storages: dict[str, Storage] = {}

    def storage(identifier: Any) -> Storage:
        """('storage', type, key, location, count), and in the older form a view that is always None."""
        label, kind, key, _, count = identifier[:5]
        if label != "storage" or not isinstance(kind, np.dtype) or any(identifier[5:]):
            raise ValueError("a reference to something other than a storage")
        if not isinstance(key, str) or type(count) is not int or not 0 <= count * kind.itemsize <= LIMIT_BYTES:
            raise ValueError("a storage of no certain size")
        return storages.setdefault(key, Storage(kind, count))

    def unpickled(file: IO[bytes]) -> Any:
        return RestrictedUnpickler(file, _allowed(), f"'{path.name}'", storage).load()

    if not zipfile.is_zipfile(path):
        with open(path, "rb") as file:
            for _ in range(3):  # magic number, protocol version, facts about the machine
                unpickled(file)
            value = unpickled(file)
            for key in unpickled(file):
                target = storages[key]
                if struct.unpack("<q", file.read(8))[0] != target.count:
                    raise ValueError(f"storage {key} has not {target.count} elements")
                target.data = np.frombuffer(file.read(target.count * target.dtype.itemsize), target.dtype, target.count)
        return value
    with zipfile.ZipFile(path) as archive:
        pickles = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise ConversionError(f"'{path.name}' holds {len(pickles)} pickles, expected one")
        folder = pickles[0].removesuffix("data.pkl")
        if folder + "byteorder" in archive.namelist() and archive.read(folder + "byteorder") != b"little":
            raise ConversionError(f"'{path.name}' was written on a big-endian machine")
        if archive.getinfo(pickles[0]).file_size > LIMIT_BYTES:
            raise ValueError("a pickle of more than a gigabyte")
        with archive.open(pickles[0]) as file:
            value = unpickled(file)
        for key, target in storages.items():
            member = f"{folder}data/{key}"
            if archive.getinfo(member).file_size != target.count * target.dtype.itemsize:
                raise ValueError(f"storage {key} whose size is not that of its elements")
            target.data = np.frombuffer(archive.read(member), target.dtype)
    return value


def _allowed() -> Allowed:
    def rebuilt(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> Window:
        return Window(storage, offset, tuple(shape), tuple(strides))

    names: Allowed = {
        ("collections", "OrderedDict"): OrderedDict,
        ("torch._utils", "_rebuild_tensor"): rebuilt,
        ("torch._utils", "_rebuild_tensor_v2"): rebuilt,
        ("torch._utils", "_rebuild_parameter"): lambda window, *_: window,
        ("torch", "Size"): tuple,
    }
    return names | {("torch", name): np.dtype(kind) for name, kind in STORAGES.items()} | numpy_names()
