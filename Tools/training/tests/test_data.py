"""Frames, views of them, and what a prediction of them costs."""

import math
import tempfile
import unittest
from pathlib import Path

import torch
import torch.nn.functional as F
from fcrntrain import frames
from fcrntrain.augmentation import Augmentation, Rectangles, blended, output_size, views
from fcrntrain.distillation import taught_views
from fcrntrain.loss import COARSE_EDGES, EDGE_DISTANCES, Borders, LossWeights, depth_loss, log_depth_loss, logarithm, pooled
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

    def test_depth_of_another_camera_is_that_of_nyu_for_the_same_picture(self) -> None:
        nyu = frames.NYU_FOCAL_LENGTH * math.sqrt(pictures.WIDTH * pictures.HEIGHT)
        folder = pictures.other_cameras(self.folder / "cameras", {"large": nyu, "long": 2 * nyu, "wide": nyu / 2})
        stored = frames.other_cameras(folder, pictures.HEIGHT, without=["wide"])
        self.assertEqual(len(stored), 9 + 8, "a small set is repeated, one to be left out is not there")
        expected = torch.from_numpy(pictures.room(500)[1])
        self.assertLess((stored.depth[0] / 1000 - expected).abs().max().item(), 2e-3)
        self.assertLess((stored.depth[9] / 1000 - expected / 2).abs().max().item(), 2e-3)
        with self.assertRaisesRegex(ValueError, "camera.json"):
            frames.other_cameras(self.folder, pictures.HEIGHT)
        with self.assertRaisesRegex(ValueError, "no set narrow"):
            frames.other_cameras(folder, pictures.HEIGHT, without=["narrow"])

    def test_more_are_held_out_by_whole_runs(self) -> None:
        folder = pictures.labelled(self.folder / "nyu")
        rooms = [list(range(100 * room, 100 * room + 4)) for room in range(1, 90)]
        (folder / "train_idx0.txt").write_text("".join(f"{frame}\n" for room in rooms for frame in room))
        usual, (train, held_out) = frames.LabelledSet(folder).split()[1], frames.LabelledSet(folder).split(more=150)
        self.assertTrue(set(usual) < set(held_out))
        self.assertIn(len(held_out) - len(usual), range(150, 154))
        self.assertEqual(len(train) + len(held_out), 4 * len(rooms))
        for room in rooms:
            self.assertIn(len(set(room) & set(held_out)), (0, 4))

    def test_sequences_of_held_out_rooms_are_left_out(self) -> None:
        folder = pictures.raw(self.folder / "raw", count=2)
        self.assertEqual(len(frames.raw_sequences(folder, [])), 6)
        kept = frames.raw_sequences(folder, [8, 40])
        self.assertEqual(len(kept), 2)
        kept = frames.raw_frames(kept, pictures.HEIGHT)
        expected = torch.from_numpy(pictures.room(301)[1])[:, 40:]
        self.assertLess((kept.depth[1, :, 40:] / 1000 - expected).abs().max().item(), 1e-3)
        with self.assertRaisesRegex(ValueError, "held-out rooms"):
            frames.raw_sequences(folder, [1, 7, 40])

    def test_depth_at_the_end_of_the_published_range_is_unknown(self) -> None:
        raw = frames.raw_frames(frames.raw_sequences(pictures.raw(self.folder / "raw"), []), pictures.HEIGHT)
        self.assertEqual(raw.depth[:, :, :pictures.WIDTH // 2].max().item(), 0)
        self.assertGreater(raw.depth[:, :, pictures.WIDTH // 2:].min().item(), 0)

    def test_empty_folders_are_named(self) -> None:
        for read in (frames.photographs, frames.rendered):
            with self.assertRaisesRegex(ValueError, self.folder.name):
                read(self.folder, 48)

    def test_teacher_is_the_mean_of_photograph_and_mirror_image(self) -> None:
        photographs = frames.photographs(pictures.photographs(self.folder / "photos"), pictures.HEIGHT)
        taught = Teacher(pictures.teacher(self.folder / "teacher")).label(photographs)
        self.assertEqual(taught.depth.shape, (3, pictures.HEIGHT, pictures.WIDTH))
        self.assertLess((taught.depth / 1000 - 8**0.5).abs().max().item(), 1e-3)

    def test_assistants_together_count_as_much_as_the_teacher(self) -> None:
        class Constant(torch.nn.Module):
            def __init__(self, metres: float) -> None:
                super().__init__()
                self.metres = metres

            def forward(self, pixels: torch.Tensor) -> torch.Tensor:
                return torch.full((len(pixels), 10, 12), self.metres)

        photographs = frames.photographs(pictures.photographs(self.folder / "photos"), pictures.HEIGHT)
        teacher = Teacher(pictures.teacher(self.folder / "teacher"), [Constant(2.0), Constant(8.0)])
        wanted = (8**0.5 * 4) ** 0.5
        self.assertLess((teacher.label(photographs).depth / 1000 - wanted).abs().max().item(), 1e-3)
        views = teacher.metres(photographs.pictures.float(), (16, 20))
        self.assertEqual(views.shape, (3, 16, 20))
        self.assertLess((views - wanted).abs().max().item(), 1e-3)


class ViewsTests(unittest.TestCase):
    def setUp(self) -> None:
        shown, depth = pictures.room(3)
        self.pictures = torch.from_numpy(shown).permute(2, 0, 1)[None].repeat(8, 1, 1, 1)
        self.depth = torch.from_numpy(depth * 1000).round().to(torch.int16)[None].repeat(8, 1, 1)

    def folder(self) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

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

    def test_a_stretched_view_is_nearer_by_what_it_shows(self) -> None:
        # The frame is a ramp, so that the view's edges say how much of it is seen.
        height, width = pictures.HEIGHT, pictures.WIDTH
        stretched = Augmentation(smallest_crop=1, whole_frames=1, aspect=0.3, degrees=0, gamma=0, gain=0, tint=0)
        across = torch.linspace(1000, 3000, width).expand(8, height, width).round().to(torch.int16)
        down = torch.linspace(1000, 3000, height)[:, None].expand(8, height, width).round().to(torch.int16)
        flat = torch.full((8, height, width), 2000, dtype=torch.int16)
        seen = [views(self.pictures, depth, height, width, stretched, torch.Generator().manual_seed(5)).depth
                for depth in (across, down, flat)]
        factor = seen[2][:, 0, 0] / 2
        shares = [(ramp / factor.view(-1, 1, 1)).flatten(1) for ramp in seen[:2]]
        shown = [(share.amax(1) - share.amin(1)) / 2 for share in shares]
        self.assertLess((factor - (shown[0] * shown[1]).sqrt()).abs().max().item(), 0.02)
        self.assertLess(factor.min().item(), 0.95)

    def test_a_portrait_view_shows_the_full_height_and_three_quarters_of_it_across(self) -> None:
        height, width = pictures.HEIGHT, pictures.WIDTH
        across = torch.linspace(1000, 3000, width).expand(8, height, width).round().to(torch.int16)
        whole = Augmentation(smallest_crop=1, whole_frames=1, aspect=0, degrees=0, gamma=0, gain=0, tint=0)
        shown = views(self.pictures, across, 160, 128, whole, torch.Generator().manual_seed(5))
        self.assertEqual(shown.pixels.shape[2:], (160, 128))
        self.assertEqual(shown.depth.shape[1:], (80, 64))
        # A portrait view of the same height is a crop to 9/16 of the width: the geometric mean of its sides is 3/4.
        span = (shown.depth.amax((1, 2)) - shown.depth.amin((1, 2))) / 0.75 / 2
        self.assertLess((span - 9 / 16).abs().max().item(), 0.03)

    def test_the_focal_exponent_is_that_of_the_crop(self) -> None:
        crop = Augmentation(smallest_crop=0.5, whole_frames=0, aspect=0, degrees=0)
        flat = torch.full_like(self.depth, 2000)
        factors = [views(self.pictures, flat, 32, 40, crop, torch.Generator().manual_seed(4), focal_exponent=exponent).depth[:, 0, 0] / 2
                   for exponent in (1, 0.5)]
        self.assertTrue(torch.allclose(factors[0].sqrt(), factors[1]))
        self.assertLess(factors[0].min().item(), 0.8)

    def test_a_large_picture_is_not_aliased(self) -> None:
        stripes = torch.zeros(2, 3, 96, 128, dtype=torch.uint8)
        stripes[:, :, :, ::2] = 200
        shown = views(stripes, torch.ones(2, 96, 128, dtype=torch.int16), 48, 64, STILL, torch.Generator().manual_seed(1))
        self.assertLess(shown.pixels[:, :, :, 1:-1].std(3).max().item(), 1)

    def test_pixels_and_depth_move_together(self) -> None:
        how = Augmentation(smallest_crop=0.6, whole_frames=0, aspect=0, degrees=5, gamma=0, gain=0, tint=0, grey=0)
        pixels, depth = self.look(how)
        near = torch.nn.functional.interpolate((depth < 0.6 * depth.amax((1, 2), keepdim=True))[:, None].float(),
                                               pixels.shape[2:])[:, 0] > 0.5
        for image in range(len(pixels)):
            bright, dark = (pixels[image].mean(0)[mask] for mask in (near[image], ~near[image]))
            if len(bright) > 20:
                self.assertGreater(bright.mean().item(), dark.mean().item())

    def test_a_pasted_rectangle_brings_its_depth(self) -> None:
        other, far = torch.full_like(self.pictures, 77), torch.full_like(self.depth, 9000)
        random = torch.Generator().manual_seed(3)
        rectangles = Rectangles(len(self.depth), 1, random, self.depth.device)
        mixed, depth = rectangles.pasted(self.pictures, other), rectangles.pasted(self.depth, far)
        from_other = depth == 9000
        self.assertTrue(torch.equal(from_other, (mixed == 77).all(1)))
        self.assertTrue(torch.equal(mixed.permute(0, 2, 3, 1)[~from_other],
                                    self.pictures.permute(0, 2, 3, 1)[~from_other]))
        share = from_other.float().mean((1, 2))
        self.assertTrue(((share > 0.08) & (share < 0.52)).all())
        for mask in from_other:  # a rectangle
            self.assertEqual(mask.sum().item(), (mask.any(0).sum() * mask.any(1).sum()).item())
        untouched = Rectangles(len(self.depth), 0, random, self.depth.device).pasted(self.depth, far)
        self.assertTrue(torch.equal(untouched, self.depth))

    def test_blended_pictures_lie_between_two(self) -> None:
        dark, bright = torch.zeros(64, 3, 2, 2, dtype=torch.uint8), torch.full((64, 3, 2, 2), 200, dtype=torch.uint8)
        self.assertEqual(blended(dark, bright, 0, torch.Generator()).max().item(), 0)
        mixed = blended(dark, bright, 1, torch.Generator().manual_seed(1))
        each = mixed[:, 0, 0, 0]
        self.assertTrue((mixed == each.view(-1, 1, 1, 1)).all())
        self.assertTrue(0 <= each.min().item() < 20 and 180 < each.max().item() <= 200)
        half = blended(dark, bright, 0.5, torch.Generator().manual_seed(1))
        self.assertTrue(16 < (half[:, 0, 0, 0] > 0).sum().item() < 48)

    def test_the_teacher_is_asked_about_the_very_view(self) -> None:
        class Brightness(Teacher):
            """One metre where a view is black, two where it is white."""

            def __init__(self) -> None:
                self.network, self.assistants = lambda view: 1 + view.mean(1, keepdim=True), []

        folder = pictures.photographs(self.folder() / "photos", 5)
        every = frames.together([frames.photographs(folder, height) for height in (192, 96)])
        self.assertEqual(every.pictures.shape, (10, 3, 96, 128))
        self.assertLess((every.pictures[:5].float() - every.pictures[5:].float()).abs().mean().item(), 3)
        random = torch.Generator().manual_seed(2)
        shown = taught_views(Brightness(), every, torch.arange(5), 192, 256, random)
        self.assertEqual(shown.depth.shape, (5, 96, 128))
        seen = F.interpolate(shown.pixels / 255, (96, 128), mode="area").mean(1)
        seen = 1 + seen
        self.assertLess((shown.depth - seen).abs().mean().item(), 0.01)
        self.assertGreater(shown.depth.std().item(), 0.05)

    def test_size_of_the_depth_map(self) -> None:
        self.assertEqual(output_size(228, 304), (128, 160))
        self.assertEqual(output_size(65, 97), (48, 64))

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
        self.assertGreater(depth_loss(moved, self.depth, only_edges).item(),
                           1.5 * depth_loss(moved, self.depth, only_edges, edges=()).item())
        # A wrong scale alone has no wrong edges.
        self.assertAlmostEqual(depth_loss(scaled, self.depth, only_edges).item(),
                               depth_loss(scaled, self.depth, only_edges, edges=()).item(), places=5)

    def test_coarse_depth_is_not_compared_closely(self) -> None:
        only_edges = LossWeights(metres=0, spread=0, edges=1)
        ripples = 1 + 0.05 * (torch.arange(self.depth.shape[2]) % 4 == 0)
        without, coarse, fine = (depth_loss(self.depth * ripples, self.depth, only_edges, edges=edges).item()
                                 for edges in ((), COARSE_EDGES, EDGE_DISTANCES))
        self.assertAlmostEqual(coarse, without, places=6)
        self.assertGreater(fine, coarse + 0.01)

    def test_a_soft_border_costs_more_where_borders_count(self) -> None:
        depth = torch.full((1, 32, 40), 1.0)
        depth[:, :, 20:] = 2.0
        blurred = torch.nn.functional.avg_pool2d(depth.log()[:, None], 5, 1, 2, count_include_pad=False)[:, 0]
        shifted = depth.log() + 0.01
        soft, even = (log_depth_loss(blurred, depth, LossWeights(), borders=borders).item() for borders in (Borders.EXACT, Borders.SOFT))
        self.assertGreater(soft, 2 * even)
        # An error far from borders costs what it did.
        self.assertLess(log_depth_loss(shifted[:, :, :18], depth[:, :, :18], LossWeights(), borders=Borders.EXACT).item()
                        - log_depth_loss(shifted[:, :, :18], depth[:, :, :18], LossWeights()).item(), 1e-6)

    def test_pairs_across_a_measured_border_do_not_count(self) -> None:
        """A sensor's border may be a pixel off: the change of depth there teaches nothing, elsewhere it does."""
        only_edges = LossWeights(metres=0, spread=0, shift=0, edges=1)
        depth = torch.full((1, 32, 40), 1.0)
        depth[:, :, 20:] = 2.0

        def of_edges(prediction: torch.Tensor, borders: Borders) -> float:
            costs = [log_depth_loss(prediction, depth, only_edges, edges, borders=borders).item() for edges in ((1,), ())]
            return costs[0] - costs[1]

        moved = torch.cat([depth[:, :, 1:], depth[:, :, -1:]], 2).log()
        self.assertGreater(of_edges(moved, Borders.SOFT), 0.001)
        self.assertAlmostEqual(of_edges(moved, Borders.MEASURED), 0, places=6)
        wrong = depth.log()
        wrong[:, :, 5:] += 0.3
        self.assertAlmostEqual(of_edges(wrong, Borders.MEASURED), of_edges(wrong, Borders.SOFT), places=6)

    def test_unknown_pixels_make_no_border(self) -> None:
        depth = torch.full((1, 32, 40), 1.0)
        depth[:, 10:12, 5:9] = 0
        wrong = torch.full((1, 32, 40), 0.05)
        self.assertAlmostEqual(log_depth_loss(wrong, depth, LossWeights(), borders=Borders.EXACT).item(),
                               log_depth_loss(wrong, depth, LossWeights()).item(), places=6)

    def test_a_teacher_is_compared_in_squares(self) -> None:
        depth = torch.full((1, 32, 40), 2.0)
        depth[:, 4:8, 4:8] = 0
        fine = depth.clamp(min=1).log()
        fine[:, ::2] += 0.3
        fine[:, 1::2] -= 0.3
        log_depth, truth = pooled(fine, depth, 4)
        self.assertEqual(truth.shape, (1, 8, 10))
        self.assertEqual(truth[0, 1, 1].item(), 0)
        self.assertTrue(torch.allclose(truth[0, 2:].log(), log_depth[0, 2:], atol=1e-6))

    def test_negative_predictions_have_a_value_and_a_gradient(self) -> None:
        value = torch.tensor([-300.0, -3.0, 0.1, 0.2, 0.5], requires_grad=True)
        logarithm(value).sum().backward()
        self.assertTrue(torch.isfinite(logarithm(value)).all())
        self.assertTrue((value.grad > 0).all())
        self.assertAlmostEqual(logarithm(value)[4].item(), math.log(0.5), places=6)
