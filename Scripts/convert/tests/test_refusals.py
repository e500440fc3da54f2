"""Wrong and hostile inputs: one sentence, exit status 1, and nothing written."""

import contextlib
import io
import os
import pickle
import random
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

import h5py
import numpy as np
import onnx

from fcrnweights.formats.tensorflow_checkpoint import DATA, Entry

from .writers.common import official
from .writers.own_files import entry, write_checkpoint
from .writing import PACKAGE, convert, files, generated_network


class Command:
    """A pickle that would run a program."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple:
        return os.system, (f"touch '{self.marker}'",)


class RefusalTests(unittest.TestCase):
    """Conversions in a folder of their own, each of which ends well or is refused by one sentence."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "out").mkdir()

    def attempt(self, source: Path, *options: str) -> tuple[int, str]:
        """Exit status and what was said; nothing may be left where there was nothing before."""
        if source.suffix == ".mat":  # SciPy may end the process over a damaged file, of which `convert-weights` makes a sentence
            command = [sys.executable, "-W", "ignore", "-m", "fcrnweights", source, self.folder / "out/out.h5", "--quiet", *options]
            run = subprocess.run(command, cwd=PACKAGE, text=True, capture_output=True)
            ended = -run.returncode in (signal.SIGILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV)
            status, said = (1, "ended\n") if ended else (run.returncode, run.stderr)
        else:
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors):
                status = convert(source, self.folder / "out/out.h5", *options)
            said = errors.getvalue()
        left = [path.name for path in (self.folder / "out").iterdir()]
        self.assertEqual(left, ["out.h5"] if status == 0 else [])
        (self.folder / "out/out.h5").unlink(missing_ok=True)
        return status, said

    def assert_refused(self, source: Path, words: str, *options: str) -> None:
        status, said = self.attempt(source, *options)
        self.assertEqual(status, 1, words)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertTrue(said.startswith("convert-weights: error: "), said)
        self.assertIn(words, said)

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def dictionary(self, **changed: object) -> Path:
        """The published dictionary with layers replaced; `None` removes one."""
        layers = official(generated_network().tensors) | changed
        path = self.folder / "layers.npy"
        np.save(path, {k: v for k, v in layers.items() if v is not None}, allow_pickle=True)
        return path

    def test_things_that_are_no_weights(self) -> None:
        self.assert_refused(self.folder / "absent.npy", "does not exist")
        self.assert_refused(self.file("empty", b""), "is empty")
        self.assert_refused(self.file("text", b"hello\n" * 100), "none of the forms")
        self.assert_refused(self.folder, "is a folder")
        package = self.folder / "FCRN.mlpackage"
        package.mkdir()
        (package / "Manifest.json").write_text("{}")
        self.assert_refused(package, "is a Core ML package")
        np.save(self.folder / "plain.npy", np.zeros((3, 3)))
        self.assert_refused(self.folder / "plain.npy", "expected the dictionary of layers")
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["data"] = [1, 2, 3]
        self.assert_refused(self.folder / "other.h5", "holds no weights of ours")

    def test_pickles_that_would_run_something_do_not(self) -> None:
        marker = self.folder / "ran"
        header = io.BytesIO()
        np.save(header, np.array(None, dtype=object), allow_pickle=True)
        start = header.getvalue()[:header.getvalue().index(b"\n") + 1]
        self.assert_refused(self.file("hostile.npy", start + pickle.dumps(Command(marker))), "is refused")
        with zipfile.ZipFile(self.folder / "hostile.pth", "w") as archive:
            archive.writestr("x/data.pkl", pickle.dumps({"state_dict": Command(marker)}))
        self.assert_refused(self.folder / "hostile.pth", "is refused")
        legacy = b"".join(pickle.dumps(v, 2) for v in (0x1950A86A20F9469CFC6C, 1001, {}, Command(marker)))
        self.assert_refused(self.file("hostile.tar", legacy), "is refused")
        self.assertFalse(marker.exists())

    def test_networks_that_are_not_whole(self) -> None:
        kernel = official(generated_network().tensors)["res3a_branch1"]["weights"]
        norm = {n: np.zeros(32, "f4") for n in ("mean", "scale", "offset")}
        for layer, parameters, words in (
            ("ConvPred", None, "'ConvPred' is missing"), ("conv1", None, "no 'conv1'"),
            ("fc1000", {"weights": np.zeros((1, 1, 2, 2), "f4")}, "'fc1000' is no part"),
            ("res3a_branch1", {"weights": kernel[..., 1:]}, "expected 32×16×1×1"),
            ("res3a_branch1", {"weights": kernel.astype(int)}, "not floating-point"),
            ("res3a_branch1", {"weights": kernel * np.nan}, "not finite"),
            ("res3a_branch1", {"kernel": kernel}, "unknown parameter 'kernel'"),
            ("res3a_branch1", [kernel], "no dictionary of layers and their"),
            ("bn3a_branch1", norm, "'bn3a_branch1/variance' is missing"),
            ("bn3a_branch1", norm | {"variance": np.full(32, -1, "f4")}, "negative variance"),
        ):
            self.assert_refused(self.dictionary(**{layer: parameters}), words)

    def test_kernels_beyond_float16(self) -> None:
        kernel = np.full((1, 1, 16, 32), 1e5, "f4")
        source = self.dictionary(res3a_branch1={"weights": kernel})
        self.assert_refused(source, "exceeds the range of float16", "--precision", "float16")
        self.assertEqual(self.attempt(source, "--precision", "int8")[0], 0)

    def test_checkpoints_that_are_damaged(self) -> None:
        prefix = write_checkpoint(self.folder)
        self.assertEqual(self.attempt(prefix)[0], 0)
        data = prefix.with_name(prefix.name + DATA)
        whole = data.read_bytes()
        flipped = bytearray(whole)
        flipped[5000] ^= 1
        data.write_bytes(flipped)
        self.assert_refused(prefix, "does not match its checksum")
        data.write_bytes(whole[:-100])
        self.assert_refused(prefix, "ends before")
        data.unlink()
        self.assert_refused(prefix, "is missing beside")
        index = prefix.with_name(prefix.name + ".index")
        index.write_bytes(index.read_bytes()[:-1])
        data.write_bytes(whole)
        self.assert_refused(prefix, "no TensorFlow V2 checkpoint index")
        huge = {"ConvPred/biases": entry((1 << 62, 1 << 62), 0, b"")}
        self.assert_refused(write_checkpoint(self.folder, "huge.ckpt", **huge), "its shape says otherwise")
        half = {"ConvPred/biases": Entry(dtype=19, size=2).SerializeToString()}
        self.assert_refused(write_checkpoint(self.folder, "half.ckpt", **half), "no float32 variable")

    def test_archives_that_are_wrong(self) -> None:
        prefix = write_checkpoint(self.folder)
        path = self.folder / "archive.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(f"{prefix}.index", "../../escape.index")
        self.assert_refused(path, "lacks 'escape" + DATA)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("readme.txt", "hello")
        self.assert_refused(path, "neither a checkpoint nor a state dict")
        with zipfile.ZipFile(path, "w") as archive:
            archive.write(f"{prefix}.index", "a.index")
            archive.write(f"{prefix}{DATA}", "a" + DATA)
        content = bytearray(path.read_bytes())
        claimed = content.rindex(b"PK\x01\x02") + 24  # the uncompressed size in the directory
        content[claimed:claimed + 4] = struct.pack("<I", 0xFFFFFFF0)
        self.assert_refused(self.file("bomb.zip", bytes(content)), "more than a gigabyte")
        self.assert_refused(self.file("cut.zip", bytes(content[:-30])), "is damaged")

    def test_outputs_that_cannot_be_written(self) -> None:
        source = self.dictionary()
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(convert(source, self.folder / "no/such/out.h5"), 1)
            self.assertEqual(convert(source, self.folder), 1)
            out = self.folder / "same.h5"
            self.assertEqual(convert(source, out), 0)
            before = out.read_bytes()
            self.assertEqual(convert(out, out), 1)
        self.assertEqual(out.read_bytes(), before)
        self.assertIn("same file", said.getvalue())

    def test_models_of_known_faults(self) -> None:
        for writer, name, words in (
            ("onnx_files", "stride in the 3×3.onnx", "has stride 1, expected 2"),
            ("onnx_files", "symmetric pooling.onnx", "TensorFlow's SAME"),
            ("onnx_files", "pixel shuffle.onnx", "mixes feature channels"),
            ("onnx_files", "transposed parts.onnx", "in another order"),
            ("onnx_files", "ReLU after layer1.onnx", "has a ReLU after it"),
            ("onnx_files", "sigmoid.onnx", "'Sigmoid' is no part of FCRN"),
            ("core_ml_files", "eight-bit.mlmodel", "quantised weights"),
            ("torch_files", "dropped biases.pth", "'conv1/bias' is missing"),
            ("torch_files", "untouched statistics.pth", "running mean is 0"),
            ("torch_files", "faster.pth", "no port known here"),
            ("torch_files", "unpooling.pth", "no port known here"),
            ("torch_files", "unknown names.pth", "no port known here"),
            ("torch_files", "whole module.pth", "contains 'torch.nn.modules.conv.Conv2d'"),
        ):
            with self.subTest(name):
                self.assert_refused(files(writer) / name, words)

    def test_onnx_tensors_that_are_not_beside_the_model(self) -> None:
        source = files("onnx_files") / "external.onnx"
        data = source.with_name("external.onnx.data").read_bytes()
        self.file("whole.data", data)
        self.file("short.data", data[:-4])
        (self.folder / "link.data").symlink_to(self.folder / "whole.data")
        outside = self.folder / "model/external.onnx"
        outside.parent.mkdir()

        def assert_kept(words: str, **facts: object) -> None:
            model = onnx.load(source, load_external_data=False)
            for tensor in model.graph.initializer:
                for fact in tensor.external_data:
                    fact.value = str(facts.get(fact.key, fact.value))
            path = outside if facts["location"] == "../whole.data" else self.folder / "external.onnx"
            onnx.save(model, path)
            self.assert_refused(path, words)

        for words, facts in (
            ("../whole.data", {"location": "../whole.data"}), ("is damaged", {"location": self.folder / "whole.data"}),
            ("is damaged", {"location": "link.data"}), ("absent.data", {"location": "absent.data"}),
            ("exceeds available data", {"location": "short.data"}),
            ("must be non-negative", {"location": "whole.data", "offset": -1}),
            ("exceeds available data", {"location": "whole.data", "length": 1 << 60}),
            ("cannot reshape", {"location": "whole.data", "length": 4}),
        ):
            assert_kept(words, **facts)

    def test_options_that_contradict_the_model(self) -> None:
        source = files("onnx_files") / "apart.onnx"
        self.assert_refused(source, "topleft, not bottomright", "--upproj-padding", "bottomright")
        self.assert_refused(files("torch_files") / "published.pth", "between 0 and 1", "--bn-epsilon", "2")

    def test_random_damage_never_gets_further_than_a_sentence(self) -> None:
        """Cuts and changed bytes, most of them in the first and last kilobytes where structure lies."""
        dice = random.Random(4)
        for writer, name in (
            ("own_files", "NYU_ResNet-UpProj.npy"), ("tensorflow_files", "NYU_FCRN-checkpoint.zip"),
            ("core_ml_files", "FCRN.mlmodel"), ("onnx_files", "apart.onnx"),
            ("torch_files", "published.pth"), ("torch_files", "legacy.pth"),
            ("matlab_files", "NYU_ResNet-UpProj.mat"), ("matlab_73_files", "version 7.3.mat"),
        ):
            with self.subTest(name):
                whole = (files(writer) / name).read_bytes()
                for trial in range(int(os.environ.get("DAMAGE_TRIALS", 8))):
                    content = bytearray(whole)
                    if trial % 4 == 0:
                        del content[dice.randrange(len(content)):]
                    for _ in range(dice.choice((1, 4, 64))):
                        span = dice.choice((64, 4096, len(content)))
                        place = dice.randrange(max(1, min(span, len(content))))
                        if content:
                            content[-1 - place if dice.random() < 0.5 else place] = dice.randrange(256)
                    status, said = self.attempt(self.file("damaged" + Path(name).suffix, bytes(content)))
                    self.assertIn((status, said.count("\n")), ((0, 0), (1, 1)), said)
