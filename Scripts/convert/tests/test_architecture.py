"""EfficientNet-Lite2's list of layers, and that a file of it can be written and read again."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from fcrnweights import archive
from fcrnweights.architecture import fcrn18, fcrn_lite2
from fcrnweights.formats import own_archive
from fcrnweights.network import Network
from fcrnweights.precision import reduced
from fcrnweights.reading import Options
from fcrnweights.source import Source

NARROW = (16, 8, 8, 4, 4)


class ArchitectureTests(unittest.TestCase):
    def test_the_encoder_has_the_published_size(self) -> None:
        layers = fcrn_lite2().convolutions
        encoder = [layer for layer in layers if layer.name.startswith(("stem", "block"))]
        self.assertEqual(len(encoder), 1 + 2 + 20 * 3)
        # As published: 6 092 072 parameters, of which the head and the classifier, 352 → 1280 → 1000, are no part here;
        # a batch norm has two per channel, of which folding leaves one.
        kernels = sum(int(np.prod(layer.shape)) for layer in encoder)
        channels = sum(layer.shape[0] for layer in encoder)
        self.assertEqual(kernels + 2 * channels + 352 * 1280 + 2 * 1280 + 1280 * 1000 + 1000, 6_092_072)
        by_name = fcrn_lite2().by_name
        self.assertEqual(by_name["block3a_depthwise"].shape, (144, 1, 5, 5))
        self.assertEqual((by_name["block3a_depthwise"].groups, by_name["block3a_depthwise"].stride), (144, 2))
        self.assertEqual(by_name["block7a_project"].shape, (352, 1248, 1, 1))
        self.assertEqual(by_name["layer2x_skip"].shape, (128, 120, 1, 1))
        self.assertEqual(by_name["layer16x_skip"].shape, (32, 16, 1, 1))
        self.assertEqual(by_name["ConvPred"].shape, (2, 32, 3, 3))
        self.assertNotIn("block1a_expand", by_name)

    def test_files_come_back_as_they_were(self) -> None:
        for architecture in (fcrn_lite2(NARROW, width_divisor=8),
                             fcrn_lite2(NARROW, width_divisor=8, outputs=1, output_activation="relu",
                                        global_context=False, skip_connections=False),
                             fcrn18(NARROW, outputs=2, output_activation="exp", global_context=True)):
            dice = np.random.default_rng(1)
            tensors = {c.name: {"kernel": dice.normal(size=c.shape), "bias": dice.normal(size=c.shape[0])}
                       for c in architecture.convolutions}
            network = Network(architecture, tensors, folded=True, pixel_mean=(127, 127, 127)).checked()
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "a.h5"
                archive.write(path, reduced(network, "int8"), "int8", Source("generated", "test", "0" * 64))
                self.assertEqual(own_archive.read(path, Options()).network.checked().architecture, architecture)
                with h5py.File(path) as file:
                    self.assertNotIn("final_relu", file.attrs)
                    self.assertEqual((file.attrs["input_height"], file.attrs["input_width"]), architecture.input_size)


if __name__ == "__main__":
    unittest.main()
