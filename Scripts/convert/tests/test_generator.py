"""The generated weights and the float64 network, against figures that were computed independently."""

from __future__ import annotations

import unittest
import zlib
from pathlib import Path

import numpy as np

from fcrnweights.architecture import fcrn50
from fcrnweights.folding import folded
from fcrnweights.network import Network

from . import generator
from .float64_network import depth

REPOSITORY = Path(__file__).resolve().parents[3]
#: Depth in metres at five pixels (row, column) of the generated network, width divisor → value.
PIXELS = ((0, 0), (0, 159), (64, 80), (127, 0), (127, 159))
DEPTHS = {
    1: (2.808323301976, 4.012326862758, 3.383564073402, 3.179353186434, 3.550920198271),
    16: (3.462790619730, 3.177156916977, 7.468404840784, 3.073580493936, 2.614469547069),
}


class GeneratorTests(unittest.TestCase):
    def test_every_tensor_has_its_known_checksum(self) -> None:
        for divisor, name in ((16, "fcrn_narrow16_weights_crc32.txt"), (1, "fcrn_full_weights_crc32.txt")):
            with self.subTest(divisor=divisor):
                lines = [line.split() for line in (REPOSITORY / "Tests/Golden" / name).read_text().splitlines()]
                tensors = generator.tensors(fcrn50(divisor))
                found = {f"{layer}/{parameter}": (values.size, zlib.crc32(values.astype("<f4").tobytes()))
                         for layer, parameters in tensors.items() for parameter, values in parameters.items()}
                self.assertEqual(found, {n: (int(size), int(crc, 16)) for n, size, crc in lines})

    def test_image_has_its_known_checksum(self) -> None:
        self.assertEqual(zlib.crc32(generator.image(228, 304).tobytes()), 0xDF4FF292)
        self.assertEqual(zlib.crc32(generator.image(65, 97).tobytes()), 0x03F2B494)

    def test_network_gives_known_depths_folded_or_not(self) -> None:
        for divisor in DEPTHS:
            architecture = fcrn50(divisor)
            network = Network(architecture, generator.tensors(architecture))
            image = generator.image(228, 304)
            apart = depth(network, image)
            known = np.array(DEPTHS[divisor])
            with self.subTest(divisor=divisor):
                self.assertEqual(apart.shape, (128, 160))
                np.testing.assert_allclose([apart[p] for p in PIXELS], known, atol=1e-9)
                # Folded kernels are rounded to float32 once more.
                np.testing.assert_allclose(depth(folded(network), image), apart, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
