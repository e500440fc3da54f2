"""Files written by `torch.save`, old and new, without PyTorch.

Both hold a pickle whose tensors are strided windows into storages, which it names by keys: the zip form (since 1.6) keeps each
storage as a member of the archive, the older form appends them to the pickle.

Source: torch/serialization.py.
"""

import struct
import zipfile
from collections import OrderedDict
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
LIMIT_BYTES = 1 << 30


def load(path: Path) -> Any:
    """The pickled object, tensors as arrays."""
    storages: dict[str, np.ndarray] = {}

    def storage(identifier: Any) -> np.ndarray:
        """Zeros until the pickle is read, for ('storage', type, key, location, count) and, in the older form, a view that is None."""
        label, kind, key, _, count = identifier[:5]
        if label != "storage" or not isinstance(kind, np.dtype) or any(identifier[5:]):
            raise ValueError("a reference to something other than a storage")
        if not isinstance(key, str) or type(count) is not int or not 0 <= count * kind.itemsize <= LIMIT_BYTES:
            raise ValueError("a storage of no certain size")
        if key not in storages:
            storages[key] = np.zeros(count, kind)
        return storages[key]

    def unpickled(file: IO[bytes]) -> Any:
        return RestrictedUnpickler(file, _allowed(), f"'{path.name}'", storage).load()

    if not zipfile.is_zipfile(path):
        with open(path, "rb") as file:
            for _ in range(3):  # magic number, protocol version, facts about the machine
                unpickled(file)
            value = unpickled(file)
            for key in unpickled(file):
                if struct.unpack("<q", file.read(8))[0] != storages[key].size:
                    raise ValueError(f"storage {key} has not {storages[key].size} elements")
                storages[key][:] = np.frombuffer(file.read(storages[key].nbytes), storages[key].dtype, storages[key].size)
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
            if archive.getinfo(member).file_size != target.nbytes:
                raise ValueError(f"storage {key} whose size is not that of its elements")
            target[:] = np.frombuffer(archive.read(member), target.dtype, target.size)
    return value


def _window(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> np.ndarray:
    """A tensor: a strided window into a storage."""
    if not isinstance(storage, np.ndarray) or any(type(n) is not int or n < 0 for n in (offset, *shape, *strides)):
        raise ValueError("a tensor without elements or with a negative extent")
    if prod(shape) > storage.size:  # a stride of 0 would make a little data look like a lot
        raise ValueError("a tensor larger than its storage")
    last = offset + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    if 0 not in shape and last >= storage.size:
        raise ValueError("a tensor that reaches beyond its storage")
    return np.lib.stride_tricks.as_strided(storage[offset:], shape, tuple(s * storage.itemsize for s in strides))


def _allowed() -> Allowed:
    names: Allowed = {
        ("collections", "OrderedDict"): OrderedDict,
        ("torch._utils", "_rebuild_tensor"): _window,
        ("torch._utils", "_rebuild_tensor_v2"): _window,
        ("torch._utils", "_rebuild_parameter"): lambda window, *_: window,
        ("torch", "Size"): tuple,
    }
    return names | {("torch", name): np.dtype(kind) for name, kind in STORAGES.items()} | numpy_names()
