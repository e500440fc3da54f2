"""Just enough of the FlatBuffers format to read tables whose fields are known.

Source: flatbuffers.dev/internals.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Table:
    """A table at `position`; a field is found through the table of offsets that it shares."""

    data: memoryview
    position: int

    @staticmethod
    def root(data: memoryview) -> Table:
        return Table(data, _u32(data, 0))

    def _field(self, index: int) -> int | None:
        offsets = self.position - struct.unpack_from("<i", self.data, self.position)[0]
        if offsets < 0:
            raise ValueError("a table of offsets before the file's beginning")
        entry = 4 + 2 * index
        if entry >= struct.unpack_from("<H", self.data, offsets)[0]:
            return None
        offset = struct.unpack_from("<H", self.data, offsets + entry)[0]
        return self.position + offset if offset else None

    def number(self, index: int, kind: str, default: int = 0) -> int:
        """A scalar; `kind` as in `struct`."""
        field = self._field(index)
        return default if field is None else struct.unpack_from("<" + kind, self.data, field)[0]

    def table(self, index: int) -> Table | None:
        field = self._field(index)
        return None if field is None else Table(self.data, field + _u32(self.data, field))

    def vector(self, index: int, dtype: str) -> np.ndarray:
        """A vector of scalars, a view of the file; empty when absent."""
        start, count = self._vector(index)
        return np.frombuffer(self.data, dtype, count, start) if count else np.zeros(0, dtype)

    def tables(self, index: int) -> list[Table]:
        start, _ = self._vector(index)
        return [Table(self.data, start + 4 * i + int(offset))
                for i, offset in enumerate(self.vector(index, "<u4"))]

    def text(self, index: int) -> str:
        return self.vector(index, "u1").tobytes().decode("utf-8", "replace")

    def _vector(self, index: int) -> tuple[int, int]:
        field = self._field(index)
        if field is None:
            return 0, 0
        start = field + _u32(self.data, field)
        return start + 4, _u32(self.data, start)


def _u32(data: memoryview, position: int) -> int:
    return struct.unpack_from("<I", data, position)[0]
