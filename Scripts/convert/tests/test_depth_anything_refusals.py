"""Wrong and hostile files of Depth Anything V2: one sentence, exit status 1, and nothing written."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import random
import struct
import unittest
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from .depth_anything_weights import (State, authors_state, config, hub_state, safetensors, with_header, write_hub,
                                     write_legacy_pth, write_pth)
from .refusals import Command, Refusals
from .writing import convert

PROJECTION = "depth_head.projects.1.weight"


class DepthAnythingRefusalTests(Refusals):
    @classmethod
    def setUpClass(cls) -> None:
        cls.hub = hub_state(width=64, blocks=4, features=4, channels=(2, 2, 2, 2))
        cls.authors = authors_state(cls.hub)

    def pth(self, name: str = "weights.pth", **changed: np.ndarray | None) -> Path:
        """The authors' state dict with tensors replaced; `None` removes one."""
        state = self.authors | {key.replace("__", "."): values for key, values in changed.items()}
        return write_pth(self.folder / name, {key: values for key, values in state.items() if values is not None})

    def hub_file(self, facts: dict[str, Any] | None, state: State | None = None) -> Path:
        (self.folder / "config.json").unlink(missing_ok=True)
        return write_hub(self.folder, self.hub if state is None else state, facts)

    def test_the_sources_are_fine_until_they_are_damaged(self) -> None:
        self.assertEqual(self.attempt(self.pth(), "--kind", "relative")[0], 0)
        self.assertEqual(self.attempt(self.hub_file(config()))[0], 0)

    def test_kinds_that_nothing_says_or_that_contradict(self) -> None:
        self.assert_refused(self.pth(), "pass --kind relative, --kind indoor or --kind outdoor")
        self.assert_refused(self.pth("depth_anything_v2_vits.pth"), "does not say which kind")  # but is 64 wide, not 384
        self.assert_refused(self.pth("depth_anything_vits14.pth"), "first version", "--kind", "relative")
        self.assert_refused(self.hub_file(None), "no config.json beside 'model.safetensors'")
        self.assert_refused(self.hub_file(config()), "are relative, --kind says indoor", "--kind", "indoor")
        self.assert_refused(self.hub_file(config(80)), "are outdoor, --kind says relative", "--kind", "relative")
        self.assert_refused(self.hub_file(config(10)), "the largest depth 10 m, neither 20 (indoor) nor 80")
        self.assert_refused(self.hub_file(config(10)), "--kind indoor or --kind outdoor", "--kind", "relative")

    def test_options_and_files_of_the_other_family(self) -> None:
        self.assert_refused(self.pth(), "are for FCRN", "--kind", "relative", "--bn-epsilon", "1e-4")
        np.save(self.folder / "layers.npy", {"conv1": {"weights": np.zeros((7, 7, 3, 4))}}, allow_pickle=True)
        self.assert_refused(self.folder / "layers.npy", "--kind is for Depth Anything V2", "--kind", "relative")
        source = self.hub_file(config())
        self.assertEqual(convert(source, self.folder / "own.h5"), 0)
        self.assert_refused(self.folder / "own.h5", "says itself which kind it is", "--kind", "relative")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(convert(self.folder / "own.h5", self.folder / "own.h5"), 1)
        self.assertIn("same file", said.getvalue())

    def test_configurations_of_other_networks(self) -> None:
        for words, facts in (
                ("describes no Depth Anything", {"model_type": "dpt"}),
                ("describes no Depth Anything", []),
                ("depth_estimation_type", config(depth_estimation_type="absolute")),
                ("max_depth", config(depth_estimation_type="metric")),
                ("max_depth", config(largest_depth=float("nan"))),
                ("has patch_size 16, expected 14", config(patch_size=16)),
                ("out_features", config(backbone_config={"out_features": ["stem", "stage1", "stage2", "stage3"]})),
                ("is damaged", config(backbone_config=[3])),
                ("has hidden_act \"relu\"", config(backbone_config={"hidden_act": "relu"})),
                ("cannot be taken after blocks", config(taken=(1, 2, 3, 5))),
                ("cannot be taken after blocks", config(taken=(2, 1, 3, 4)))):
            self.assert_refused(self.hub_file(facts), words)  # type: ignore[arg-type]
        self.hub_file(None)
        (self.folder / "config.json").write_bytes(b"[" * 100_000)
        self.assert_refused(self.folder / "model.safetensors", "'config.json' is nested too deeply")
        (self.folder / "config.json").write_bytes(b"\xff{")
        self.assert_refused(self.folder / "model.safetensors", "'config.json' is damaged")
        twelve = hub_state(width=64, blocks=12, features=4, channels=(2, 2, 2, 2))
        self.assert_refused(self.hub_file(config(blocks=12, taken=(9, 10, 11, 12)), twelve), "its first version")
        five = authors_state(hub_state(width=64, blocks=5, features=4, channels=(2, 2, 2, 2)))
        self.assert_refused(write_pth(self.folder / "five.pth", five), "of its 5 blocks", "--kind", "relative")

    def test_networks_that_are_not_whole(self) -> None:
        kernel = self.authors[PROJECTION]
        for values, words in (
                (None, f"'{PROJECTION}' is missing"), (kernel[:, 1:], "expected 2×64×1×1"), (kernel[0], "expected 4"),
                (kernel.astype("<i8"), "not floating-point"), (kernel * np.float32(np.nan), "not finite"),
                (kernel * np.float32(np.inf), "not finite"), (kernel.astype("<f8") * 1e300, "not finite")):
            self.assert_refused(self.pth(depth_head__projects__1__weight=values), words, "--kind", "relative")
        for name, words in (
                ("pretrained__pos_embed", "'pretrained.pos_embed' is missing"),
                ("pretrained__blocks__2__ls1__gamma", "'pretrained.blocks.2.ls1.gamma' is missing"),
                ("pretrained__blocks__2__norm1__bias", "'pretrained.blocks.2.norm1.bias' is missing"),
                ("depth_head__scratch__output_conv2__0__weight", "output_conv2.0.weight' is missing")):
            self.assert_refused(self.pth(**{name: None}), words, "--kind", "relative")
        extra = {"depth_head__scratch__refinenet5__out_conv__weight": kernel}
        self.assert_refused(self.pth(**extra), "is no tensor of Depth Anything V2", "--kind", "relative")
        wide = np.zeros((65, 3, 14, 14), "<f4")
        self.assert_refused(self.pth(pretrained__patch_embed__proj__weight=wide), "heads of 64", "--kind", "relative")
        infinite = self.authors["pretrained.blocks.0.ls1.gamma"] * np.float32(1e38)
        changed = {"pretrained__blocks__0__ls1__gamma": infinite,
                   "pretrained__blocks__0__attn__proj__bias": np.full(64, 1e10, "<f4")}
        self.assert_refused(self.pth(**changed), "not finite", "--kind", "relative")
        self.assert_refused(self.pth(depth_head__projects__1__weight=kernel * np.float32(1e7)), "range of float16",
                            "--kind", "relative", "--precision", "float16")
        bias = "backbone.encoder.layer.0.attention.attention.key.bias"
        for state, words in (
                ({k: v for k, v in self.hub.items() if k != bias}, "the key of"),
                (self.hub | {bias: np.zeros(63, "<f4")}, "differ in their shapes"),
                (self.hub | {"neck.readout": np.zeros(1, "<f4")}, "'neck.readout' is no tensor"),
                ({k: v for k, v in self.hub.items() if ".layer.1." not in k}, "not numbered from 0")):
            self.assert_refused(self.hub_file(config(), state), words)

    def test_pickles_that_would_run_something_do_not(self) -> None:
        marker = self.folder / "ran"
        path = self.folder / "hostile.pth"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x/data.pkl", pickle.dumps({"depth_head.scratch.x": Command(marker)}))
        self.assert_refused(path, "is refused: it asks for '", "--kind", "relative")
        legacy = b"".join(pickle.dumps(value, 2) for value in
                          (0x1950A86A20F9469CFC6C, 1001, {}, {"depth_head.scratch.x": Command(marker)}))
        self.assert_refused(self.file("hostile-legacy.pth", legacy), "is refused: it asks for '", "--kind", "relative")
        self.assertFalse(marker.exists())

    def test_state_dicts_that_are_cut(self) -> None:
        for write in (write_pth, write_legacy_pth):
            whole = write(self.folder / "whole.pth", self.authors).read_bytes()
            for share in (0.02, 0.3, 0.7, 0.999):
                status, said = self.attempt(self.file("cut.pth", whole[:int(share * len(whole))]), "--kind", "relative")
                self.assertEqual((status, said.count("\n")), (1, 1), said)

    def test_safetensors_that_are_wrong(self) -> None:
        self.hub_file(config())

        def place(start: int, end: int, **changed: Any) -> dict[str, Any]:
            return {"dtype": "F32", "shape": [2], "data_offsets": [start, end]} | changed

        def raw(header: bytes, body: bytes) -> bytes:
            return struct.pack("<Q", len(header)) + header + body

        twice = b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}'
        for words, content in (
                ("header too large", struct.pack("<Q", 1 << 60) + b"{}"),
                ("invalid header length", struct.pack("<Q", 3) + b"{"),
                ("file not fully covered", safetensors(self.hub)[:-4]),
                ("file not fully covered", safetensors(self.hub) + b"more"),
                ("holds no tensors", with_header({}, b"")),
                ("invalid offset for tensor `a`", raw(twice, bytes(16))),
                ("is damaged", raw(b'{"a":1} [2]', b"")),
                ("recursion limit exceeded", raw(b'{"a":' + b"[" * 100_000, b"")),
                ("invalid offset for tensor", with_header({"a": place(0, 8), "b": place(4, 12)}, bytes(12))),
                ("invalid offset for tensor", with_header({"a": place(0, 8), "b": place(0, 8)}, bytes(8))),
                ("invalid offset for tensor `b`", with_header({"a": place(0, 8), "b": place(12, 20)}, bytes(20))),
                ("file not fully covered", with_header({"a": place(0, 1 << 40, shape=[1 << 38])}, bytes(8))),
                ("expected usize", with_header({"a": place(0, 8, shape=[-1, -2])}, bytes(8))),
                ("overflow", with_header({"a": place(0, 8, shape=[1 << 62, 1 << 62])}, bytes(8))),
                ("maximum supported dimension", with_header({"a": place(0, 8, shape=[2] + [1] * 99)}, bytes(8))),
                ("invalid offset for tensor `a`", with_header({"a": place(8, 0)}, bytes(8))),
                ("invalid shape, data type, or offset", with_header({"a": place(0, 8, shape=[3])}, bytes(8))),
                ("has the type F64", with_header({"a": place(0, 8, dtype="F64", shape=[1])}, bytes(8))),
                ("has the type F8_E4M3", with_header({"a": place(0, 8, dtype="F8_E4M3", shape=[8])}, bytes(8))),
                ("is damaged", with_header({"a": [1]}, bytes(8))),
                ("is damaged", with_header({"a": place(0, 8, dtype=["F32"])}, bytes(8))),
                ("it holds no Depth Anything V2", with_header({"a": place(0, 8)}, bytes(8)))):
            self.assert_refused(self.file("model.safetensors", content), words)

    def test_files_of_ours_that_were_changed(self) -> None:
        source = self.hub_file(config(20))
        for words, change in (
                ("'norm/gamma'", lambda file: file.pop("norm/gamma")),
                ("'norm/extra'", lambda file: file.create_dataset("norm/extra", data=[1.0])),
                ("layer 'more'", lambda file: file.create_group("more")),
                ("'link' of", lambda file: file.__setitem__("link", h5py.ExternalLink("other.h5", "/"))),
                ("kernel_type", lambda file: file.attrs.__setitem__("kernel_type", "int4")),
                ("output_unit", lambda file: file.attrs.__setitem__("output_unit", "feet")),
                ("largest_depth", lambda file: file.attrs.__setitem__("largest_depth", -1.0)),
                ("cannot be taken after blocks", lambda file: file.attrs.__setitem__("taken_blocks", [1, 2])),
                ("not finite", lambda file: file["norm/gamma"].__setitem__(0, np.nan))):
            own = self.folder / "own.h5"
            self.assertEqual(convert(source, own), 0)
            content = own.read_bytes()
            own.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            self.assert_refused(own, "is damaged: its bytes differ", "--precision", "int8")
            own.write_bytes(content[512:])  # as version 1, without checksums
            with h5py.File(own, "r+") as file:
                change(file)
            self.assert_refused(own, words, "--precision", "int8")

    def test_random_damage_never_gets_further_than_a_sentence(self) -> None:
        dice = random.Random(5)
        authors = write_pth(self.folder / "whole.pth", self.authors).read_bytes()
        hub = self.hub_file(config()).read_bytes()
        for name, whole, options in (("damaged.pth", authors, ("--kind", "relative")), ("model.safetensors", hub, ())):
            for _ in range(int(os.environ.get("DAMAGE_TRIALS", 16))):
                content = bytearray(whole)
                for _ in range(dice.choice((1, 4, 64))):
                    place = dice.randrange(dice.choice((64, 4096, len(content))))
                    content[-1 - place if dice.random() < 0.5 else place] = dice.randrange(256)
                status, said = self.attempt(self.file(name, bytes(content)), *options)
                self.assertIn((status, said.count("\n")), ((0, 0), (1, 1)), said)


if __name__ == "__main__":
    unittest.main()
