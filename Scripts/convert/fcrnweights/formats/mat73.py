"""MAT files of version 7.3, which are HDF5, as plain Python; the same values as `mat5` gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .mat5 import Struct

MAXIMUM_DEPTH = 12


def read(path: Path) -> Struct:
    """Every variable. Axes are stored reversed; cells and struct arrays are lists of references."""
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
