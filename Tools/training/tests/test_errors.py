"""Expected errors: what they are learnt from, and views of any camera."""

import math
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from fcrntrain import frames
from fcrntrain.augmentation import Augmentation, Rectangles, views
from fcrntrain.loss import LossWeights, error_loss, log_depth_loss
from fcrntrain.residuals import SIZE, attached
from PIL import Image


class ErrorTests(unittest.TestCase):
    def test_likeliest_scale_is_the_mean_error(self) -> None:
        """The loss is smallest where exp(output) is the mean of the errors, and NaN does not count."""
        error = torch.tensor([[[0.1, 0.3, float("nan")]]])
        outputs = torch.linspace(-4, 0, 401)
        losses = torch.stack([error_loss(torch.full((1, 1, 3), value), error)[0] for value in outputs.tolist()])
        self.assertAlmostEqual(outputs[losses.argmin()].exp().item(), 0.2, delta=0.002)

    def test_errors_of_unseen_frames_follow_their_names(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "errors.npz"
            np.savez(path, **{"00007": np.full(SIZE, 0.25, np.float16)})
            shown = frames.Frames(torch.zeros(2, 3, 8, 8, dtype=torch.uint8), torch.ones(2, 8, 8, dtype=torch.int16))
            error = attached(shown, ["00003", "00007"], path).error
        self.assertTrue(error[0].isnan().all())
        self.assertTrue((error[1] == 0.25).all())

    def test_folds_share_no_room(self) -> None:
        numbers = [*range(10), *range(20, 23), *range(30, 38), *range(50, 54), *range(60, 61)]
        folds = frames.LabelledSet(Path()).folds(numbers, 3)
        self.assertEqual(sorted(sum(folds, [])), numbers)
        for run in frames.runs(numbers):
            self.assertEqual(sum(bool(set(run) & set(fold)) for fold in folds), 1)


class AnyCameraTests(unittest.TestCase):
    def test_depth_of_another_camera_is_a_kinects(self) -> None:
        """Of a picture by half a Kinect's focal length everything looks twice as far; glass is −1."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            Image.new("RGB", (32, 24)).save(folder / "00001.jpg")
            metres = np.full((24, 32), 1.5, "<f4")
            metres[:12] = 0
            (folder / "00001_depth.pfm").write_bytes(b"Pf\n32 24\n-1\n" + metres[::-1].tobytes())
            (folder / "cameras.tsv").write_text(f"00001\t{32 * 525 / 640 / 2}\t32\n")
            depth = frames.rendered(folder, 24).depth
        self.assertTrue((depth[0, :12] == -1).all())
        self.assertTrue((depth[0, 12:] == 3000).all())

    def test_a_zoomed_view_is_as_near_as_it_is_small(self) -> None:
        how = Augmentation(zoomed=1, smallest_zoom=0.5, smallest_crop=0.5, aspect=0, degrees=0, whole_frames=0)
        shown = views(torch.zeros(4, 3, 24, 32, dtype=torch.uint8), torch.full((4, 24, 32), 2000, dtype=torch.int16), 32, 32,
                      how, torch.Generator().manual_seed(1))
        self.assertTrue(torch.allclose(shown.depth, torch.ones(())))

    def test_rectangles_lie_at_the_same_place_in_maps_of_any_size(self) -> None:
        rectangles = Rectangles(8, 1, torch.Generator().manual_seed(2), torch.device("cpu"))
        large, small = (rectangles.pasted(torch.zeros(8, *size), torch.ones(8, *size)) for size in ((3, 96, 128), (12, 16)))
        coarse = torch.nn.functional.avg_pool2d(large[:, 0], 8)
        self.assertGreater(small.mean(), 0.05)
        self.assertLess((coarse - small).abs().mean(), 0.1)


class LossTests(unittest.TestCase):
    def test_normals_of_a_slanted_plane_agree_with_themselves_alone(self) -> None:
        rows = torch.linspace(2, 4, 24).view(1, 24, 1).expand(1, 24, 32)
        only = LossWeights(metres=0, spread=0, edges=0, shift=0, normals=1)

        def loss(prediction: torch.Tensor) -> float:
            return (log_depth_loss(prediction, rows, only, (), True) - log_depth_loss(prediction, rows, only, ())).item()

        self.assertAlmostEqual(loss(rows.log()), 0, places=5)
        self.assertAlmostEqual(loss(rows.log() + math.log(2)), 0, places=5)  # twice as large is the same shape
        self.assertGreater(loss(torch.full_like(rows, 1.1)), 0.1)
