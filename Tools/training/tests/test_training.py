"""Runs from the command line: begun, stopped, gone on with, exported."""

import contextlib
import io
import math
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import h5py
import torch
from fcrntrain.__main__ import _parser, _sources, main
from fcrntrain.frames import LabelledSet
from fcrntrain.loss import COARSE_EDGES, EDGE_DISTANCES, TEACHER_SQUARE, Borders
from fcrntrain.prediction import any_network, mean_network
from fcrntrain.precision import bfloat16_is_fast
from fcrntrain.sampling import Errors
from fcrntrain.settings import Phase, Settings
from fcrntrain.training import restore

from . import pictures


class TrainingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.temporary = tempfile.TemporaryDirectory()
        folder = cls.folder = Path(cls.temporary.name)
        cls.data = ["--labelled", str(pictures.labelled(folder / "nyu")),
                    "--photographs", str(pictures.photographs(folder / "photos")),
                    "--teacher", str(pictures.teacher(folder / "teacher")),
                    "--rendered", str(pictures.rendered(folder / "rooms")),
                    "--raw", str(pictures.raw(folder / "raw")), "--raw-share", "0.25", "--taught-share", "0.25", "--photographs-share", "0.25", "--pasted", "1",
                    "--decoder", "16,8,8,8,8", "--stored-height", "48", "--phases", "0:64x96:4",
                    "--views", "1000", "--float32", "--threads", "1"]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.temporary.cleanup()

    def command(self, *arguments: object) -> tuple[int, str, str]:
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            status = main([str(argument) for argument in arguments])
        return status, out.getvalue(), error.getvalue()

    def test_labelled_frames_teach_normals_and_expected_errors(self) -> None:
        options = _parser().parse_args(["train", *self.data, "--folder", str(self.folder / "unused")])
        labelled = LabelledSet(options.labelled)
        train, held_out = labelled.split()
        sources = {source.name: source for source in _sources(options, labelled, train, held_out, torch.device("cpu"))}
        first = sources["labelled"]
        self.assertEqual((first.errors, first.normals, first.borders, first.pooled), (Errors.GIVEN, True, Borders.MEASURED, 1))
        self.assertEqual((first.edges, first.pasted), (EDGE_DISTANCES, 0))
        self.assertEqual((sources["raw"].errors, sources["raw"].borders, sources["raw"].edges), (Errors.GIVEN, Borders.SOFT, COARSE_EDGES))
        self.assertEqual((sources["taught"].errors, sources["taught"].pooled), (Errors.NONE, TEACHER_SQUARE))

    def test_another_input_size_is_kept_in_the_file(self) -> None:
        run, file = self.folder / "larger", self.folder / "larger.h5"
        status, _, error = self.command("train", *self.data, "--folder", run, "--steps", 1, "--input-size", "96x128")
        self.assertEqual((status, error), (0, ""))
        self.assertEqual(restore(run / "last.pt").architecture.input_size, (96, 128))
        self.assertEqual(self.command("export", run / "last.pt", file)[0], 0)
        with h5py.File(file) as archive:
            self.assertEqual((archive.attrs["input_height"], archive.attrs["input_width"]), (96, 128))
        self.assertEqual(any_network(file).architecture.input_size, (96, 128))
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            main(["train", *self.data, "--folder", str(run), "--input-size", "100x128"])

    def test_things_are_seen_in_packs_over_a_pause(self) -> None:
        things, run = pictures.packs(self.folder / "near", ["a", "b"]), self.folder / "things"
        arguments = ["train", *self.data[:2], "--things", f"{things}:0.5", "--portrait", "0.5", "--decoder", "16,8,8,8,8",
                     "--phases", "0:64x96:4", "--views", "1000", "--float32", "--threads", "1", "--folder", run]
        status, out, error = self.command(*arguments, "--steps", 3)
        self.assertEqual((status, error), (0, ""))
        self.assertIn("8 things (near)", out)
        self.assertEqual(self.command(*arguments, "--steps", 5)[0], 0)
        packs, = torch.load(run / "last.pt", weights_only=True)["packs"]
        self.assertEqual((packs["turn"], packs["packs"]), (10, [("a", 5), ("b", 5)]), "two of four pictures in each of five steps")

    def test_a_run_goes_on_where_it_stopped(self) -> None:
        run = self.folder / "run"
        status, out, error = self.command("train", *self.data, "--folder", run, "--steps", 2)
        self.assertEqual((status, error), (0, ""))
        self.assertIn("step 2 ", out)
        before = restore(run / "last.pt").state_dict()
        status, out, _ = self.command("train", *self.data, "--folder", run, "--steps", 3)
        self.assertEqual(status, 0)
        self.assertIn("goes on at step 2", out)
        self.assertIn("step 3 ", out)
        after = restore(run / "last.pt").state_dict()
        name = "convolutions.layer2x_Conv.weight"
        self.assertFalse(torch.equal(before[name], after[name]))
        self.assertFalse(list(run.glob("*.part")))

        exported = self.folder / "out.h5"
        self.assertEqual(self.command("export", run / "last.pt", exported)[0], 0)
        status, out, _ = self.command("evaluate", exported, "--labelled", self.folder / "nyu")
        self.assertEqual(status, 0)
        self.assertIn("held-out frames, ", out)
        self.assertIn("scale ", out)
        # The exported file is a start for another run; its norms come back.
        status, _, error = self.command(
            "train", *self.data, "--folder", self.folder / "second", "--steps", 1, "--start", exported)
        self.assertEqual((status, error), (0, ""))

    def test_the_last_part_is_averaged(self) -> None:
        run = self.folder / "tail"
        status, out, error = self.command("train", *self.data, "--folder", run, "--steps", 2, "--tail", 1)
        self.assertEqual((status, error), (0, ""))
        self.assertIn("average of the last 2 steps", out)
        self.assertEqual(self.command("train", *self.data, "--folder", run, "--steps", 3, "--tail", 1)[0], 0)
        self.assertEqual(torch.load(run / "last.pt", weights_only=True)["tail"]["steps"], 3)
        self.assertEqual(self.command("export", run / "tail.pt", self.folder / "tail.h5")[0], 0)

    def test_several_checkpoints_are_averaged(self) -> None:
        run = self.folder / "several"
        self.assertEqual(self.command("train", *self.data, "--folder", run, "--steps", 1)[0], 0)
        (run / "last.pt").rename(run / "first.pt")
        self.assertEqual(self.command("train", *self.data, "--folder", run, "--steps", 1, "--seed", 7)[0], 0)
        states = [restore(run / name).state_dict() for name in ("first.pt", "last.pt")]
        mean = mean_network([run / "first.pt", run / "last.pt"]).state_dict()
        name = "convolutions.conv1.weight"
        self.assertFalse(torch.equal(states[0][name], states[1][name]))
        self.assertTrue(torch.allclose(mean[name], (states[0][name] + states[1][name]) / 2))
        status, _, error = self.command("export", run / "first.pt", run / "last.pt", run / "both.h5")
        self.assertEqual((status, error), (0, ""))
        files = [run / "first.h5", run / "last.h5"]
        for file in files:
            self.command("export", file.with_suffix(".pt"), file, "--precision", "float32")
        self.assertEqual(self.command("export", *files, run / "mean.h5", "--precision", "float32")[0], 0)
        biases = [any_network(file).convolutions["layer1"].bias for file in (*files, run / "mean.h5")]
        self.assertTrue(torch.allclose(biases[2], (biases[0] + biases[1]) / 2, atol=1e-6))
        self.command("train", *self.data, "--folder", self.folder / "wider", "--steps", 1, "--decoder", "16,8,8,8,16")
        status, _, error = self.command("export", run / "first.pt", self.folder / "wider/last.pt", run / "none.h5")
        self.assertEqual(status, 1)
        self.assertIn("not of one network", error)

    def test_compared_with_itself_scaled(self) -> None:
        run, nyu = self.folder / "compared", self.folder / "nyu"
        # Of ln depth, so that no depth is below what is measured as the smallest.
        train = ("train", *self.data, "--network", "fcrn-lite2", "--limit", 4, "--folder", run, "--steps", 1)
        self.assertEqual(self.command(*train)[0], 0)
        plain, larger = self.folder / "plain.h5", self.folder / "larger.h5"
        for file, scale in ((plain, 1), (larger, 1.1)):
            status, _, error = self.command("export", run / "last.pt", file, "--precision", "float32", "--scale", scale)
            self.assertEqual((status, error), (0, ""))
        with h5py.File(plain) as file, h5py.File(larger) as scaled:
            self.assertNotIn("depth_scale", file.attrs)
            self.assertAlmostEqual(scaled.attrs["depth_scale"], 1.1, places=6)
        status, out, _ = self.command("compare", plain, larger, "--labelled", nyu)
        self.assertEqual(status, 0)
        scale = next(line for line in out.splitlines() if line.startswith("scale"))
        self.assertAlmostEqual(float(scale.split()[4]), math.log(1.1), delta=3e-4)
        # A mean of the photograph's and the mirrored map, and one of two files.
        for estimate in (f"{plain}:{plain}~", f"{plain}:{larger}"):
            status, out, _ = self.command("compare", plain, estimate, "--labelled", nyu)
            self.assertEqual(status, 0)
        scale = next(line for line in out.splitlines() if line.startswith("scale"))
        self.assertAlmostEqual(float(scale.split()[4]), math.log(1.1) / 2, delta=3e-4)

    def test_both_encoders_train(self) -> None:
        for network in ("fcrn18", "fcrn50"):
            status, _, error = self.command("train", *self.data, "--folder", self.folder / network, "--steps", 1,
                                            "--network", network, "--limit", 4)
            self.assertEqual((status, error), (0, ""))

    def test_a_decoder_is_taken_over(self) -> None:
        donor, run = self.folder / "donor", self.folder / "heir"
        self.assertEqual(self.command("train", *self.data, "--folder", donor, "--steps", 1)[0], 0)
        file = self.folder / "donor.h5"
        self.assertEqual(self.command("export", donor / "last.pt", file)[0], 0)
        options = ("--network", "fcrn-lite2", "--decoder-from", file, "--frozen-stages", 3, "--assistants", file, "--limit", 4)
        status, out, error = self.command("train", *self.data, *options, "--folder", run, "--steps", 1)
        self.assertEqual((status, error), (0, ""))
        self.assertIn("of the variance", out)
        status, out, error = self.command("train", *self.data, *options, "--folder", run, "--steps", 2)
        self.assertEqual((status, error), (0, ""))
        self.assertNotIn("of the variance", out)
        # Taken from a network of its own kind, a decoder would be fitted to nothing new.
        self.assertEqual(self.command("export", run / "last.pt", file)[0], 0)
        status, _, error = self.command("train", *self.data, *options, "--folder", self.folder / "again", "--steps", 1)
        self.assertEqual((status, error.count("\n")), (1, 1))
        self.assertIn("--start", error)

    def test_faults_are_one_sentence(self) -> None:
        nowhere = self.folder / "nowhere"
        for arguments in (("evaluate", nowhere / "x.h5", "--labelled", self.folder / "nyu"),
                          ("export", nowhere / "x.pt", self.folder / "x.h5"),
                          ("train", "--labelled", nowhere, "--folder", nowhere, "--views", 1)):
            status, _, error = self.command(*arguments)
            self.assertEqual(status, 1, error)
            self.assertEqual(error.count("\n"), 1, error)

    def test_the_rate_rises_and_falls(self) -> None:
        settings = Settings(self.folder, 1, warm_up=0.1)
        factors = [settings.rate_factor(share) for share in (0, 0.05, 0.1, 0.5, 1, 1.2)]
        self.assertLess(factors[0], factors[1])
        self.assertAlmostEqual(factors[2], 1)
        self.assertGreater(factors[3], factors[4])
        self.assertAlmostEqual(factors[4], 0.01)
        self.assertAlmostEqual(factors[5], 0.01)
        constant = Settings(self.folder, 1, warm_up=0.1, constant_rate=True)
        self.assertEqual([constant.rate_factor(share) for share in (0.05, 0.1, 0.5, 1, 1.2)], [0.5, 1, 1, 1, 1])

    def test_the_precision_is_the_faster_one(self) -> None:
        with mock.patch.object(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", side_effect=[True, False]):
            self.assertTrue(bfloat16_is_fast(torch.device("cpu")))
            self.assertFalse(bfloat16_is_fast(torch.device("cpu")))
        self.assertIsNone(Settings(self.folder, 1).half_precision)

    def test_phases(self) -> None:
        phases = (Phase.parse("0:114x152:16"), Phase.parse("0.3:228x304:8"))
        settings = Settings(self.folder, 1, phases=phases)
        self.assertEqual([settings.phase(share).height for share in (0, 0.29, 0.3, 1)], [114, 114, 228, 228])
