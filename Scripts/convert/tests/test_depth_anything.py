"""Depth Anything V2 converted from both naming schemes: tensors, attributes, precisions, and the resulting depth."""

from __future__ import annotations

import contextlib
import hashlib
import io
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

from fcrnweights.__main__ import main

from . import generator
from .depth_anything_weights import (State, authors_state, config, hub_state, shapes, write_hub, write_legacy_pth,
                                     write_pth)
from .float64_depth_anything import Float64DepthAnything

#: Row and column, as shares of the sides, of the pixels below.
PLACES = ((0, 0), (0, 1), (1 / 2, 1 / 3), (1 / 3, 1 / 2), (1, 0), (1, 1))
#: What `transformers` 5.23 (PyTorch, float32) gives there for the generated weights and picture: largest depth, width ×
#: height → depth. 252 × 518 with the positions of the authors' rule. Whole maps differ by 8.4e-6 m and 1.6e-6.
DEPTHS = {
    (None, 518, 518): (0.01517184, 0.03759945, 0.08748541, 0.1661163, 0.02176253, 0.0360758),
    (None, 252, 518): (0.01431151, 0.06000891, 0.0533918, 0.16519, 0.04065207, 0.03718726),
    (20, 518, 518): (10.07586, 10.18797, 10.43715, 10.82868, 10.10881, 10.18036),
    (20, 252, 518): (10.07156, 10.29995, 10.2669, 10.82408, 10.20323, 10.18591),
}


class DepthAnythingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.hub = hub_state()
        cls.authors = authors_state(cls.hub)

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.made = 0

    def converted(self, source: Path, *options: str) -> Path:
        path, _ = self.converted_saying(source, *options)
        return path

    def converted_saying(self, source: Path, *options: str) -> tuple[Path, str]:
        self.made += 1
        output, said = self.folder / f"{self.made}.h5", io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(main([str(source), str(output), *options]), 0)
        return output, said.getvalue()

    def tensors(self, path: Path) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        with h5py.File(path) as file:
            file.visititems(lambda name, item: found.update({name: item[()]} if isinstance(item, h5py.Dataset) else {}))
        return found

    def facts(self, path: Path) -> dict[str, object]:
        with h5py.File(path) as file:
            return {k: v.decode() if isinstance(v, bytes) else v for k, v in file.attrs.items()}

    def hub_file(self, state: State | None = None, dtype: str = "F32", **named: object) -> Path:
        self.made += 1
        return write_hub(self.folder / f"hub{self.made}", self.hub if state is None else state, config(**named), dtype)

    def assert_same_tensors(self, one: Path, other: Path) -> None:
        expected, found = self.tensors(one), self.tensors(other)
        self.assertEqual(expected.keys(), found.keys())
        for name, values in expected.items():
            self.assertEqual((values.dtype, values.shape), (found[name].dtype, found[name].shape), name)
            self.assertEqual(values.tobytes(), found[name].tobytes(), name)

    def test_both_schemes_in_all_containers_give_the_same_bytes(self) -> None:
        for precision in ("float32", "float16", "int8"):
            options = ("--precision", precision)
            expected = self.converted(self.hub_file(), *options)
            parallel = {f"module.{name}": values for name, values in self.authors.items()}
            for source in (write_pth(self.folder / "zip.pth", self.authors),
                           write_legacy_pth(self.folder / "old.pth", self.authors),
                           write_pth(self.folder / "wrapped.pth", parallel, "model")):
                with self.subTest(source.name, precision=precision):
                    self.assert_same_tensors(expected, self.converted(source, *options, "--kind", "relative"))

    def test_names_kinds_and_shapes_are_those_of_the_layout(self) -> None:
        with h5py.File(self.converted(self.hub_file())) as file:
            self.assertEqual(len(file), 1 + 1 + 4 * 6 + 1 + 4 + 3 + 4 + (4 * 5 - 2) + 3)
            for layer, kind, shape in (
                    ("patch_embed", b"conv", (128, 3, 14, 14)), ("blocks.3.attn.qkv", b"conv", (384, 128, 1, 1)),
                    ("blocks.0.mlp.fc2", b"conv", (128, 512, 1, 1)), ("resize_layers.0", b"conv_transpose", (8, 8, 4, 4)),
                    ("resize_layers.1", b"conv_transpose", (12, 12, 2, 2)), ("resize_layers.3", b"conv", (24, 24, 3, 3)),
                    ("layer4_rn", b"conv", (16, 24, 3, 3)), ("refinenet4.out_conv", b"conv", (16, 16, 1, 1)),
                    ("output_conv2.0", b"conv", (32, 8, 3, 3)), ("output_conv2.2", b"conv", (1, 32, 1, 1))):
                self.assertEqual((file[layer].attrs["kind"], file[layer]["kernel"].shape), (kind, shape), layer)
            self.assertNotIn("refinenet4.resConfUnit1.conv1", file)
            self.assertNotIn("bias", file["layer1_rn"])
            for layer in ("blocks.0.norm1", "blocks.3.norm2", "norm"):
                self.assertEqual((file[layer].attrs["kind"], set(file[layer])), (b"norm", {"gamma", "beta"}))
            self.assertEqual(file["embeddings"].attrs["kind"], b"embedding")
            self.assertEqual(file["embeddings/class_token"].shape, (128,))
            self.assertEqual(file["embeddings/positions"].shape, (1370, 128))

    def test_tensors_are_folded_joined_and_turned_round(self) -> None:
        found, theirs = self.tensors(self.converted(self.hub_file())), self.authors
        for layer, factors in (("attn.proj", "ls1"), ("mlp.fc2", "ls2")):
            gamma = theirs[f"pretrained.blocks.2.{factors}.gamma"]
            kernel = theirs[f"pretrained.blocks.2.{layer}.weight"] * gamma[:, None]
            np.testing.assert_allclose(found[f"blocks.2.{layer}/kernel"][:, :, 0, 0], kernel, rtol=2e-7)
            bias = theirs[f"pretrained.blocks.2.{layer}.bias"] * gamma
            np.testing.assert_allclose(found[f"blocks.2.{layer}/bias"], bias, rtol=2e-7)
        for i in range(3):
            part = self.hub[f"backbone.encoder.layer.1.attention.attention.{('query', 'key', 'value')[i]}.weight"]
            np.testing.assert_array_equal(found["blocks.1.attn.qkv/kernel"][128 * i:128 * (i + 1), :, 0, 0], part)
        np.testing.assert_array_equal(found["resize_layers.1/kernel"],
                                      theirs["depth_head.resize_layers.1.weight"].transpose(1, 0, 2, 3))

    def test_attributes_of_each_kind(self) -> None:
        source = self.hub_file()
        facts = self.facts(self.converted(source))
        expected = {"format_name": "fcrn-hdf5", "format_version": 2, "content": "weights",
                    "architecture": "depth-anything-v2", "kernel_layout": "OIHW", "kernel_type": "float32", "channel_order": "RGB", "license": "unknown",
                    "output_unit": "relative disparity", "heads": 2, "input_side": 518, "source_name": "model.safetensors",
                    "source_format": "safetensors", "source_sha256": hashlib.sha256(source.read_bytes()).hexdigest()}
        self.assertEqual({name: facts[name] for name in expected}, expected)
        self.assertNotIn("largest_depth", facts)
        self.assertEqual(facts["taken_blocks"].tolist(), [1, 2, 3, 4])
        mean, deviation = np.array((0.485, 0.456, 0.406)), np.array((0.229, 0.224, 0.225))
        found = 100 * facts["pixel_scale"] - facts["pixel_mean"]
        np.testing.assert_allclose(found, (100 / 255 - mean) / deviation, rtol=1e-6)
        for depth, focal in ((20, 886.81 / 1024), (80, 725 / 1242)):
            facts = self.facts(self.converted(self.hub_file(largest_depth=depth)))
            self.assertEqual((facts["output_unit"], facts["largest_depth"]), ("metre", depth))
            self.assertAlmostEqual(float(facts["training_focal_length"]), focal, places=6)

    def test_the_kind_comes_from_what_says_it_and_is_printed(self) -> None:
        named = self.folder / "depth_anything_v2_metric_vkitti_vits.pth"
        small = authors_state({name: np.zeros(shape, "<f4") for name, shape in shapes(width=384, blocks=12).items()})
        output, said = self.converted_saying(write_pth(named, small))
        self.assertIn("taken as outdoor: 'depth_anything_v2_metric_vkitti_vits.pth' is the published name", said)
        facts = self.facts(output)
        self.assertEqual((facts["license"], facts["heads"], facts["largest_depth"]), ("Apache-2.0", 6, 80))
        self.assertEqual(facts["taken_blocks"].tolist(), [3, 6, 9, 12])
        _, said = self.converted_saying(named, "--kind", "indoor")
        self.assertIn("taken as indoor, as --kind says, although", said)
        _, said = self.converted_saying(self.hub_file(largest_depth=20))
        self.assertIn("taken as indoor, as config.json says", said)
        older = config()
        del older["depth_estimation_type"]
        _, said = self.converted_saying(write_hub(self.folder / "older", self.hub, older))
        self.assertIn("taken as relative, as config.json says", said)
        _, said = self.converted_saying(write_hub(self.folder / "bare", self.hub), "--kind", "outdoor")
        self.assertIn("there is no config.json", said)
        output, said = self.converted_saying(self.hub_file(largest_depth=12.5), "--kind", "indoor")
        self.assertEqual(self.facts(output)["largest_depth"], 12.5)

    def test_half_precision_sources_keep_their_values(self) -> None:
        for dtype in ("F16", "BF16"):
            rounded = {name: values.astype("<f2").astype("<f4") if dtype == "F16"
                       else (values.view("<u4") & np.uint32(0xFFFF0000)).view("<f4") for name, values in self.hub.items()}
            with self.subTest(dtype):
                expected = self.converted(self.hub_file(rounded))
                self.assert_same_tensors(expected, self.converted(self.hub_file(rounded, dtype)))

    def test_precisions_are_stored_as_promised(self) -> None:
        exact = self.tensors(self.converted(self.hub_file()))
        for precision, kernel, embedding in (("float32", "<f4", "<f4"), ("float16", "<f2", "<f2"), ("int8", "i1", "<f4")):
            path = self.converted(self.hub_file(), "--precision", precision)
            found = self.tensors(path)
            for name, values in found.items():
                expected = kernel if name.endswith("/kernel") else embedding if name.startswith("embeddings/") else "<f4"
                self.assertEqual(values.dtype, np.dtype(expected), name)
            with h5py.File(path) as file:
                file.visititems(lambda name, item: self.assertEqual(
                    (item.id.get_offset() or 0) % 64 if isinstance(item, h5py.Dataset) else 0, 0, name))
            if precision == "int8":
                for name in [name for name in exact if name.endswith("/kernel")]:
                    codes, scale = found[name], found[name.replace("/kernel", "/scale")]
                    self.assertEqual(scale.shape, codes.shape[:1])
                    step = scale.reshape(-1, 1, 1, 1).astype(float)
                    self.assertLessEqual((np.abs(codes * step - exact[name]) - 0.5001 * step).max(), 0, name)

    def test_our_own_files_can_change_precision(self) -> None:
        for depth in (None, 80):
            source = self.hub_file(largest_depth=depth)
            exact = self.converted(source)
            for precision in ("float32", "float16", "int8"):
                direct = self.converted(source, "--precision", precision)
                again = self.converted(direct, "--precision", precision)
                self.assertEqual(direct.read_bytes(), again.read_bytes())
                later = self.converted(exact, "--precision", precision)
                self.assert_same_tensors(direct, later)
                origin = {"source_name", "source_format", "source_sha256"}
                facts = [{k: np.asarray(v).tolist() for k, v in self.facts(path).items() if k not in origin}
                         for path in (direct, later)]
                self.assertEqual(*facts)
            wide = self.converted(self.converted(source, "--precision", "int8"))
            self.assertEqual(self.tensors(wide)["norm/gamma"].dtype, np.dtype("<f4"))

    def test_depth_is_that_of_another_implementation(self) -> None:
        for (largest, width, height), expected in DEPTHS.items():
            # Tolerances are shares of the range of depths.
            precisions = (("float32", 1e-5), ("float16", 1e-3), ("int8", 0.05))
            for precision, tolerance in precisions[:1] if width == height else precisions:
                with self.subTest(f"{largest} {width}×{height} {precision}"):
                    source = self.hub_file(largest_depth=largest)
                    network = Float64DepthAnything(self.converted(source, "--precision", precision))
                    depth = network(generator.image(height, width))
                    found = [depth[min(int(r * height), height - 1), min(int(c * width), width - 1)] for r, c in PLACES]
                    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * (2.2 if largest else 0.42))


if __name__ == "__main__":
    unittest.main()
