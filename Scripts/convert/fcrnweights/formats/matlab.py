"""MATLAB values as plain Python: a struct array is a list of dictionaries, a cell array a list."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import scipy.io

Struct = dict[str, Any]
MAXIMUM_DEPTH = 12


def read_5(path: Path) -> Struct:
    """Versions 4 to 7: SciPy reads them."""
    file = scipy.io.loadmat(path, struct_as_record=True, squeeze_me=False, chars_as_strings=True)
    return {name: _plain(value) for name, value in file.items() if not name.startswith("__")}


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.names:
        return [{field: _plain(element[field]) for field in value.dtype.names}
                for element in value.reshape(-1, order="F")]
    if value.dtype.kind in "US":
        return str(value.reshape(-1)[0]) if value.size else ""
    if value.dtype.kind == "O":
        return [_plain(element) for element in value.reshape(-1, order="F")]
    return value


def read_73(path: Path) -> Struct:
    """Version 7.3 is HDF5, axes reversed; cells and struct arrays are lists of references."""
    with h5py.File(path, "r") as file:
        return {name: _value(file, member, 0) for name, member in file.items()
                if not name.startswith("#")}


def _value(file: h5py.File, member: h5py.Group | h5py.Dataset, depth: int) -> Any:
    if depth > MAXIMUM_DEPTH:
        raise ValueError("references in a circle")
    if isinstance(member, h5py.Group):
        return _structs({name: (field, _value(file, field, depth + 1))
                         for name, field in member.items()})
    kind = member.attrs.get("MATLAB_class", b"")
    kind = kind.decode() if isinstance(kind, bytes) else str(kind)
    if "MATLAB_empty" in member.attrs and member.attrs["MATLAB_empty"]:
        return "" if kind == "char" else [] if kind in ("cell", "struct") else np.zeros(0)
    values = member[()]
    if values.dtype == h5py.ref_dtype:
        return [_value(file, file[reference], depth + 1) for reference in values.reshape(-1)]
    if kind == "char":
        return "".join(map(chr, values.reshape(-1).tolist()))
    return values.T


def _structs(fields: dict[str, tuple[h5py.Group | h5py.Dataset, Any]]) -> list[Struct]:
    """A struct array if every field is a list of references; else one struct of the fields."""
    def is_column(member: h5py.Group | h5py.Dataset) -> bool:
        return (isinstance(member, h5py.Dataset) and member.dtype == h5py.ref_dtype
                and "MATLAB_class" not in member.attrs)
    if fields and all(is_column(member) for member, _ in fields.values()):
        columns = {name: value for name, (_, value) in fields.items()}
        return [dict(zip(columns, row)) for row in zip(*columns.values(), strict=True)]
    return [{name: value for name, (_, value) in fields.items()}]
