"""Packs of rendered pictures: what is in memory, when it is replaced, and what a batch gets of it."""

import shutil
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import torch
from fcrntrain import frames
from fcrntrain.augmentation import Augmentation, views
from fcrntrain.packs import Packs

from . import pictures

STILL = Augmentation(smallest_crop=1, whole_frames=1, aspect=0, degrees=0, gamma=0, gain=0, tint=0, grey=0)


class PacksTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "near"

    def packs(self, names: list[str], **how: int) -> Packs:
        pictures.packs(self.folder, names)
        return Packs(self.folder, lambda pack: frames.rendered_by_orientation(pack, pictures.HEIGHT), torch.Generator().manual_seed(1),
                     **how)

    def numbers(self, taken: list[frames.Frames]) -> list[int]:
        """Of the packs that the pictures are from."""
        return [int(depth[0, 1] + 500) // 1000 for part in taken for depth in part.depth]

    def test_upright_pictures_are_apart_and_one_camera_has_one_scale(self) -> None:
        landscape, upright = frames.rendered_by_orientation(pictures.packs(self.folder, ["a"]) / "a", pictures.HEIGHT)
        self.assertEqual(landscape.pictures.shape, (2, 3, pictures.HEIGHT, pictures.WIDTH))
        self.assertEqual(upright.pictures.shape, (2, 3, pictures.WIDTH, pictures.HEIGHT))
        for part in (landscape, upright):
            self.assertEqual(part.depth[:, :, 1:].unique().tolist(), [1000], "a Kinect's depth stays, however it is held")
            self.assertEqual(part.depth[:, :, 0].unique().tolist(), [-1], "0 is glass")

    def test_a_pack_is_replaced_when_each_picture_was_seen_so_often(self) -> None:
        packs = self.packs(["a", "b", "c", "d", "e"], in_memory=2, showings=2)
        self.assertEqual(len(packs), 8)
        seen: Counter[tuple[int, int, int]] = Counter()
        for _ in range(16):
            for part in packs.take(1):
                seen[tuple(part.pictures[0, :, 0, 0].tolist())] += 1
        self.assertEqual(sorted(seen.values()), [2] * 8, "each picture of both packs twice")
        self.assertEqual([pack.name for pack in packs.packs], ["c", "d"])
        self.assertEqual(set(self.numbers(packs.take(8))), {3, 4})
        packs.take(8)
        self.assertEqual([pack.name for pack in packs.packs], ["e", "a"], "after the last comes the first")

    def test_packs_that_come_later_are_taken(self) -> None:
        packs = self.packs(["a", "b"], in_memory=2, showings=1)
        packs.take(8)
        self.assertEqual([pack.name for pack in packs.packs], ["a", "b"], "there is no other")
        pictures.packs(self.folder, ["c"])
        packs.take(7)
        self.assertEqual([pack.name for pack in packs.packs], ["c", "b"])

    def test_a_stopped_run_goes_on_with_its_packs(self) -> None:
        packs = self.packs(["a", "b", "c", "d"], in_memory=2, showings=2)
        packs.take(19)
        state = packs.snapshot()
        again = self.packs_again(2)
        again.restore(state)
        self.assertEqual(again.snapshot(), state)
        self.assertEqual([pack.name for pack in again.packs], ["c", "d"])
        shutil.rmtree(self.folder / "c")
        again = self.packs_again(2)
        again.restore(state)
        self.assertEqual([(pack.name, pack.seen) for pack in again.packs], [("a", 0), ("d", 1)])

    def packs_again(self, in_memory: int) -> Packs:
        return Packs(self.folder, lambda pack: frames.rendered_by_orientation(pack, pictures.HEIGHT),
                     torch.Generator().manual_seed(2), in_memory=in_memory, showings=2)

    def test_a_folder_without_packs_is_named(self) -> None:
        self.folder.mkdir()
        with self.assertRaisesRegex(ValueError, "no packs.*near"):
            self.packs_again(3)

    def test_a_view_of_an_upright_frame_has_its_own_proportions(self) -> None:
        # A disc in an upright frame stays a disc; a landscape view shows the frame's whole width and 9/16 of its height.
        rows, columns = torch.meshgrid(torch.arange(640) - 319.5, torch.arange(480) - 239.5, indexing="ij")
        disc = (rows**2 + columns**2 < 100**2)
        picture = (disc * 255).to(torch.uint8).expand(1, 3, 640, 480)
        depth = torch.full((1, 640, 480), 2000, dtype=torch.int16)
        for height, width, radius, metres in ((256, 320, 200 / 3, 1.5), (320, 256, 160 / 3, 2.0)):
            shown = views(picture, depth, height, width, STILL, torch.Generator().manual_seed(1))
            inside = shown.pixels[0, 0] > 127
            # Views here are 5 : 4 and frames 4 : 3, which stretches a disc by 1/15.
            self.assertAlmostEqual(inside.sum(0).max().item() / inside.sum(1).max().item(), 1, delta=0.08)
            self.assertAlmostEqual(inside.sum(1).max().item() / 2, radius, delta=4)
            self.assertAlmostEqual(shown.depth.median().item(), metres, places=2)


if __name__ == "__main__":
    unittest.main()
