"""What is stored in each precision and of each network, and that a file can be converted again."""

import hashlib
import struct
import tempfile
import unittest
import zlib
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np

from fcrnweights import archive
from fcrnweights.architecture import fcrn_lite2
from fcrnweights.errors import ConversionError
from fcrnweights.folding import folded
from fcrnweights.formats import own_archive
from fcrnweights.network import Network
from fcrnweights.precision import reduced, restored
from fcrnweights.reading import Options, Source

from .writing import convert, generated_network

NARROW = (16, 8, 8, 4, 4)
NOWHERE = Source("generated", "test", "0" * 64)


class PrecisionTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_int8_codes_are_within_half_a_step(self) -> None:
        exact = folded(generated_network())
        for layer, parameters in reduced(exact, "int8").tensors.items():
            kernel, codes, scale = exact.tensors[layer]["kernel"], parameters["kernel"], parameters["scale"]
            self.assertEqual((codes.dtype, scale.dtype), (np.int8, np.float32))
            self.assertEqual(codes.min(initial=0) >= -127, True)
            self.assertTrue((np.abs(codes.astype(int)).max(axis=(1, 2, 3)) == 127).all(), layer)
            step = scale.reshape(-1, 1, 1, 1).astype(float)
            self.assertLessEqual(np.abs(codes * step - kernel).max(), 0.5001 * step.max())

    def test_a_channel_of_zeros_stays_zero(self) -> None:
        exact = folded(generated_network())
        exact.tensors["conv1"]["kernel"][2] = 0
        found = restored(reduced(exact, "int8")).tensors["conv1"]["kernel"]
        self.assertTrue((found[2] == 0).all() and np.isfinite(found).all())

    def test_files_are_laid_out_as_promised(self) -> None:
        for precision, kind in (("float32", "<f4"), ("float16", "<f2"), ("int8", "i1")):
            path = self.folder / "out.h5"
            archive.write(path, reduced(generated_network(), precision), precision, NOWHERE)
            with h5py.File(path) as file:
                kernel, bias = file["layer1/kernel"], file["layer1/bias"]
                self.assertEqual((kernel.dtype, bias.dtype), (np.dtype(kind), np.dtype("<f4")))
                self.assertEqual(kernel.compression, "gzip" if precision == "float16" else None)
                self.assertEqual(kernel.shuffle, precision == "float16")
                self.assertEqual(file.attrs["format_version"], 2)
                for layer in file.values():
                    for data in layer.values():
                        self.assertEqual((data.id.get_offset() or 0) % 64, 0, data.name)
                self.assertIsNone(bias.chunks)
                self.assertEqual(file["layer1"].attrs["kind"], b"conv")
                self.assertEqual("layer1_BN" in file, precision != "int8")
                if precision == "int8":
                    self.assertEqual(file["layer1/scale"].shape, (64,))
            self.assertEqual(path.read_bytes()[512 + 8], 0)  # superblock version 0: any reader knows it

    def test_the_block_has_the_checksums_of_the_rest(self) -> None:
        path = self.folder / "out.h5"
        archive.write(path, reduced(generated_network(), "int8"), "int8", NOWHERE)
        content = path.read_bytes()
        head, rest = content[:512], content[512:]
        self.assertEqual(head[:16], b"\x8afcrn\r\n\x1a" + struct.pack("<II", 2, 512))
        self.assertEqual(head[16:28], struct.pack("<QI", len(rest), zlib.crc32(rest)))
        self.assertEqual(head[28:64], bytes(4) + hashlib.sha256(rest).digest())
        self.assertEqual(head[64:508], bytes(444))
        self.assertEqual(head[508:], struct.pack("<I", zlib.crc32(head[:508])))
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with self.assertRaisesRegex(ConversionError, "damaged"):
            own_archive.read(path, Options())

    def test_the_same_precision_again_changes_no_value(self) -> None:
        first, second = self.folder / "a.h5", self.folder / "b.h5"
        for precision in ("float32", "float16", "int8"):
            archive.write(first, reduced(generated_network(), precision), precision, NOWHERE)
            self.assertEqual(convert(first, second, "--precision", precision), 0)
            self.assertEqual(first.read_bytes(), second.read_bytes(), precision)

    def test_our_own_files_can_change_precision(self) -> None:
        exact, out = self.folder / "exact.h5", self.folder / "out.h5"
        archive.write(exact, generated_network(padding="bottomright"), "float32", NOWHERE)
        self.assertEqual(convert(exact, out, "--precision", "int8"), 0)
        found = own_archive.read(out, Options()).network
        self.assertEqual((found.folded, found.padding), (True, "bottomright"))
        expected = restored(reduced(generated_network(), "int8"))
        for layer, parameters in expected.tensors.items():
            for parameter, values in parameters.items():
                np.testing.assert_array_equal(found.tensors[layer][parameter], values)

    def test_other_networks_keep_their_facts(self) -> None:
        first, second = self.folder / "a.h5", self.folder / "b.h5"
        for architecture in (replace(fcrn_lite2(NARROW, width_divisor=8), input_size=(96, 160)),
                             fcrn_lite2(NARROW, width_divisor=8, outputs=1, output_activation="relu",
                                        global_context=False, skip_connections=False)):
            tensors = {c.name: {"kernel": np.ones(c.shape), "bias": np.ones(c.shape[0])} for c in architecture.convolutions}
            network = Network(architecture, tensors, True, pixel_mean=(127, 127, 127), focal_exponent=0.5).checked()
            archive.write(first, network, "float32", NOWHERE)
            self.assertEqual(convert(first, second, "--precision", "int8"), 0)
            self.assertEqual(own_archive.read(second, Options()).network.checked().architecture, architecture)
            with h5py.File(second) as file:
                self.assertNotIn("final_relu", file.attrs)
                self.assertEqual((file.attrs["input_height"], file.attrs["input_width"]), architecture.input_size)
                self.assertEqual((file.attrs["decoder_widths"].tolist(), file.attrs["focal_exponent"]), (list(NARROW), 0.5))

    def test_the_encoder_of_lite2_has_the_published_size(self) -> None:
        encoder = [layer for layer in fcrn_lite2().convolutions if layer.name.startswith(("stem", "block"))]
        self.assertEqual(len(encoder), 1 + 2 + 20 * 3)
        # As published: 6 092 072 parameters, of which the head and the classifier, 352 → 1280 → 1000, are no part here;
        # a batch norm has two per channel, of which folding leaves one.
        kernels = sum(int(np.prod(layer.shape)) for layer in encoder)
        channels = sum(layer.shape[0] for layer in encoder)
        self.assertEqual(kernels + 2 * channels + 352 * 1280 + 2 * 1280 + 1280 * 1000 + 1000, 6_092_072)
        by_name = fcrn_lite2().by_name
        self.assertEqual((by_name["block3a_depthwise"].groups, by_name["block3a_depthwise"].stride), (144, 2))
        for name, shape in (("block3a_depthwise", (144, 1, 5, 5)), ("block7a_project", (352, 1248, 1, 1)),
                            ("layer2x_skip", (128, 120, 1, 1)), ("layer16x_skip", (32, 16, 1, 1)), ("ConvPred", (2, 32, 3, 3))):
            self.assertEqual(by_name[name].shape, shape)
        self.assertNotIn("block1a_expand", by_name)
