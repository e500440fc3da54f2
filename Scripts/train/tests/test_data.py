"""Frames, views of them, and what a prediction of them costs."""

from __future__ import annotations

import math
import tempfile
import unittest
from pathlib import Path

import torch
from fcrntrain import frames
from fcrntrain.augmentation import Augmentation, exchanged, output_size, views
from fcrntrain.loss import LossWeights, depth_loss, logarithm
from fcrntrain.teacher import Teacher

from . import pictures

STILL = Augmentation(smallest_crop=1, whole_frames=1, aspect=0, degrees=0, gamma=0, gain=0, tint=0, grey=0)


class FramesTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_split_holds_out_whole_runs_and_no_test_frame(self) -> None:
        train, held_out = frames.LabelledSet(pictures.labelled(self.folder / "nyu")).split()
        self.assertEqual(sorted(train + held_out), pictures.TRAIN)
        for run in ([1, 2, 3], [7, 8], [20, 21, 22, 23]):
            self.assertIn(len(set(run) & set(held_out)), (0, len(run)))

    def test_a_test_frame_among_the_training_frames_is_refused(self) -> None:
        folder = pictures.labelled(self.folder / "nyu")
        (folder / "train_idx0.txt").write_text("1\n2\n5\n")
        with self.assertRaisesRegex(ValueError, "frame 5"):
            frames.LabelledSet(folder).split()

    def test_depth_is_metres(self) -> None:
        labelled = frames.LabelledSet(pictures.labelled(self.folder / "nyu"))
        stored = labelled.frames([7], pictures.HEIGHT)
        expected = torch.from_numpy(pictures.room(7)[1])
        self.assertLess((stored.depth[0] / 1000 - expected).abs().max().item(), 1e-3)

    def test_rendered_depth_is_the_right_way_up(self) -> None:
        stored = frames.rendered(pictures.rendered(self.folder / "rooms"), pictures.HEIGHT)
        expected = torch.from_numpy(pictures.room(101)[1])
        self.assertEqual(len(stored), 2)
        self.assertLess((stored.depth[1] / 1000 - expected).abs().max().item(), 1e-3)

    def test_empty_folders_are_named(self) -> None:
        for read in (frames.photographs, frames.rendered):
            with self.assertRaisesRegex(ValueError, self.folder.name):
                read(self.folder, 48)

    def test_teacher_is_the_mean_of_photograph_and_mirror_image(self) -> None:
        photographs = frames.photographs(pictures.photographs(self.folder / "photos"), pictures.HEIGHT)
        taught = Teacher(pictures.teacher(self.folder / "teacher")).label(photographs)
        self.assertEqual(taught.depth.shape, (3, pictures.HEIGHT, pictures.WIDTH))
        self.assertLess((taught.depth / 1000 - 8**0.5).abs().max().item(), 1e-3)


class ViewsTests(unittest.TestCase):
    def setUp(self) -> None:
        shown, depth = pictures.room(3)
        self.pictures = torch.from_numpy(shown).permute(2, 0, 1)[None].repeat(8, 1, 1, 1)
        self.depth = torch.from_numpy(depth * 1000).round().to(torch.int16)[None].repeat(8, 1, 1)

    def look(self, how: Augmentation, seed: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
        made = views(self.pictures, self.depth, pictures.HEIGHT, pictures.WIDTH, how, torch.Generator().manual_seed(seed))
        return made.pixels, made.depth

    def test_a_crop_is_nearer_by_its_share(self) -> None:
        crop = Augmentation(smallest_crop=0.5, whole_frames=0, aspect=0, degrees=0)
        _, whole = self.look(STILL)
        _, cropped = self.look(crop)
        wall = whole.amax((1, 2))
        share = cropped.amax((1, 2)) / wall
        self.assertTrue(((share >= 0.5 - 1e-3) & (share <= 1 + 1e-3)).all())
        self.assertGreater(share.std().item(), 0.05)

    def test_pixels_and_depth_move_together(self) -> None:
        how = Augmentation(smallest_crop=0.6, whole_frames=0, aspect=0, degrees=5, gamma=0, gain=0, tint=0, grey=0)
        pixels, depth = self.look(how)
        near = torch.nn.functional.interpolate((depth < 0.6 * depth.amax((1, 2), keepdim=True))[:, None].float(),
                                               pixels.shape[2:])[:, 0] > 0.5
        for image in range(len(pixels)):
            bright, dark = (pixels[image].mean(0)[mask] for mask in (near[image], ~near[image]))
            if len(bright) > 20:
                self.assertGreater(bright.mean().item(), dark.mean().item())

    def test_size_of_the_depth_map(self) -> None:
        self.assertEqual(output_size(228, 304), (128, 160))
        self.assertEqual(output_size(65, 97), (48, 64))

    def test_exchanged_parts(self) -> None:
        rows = torch.arange(10.0)[:, None]
        self.assertEqual(exchanged(rows, 0.3)[:, 0].tolist(), [3, 4, 5, 6, 7, 8, 9, 0, 1, 2])

    def test_same_seed_same_views(self) -> None:
        first, second = self.look(Augmentation(), 4), self.look(Augmentation(), 4)
        self.assertTrue(all(torch.equal(a, b) for a, b in zip(first, second)))


class LossTests(unittest.TestCase):
    def setUp(self) -> None:
        self.depth = torch.from_numpy(pictures.room(9)[1])[None].clone()

    def test_truth_costs_next_to_nothing(self) -> None:
        self.assertLess(depth_loss(self.depth, self.depth, LossWeights()).item(), 1e-3)

    def test_unknown_pixels_do_not_count(self) -> None:
        wrong, known = self.depth.clone(), self.depth.clone()
        wrong[:, :10] = 9
        known[:, :10] = 0
        self.assertLess(depth_loss(wrong, known, LossWeights()).item(), 1e-3)

    def test_a_displaced_edge_costs_more_with_the_edge_term(self) -> None:
        moved = self.depth.roll(2, dims=2)
        only_edges = LossWeights(metres=0, spread=0, edges=1)
        scaled = self.depth * 1.1
        self.assertGreater(depth_loss(moved, self.depth, only_edges, edges=True).item(),
                           1.5 * depth_loss(moved, self.depth, only_edges, edges=False).item())
        # A wrong scale alone has no wrong edges.
        self.assertAlmostEqual(depth_loss(scaled, self.depth, only_edges, edges=True).item(),
                               depth_loss(scaled, self.depth, only_edges, edges=False).item(), places=5)

    def test_negative_predictions_have_a_value_and_a_gradient(self) -> None:
        value = torch.tensor([-300.0, -3.0, 0.1, 0.2, 0.5], requires_grad=True)
        logarithm(value).sum().backward()
        self.assertTrue(torch.isfinite(logarithm(value)).all())
        self.assertTrue((value.grad > 0).all())
        self.assertAlmostEqual(logarithm(value)[4].item(), math.log(0.5), places=6)


if __name__ == "__main__":
    unittest.main()
