"""CRC-32C, the checksum in TensorFlow's and LevelDB's tables."""

from __future__ import annotations

import numpy as np

_POLYNOMIAL = 0x82F63B78  # Castagnoli, bits reversed
#: Bytes handled side by side: NumPy advances the checksum of every lane with one operation.
_LANES = 4096


def _byte_table() -> np.ndarray:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ _POLYNOMIAL, table >> 1).astype(np.uint32)
    return table


_TABLE = _byte_table()


def crc32c(data: bytes) -> int:
    """The checksum of `data`.

    Long data is cut into equal lanes. The register is linear over GF(2), so lanes start from zero,
    advance together, and are joined by the matrix that feeds a register one lane of zero bytes.
    """
    register = 0xFFFFFFFF
    length = len(data) // _LANES
    if length >= 64:
        body = np.frombuffer(data, np.uint8, _LANES * length).reshape(_LANES, length)
        lanes = np.zeros(_LANES, np.uint32)
        for column in np.ascontiguousarray(body.T):
            lanes = (lanes >> 8) ^ _TABLE[(lanes ^ column) & 0xFF]
        zeros = _zeros_operator(length)
        for lane in lanes.tolist():
            register = _apply(zeros, register) ^ lane
        data = data[_LANES * length:]
    for byte in data:
        register = (register >> 8) ^ int(_TABLE[(register ^ byte) & 0xFF])
    return register ^ 0xFFFFFFFF


def masked_crc32c(data: bytes) -> int:
    """The checksum as stored: rotated and shifted, so that data may contain its own checksum."""
    value = crc32c(data)
    return (((value >> 15) | (value << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def _apply(operator: list[int], register: int) -> int:
    result = 0
    for bit in range(32):
        if register >> bit & 1:
            result ^= operator[bit]
    return result


def _zeros_operator(count: int) -> list[int]:
    """The linear map of a register that `count` zero bytes are fed to, column per input bit."""
    power = [int((1 << bit) >> 8 ^ int(_TABLE[(1 << bit) & 0xFF])) for bit in range(32)]
    result = [1 << bit for bit in range(32)]
    while count:
        if count & 1:
            result = [_apply(power, column) for column in result]
        power = [_apply(power, column) for column in power]
        count >>= 1
    return result
