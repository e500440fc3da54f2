"""The portable weight generator: numbers that are the same on every machine to the bit.

Integers are mixed by splitmix64, and every float is rounded once.
"""

from __future__ import annotations

import numpy as np

SEED, ALL = 0x4643524E, 2**64 - 1


class Stream:
    """24-bit integers of one name: splitmix64 in counter form."""

    def __init__(self, name: str) -> None:
        state = 0xCBF29CE484222325
        for byte in name.encode():
            state = (state ^ byte) * 0x100000001B3 & ALL
        self.state = int(mixed(np.array([SEED + state & ALL], np.uint64))[0])

    def take(self, count: int) -> np.ndarray:
        counter = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return mixed(counter + np.uint64(self.state)) >> np.uint64(40)

    def symmetric(self, count: int, bound: float) -> np.ndarray:
        """In [−bound, bound), float32."""
        return np.float32(bound) * (self.take(count).astype(np.float32) * np.float32(2**-23) - np.float32(1))

    def range(self, count: int, low: float, span: float) -> np.ndarray:
        """In [low, low + span), float32; span is a power of two."""
        return np.float32(low) + np.float32(span) * (self.take(count).astype(np.float32) * np.float32(2**-24))


def mixed(z: np.ndarray) -> np.ndarray:
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
