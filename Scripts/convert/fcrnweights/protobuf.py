"""Just enough of the protocol buffer wire format to read messages whose fields are known.

Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct
from functools import cached_property

import numpy as np

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(data: memoryview | bytes, position: int) -> tuple[int, int]:
    """The number at `position` in base 128, least significant group first, and where it ends."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
        if shift > 63:
            raise ValueError("a number of more than 64 bits")


class Message:
    """One message; fields are asked for by number, values stay views of the file until then."""

    def __init__(self, data: memoryview | bytes) -> None:
        self.data = memoryview(data)

    @cached_property
    def fields(self) -> dict[int, list[int | memoryview]]:
        found: dict[int, list[int | memoryview]] = {}
        position, end = 0, len(self.data)
        while position < end:
            tag, position = varint(self.data, position)
            values, kind = found.setdefault(tag >> 3, []), tag & 7
            if kind == VARINT:
                number, position = varint(self.data, position)
                values.append(number)
                continue
            if kind == BYTES:
                size, position = varint(self.data, position)
            elif kind in (FIXED32, FIXED64):
                size = 4 if kind == FIXED32 else 8
            else:
                raise ValueError(f"wire type {kind}")
            if size > end - position:
                raise ValueError("a field beyond the end")
            values.append(self.data[position:position + size])
            position += size
        return found

    def __contains__(self, number: int) -> bool:
        return number in self.fields

    def integer(self, number: int, default: int = 0) -> int:
        """A signed 64-bit value."""
        values = self.fields.get(number)
        return _signed(values[-1]) if values else default

    def integers(self, number: int) -> list[int]:
        """A repeated integer, packed or not."""
        result: list[int] = []
        for value in self.fields.get(number, []):
            if isinstance(value, int):
                result.append(_signed(value))
                continue
            position = 0
            while position < len(value):
                item, position = varint(value, position)
                result.append(_signed(item))
        return result

    def floating(self, number: int) -> float:
        return struct.unpack("<f", self.bytes(number))[0] if number in self.fields else 0.0

    def floats(self, number: int) -> np.ndarray:
        """A repeated float, packed or not."""
        return np.frombuffer(b"".join(map(_view, self.fields.get(number, []))), "<f4")

    def bytes(self, number: int) -> memoryview:
        values = self.fields.get(number)
        return _view(values[-1]) if values else memoryview(b"")

    def text(self, number: int) -> str:
        return bytes(self.bytes(number)).decode("utf-8", "replace")

    def texts(self, number: int) -> list[str]:
        return [bytes(_view(v)).decode("utf-8", "replace") for v in self.fields.get(number, [])]

    def message(self, number: int) -> Message:
        """A nested message; empty when absent."""
        return Message(self.bytes(number))

    def messages(self, number: int) -> list[Message]:
        return [Message(_view(value)) for value in self.fields.get(number, [])]


def _view(value: int | memoryview) -> memoryview:
    if isinstance(value, int):
        raise ValueError("a number where a message was expected")
    return value


def _signed(value: int | memoryview) -> int:
    if not isinstance(value, int):
        raise ValueError("a message where a number was expected")
    return value - (1 << 64) if value >> 63 else value
