"""Every published form, converted: the tensors, and what the file says of them."""

import hashlib
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np

from fcrnweights.folding import folded
from fcrnweights.formats import own_archive
from fcrnweights.network import Network, Tensors
from fcrnweights.reading import Options

from .writing import convert, files, generated_network

#: Writer, file, padding, largest relative difference of a tensor's values; 0 is bit for bit.
APART = (
    ("own_files", "NYU_ResNet-UpProj.npy", "topleft", 0),
    ("own_files", "small.ckpt", "topleft", 0),
    ("tensorflow_files", "NYU_FCRN.ckpt", "topleft", 0),
    ("tensorflow_files", "NYU_FCRN.ckpt.data-00000-of-00001", "topleft", 0),
    ("tensorflow_files", "NYU_FCRN-checkpoint.zip", "topleft", 0),
    ("core_ml_files", "FCRN.mlmodel", "topleft", 0),
    ("onnx_files", "apart.onnx", "topleft", 0),
    ("onnx_files", "external.onnx", "topleft", 0),
    ("torch_files", "published.pth", "topleft", 0),
    ("torch_files", "legacy.pth", "topleft", 0),
    ("torch_files", "checkpoint.pth.tar", "topleft", 0),
    ("torch_files", "proj-and-skip.pth", "topleft", 0),
    ("torch_files", "torchvision-names.pth", "topleft", 0),
    # Sigma is rounded to float32 and squared.
    ("matlab_files", "NYU_ResNet-UpProj.mat", "topleft", 3e-7),
    ("matlab_files", "Make3D_ResNet-UpProj.mat", "bottomright", 3e-7),
    ("matlab_73_files", "version 7.3.mat", "bottomright", 3e-7),
)
#: Batch norms are, in whole or in part, in the kernels; the last number as above, of the largest value.
FOLDED = (
    ("onnx_files", "folded.onnx", "topleft", 0),
    ("onnx_files", "partly.onnx", "topleft", 3e-7),
    ("torch_files", "exported.onnx", "topleft", 2e-6),
)


class ConversionTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def converted(self, source: Path, *options: str) -> Network:
        output = Path(self.folder.name) / "out.h5"
        self.assertEqual(convert(source, output, *options), 0)
        return own_archive.read(output, Options()).network.checked()

    def each(self, table: tuple) -> Iterator[tuple[Path, str, float]]:
        """Each file whose writer is there, in a subtest of its own."""
        for writer, name, padding, tolerance in table:
            with self.subTest(name):
                yield files(writer) / name, padding, tolerance

    def test_forms_with_batch_norms_apart(self) -> None:
        for source, padding, tolerance in self.each(APART):
            network = self.converted(source)
            self.assertFalse(network.folded)
            self.assert_same(network, generated_network(padding), tolerance)

    def test_forms_with_folded_batch_norms(self) -> None:
        for source, padding, tolerance in self.each(FOLDED):
            self.assert_same(folded(self.converted(source)), folded(generated_network(padding)), tolerance)

    def test_half_precision_core_ml(self) -> None:
        half = {layer: {p: v.astype("<f2").astype("<f4") for p, v in parameters.items()}
                for layer, parameters in generated_network().tensors.items()}
        self.assert_tensors(self.converted(files("core_ml_files") / "FCRNFP16.mlmodel").tensors, half, 0)

    def test_preprocessing_inside_the_model(self) -> None:
        network = self.converted(files("core_ml_files") / "bgr.mlmodel")
        self.assertEqual((network.pixel_scale, network.pixel_mean, network.padding),
                         (0.5, (3.0, 2.0, 1.0), "bottomright"))
        self.assert_tensors(network.tensors, generated_network().tensors, 0)

    def test_the_file_says_what_it_is_and_where_it_came_from(self) -> None:
        source = files("own_files") / "NYU_ResNet-UpProj.npy"
        self.converted(source, "--precision", "int8", "--upproj-padding", "bottomright")
        with h5py.File(Path(self.folder.name) / "out.h5") as file:
            facts = {k: v.decode() if isinstance(v, bytes) else v for k, v in file.attrs.items()}
        expected = {"kernel_type": "int8", "bn_folded": 1, "upproj_padding": "bottomright",
                    "source_name": source.name, "source_format": "numpy dictionary",
                    "architecture": "fcrn-resnet50-upproj", "final_relu": 1,
                    "format_name": "fcrn-hdf5", "format_version": 2, "pixel_scale": 1,
                    "source_sha256": hashlib.sha256(source.read_bytes()).hexdigest()}
        self.assertEqual({k: facts[k] for k in expected}, expected)

    def assert_same(self, found: Network, expected: Network, tolerance: float) -> None:
        self.assertEqual((found.padding, found.final_relu, found.pixel_scale, found.pixel_mean),
                         (expected.padding, True, 1.0, (0.0, 0.0, 0.0)))
        self.assert_tensors(found.tensors, expected.tensors, tolerance)

    def assert_tensors(self, found: Tensors, expected: Tensors, tolerance: float) -> None:
        self.assertEqual({k: set(v) for k, v in found.items()}, {k: set(v) for k, v in expected.items()})
        for layer, parameters in expected.items():
            for parameter, values in parameters.items():
                name = f"{layer}/{parameter}"
                if tolerance == 0:
                    self.assertEqual(found[layer][parameter].tobytes(), values.tobytes(), name)
                else:
                    worst = np.abs(found[layer][parameter].astype(float) - values).max()
                    self.assertLessEqual(worst, tolerance * np.abs(values).max(), name)
