"""Several networks as one, averages of weights, intervals."""

import unittest

import numpy as np
import torch
from fcrntrain.averaging import Average
from fcrntrain.comparison import comparison, resampled
from fcrntrain.prediction import Estimate, Member
from torch import Tensor, nn


class Column(nn.Module):
    """Metres that depend on the column alone: the brightness of the picture's."""

    def forward(self, pixels: Tensor) -> Tensor:
        return pixels[:, 0]


class Constant(nn.Module):
    def __init__(self, metres: float) -> None:
        super().__init__()
        self.metres = metres

    def forward(self, pixels: Tensor) -> Tensor:
        return torch.full_like(pixels[:, 0], self.metres)


class EstimateTests(unittest.TestCase):
    pixels = torch.arange(1.0, 9).expand(1, 3, 4, 8)

    def test_mean_of_logarithms(self) -> None:
        both = Estimate(Member(Constant(2)), Member(Constant(8)))
        self.assertTrue(torch.allclose(both(self.pixels), torch.tensor(4.0)))

    def test_a_mirrored_member_answers_the_right_way_round(self) -> None:
        mirrored = Estimate(Member(Column(), mirrored=True))
        self.assertTrue(torch.allclose(mirrored(self.pixels), self.pixels[:, 0]))
        left = Column()
        left.forward = lambda pixels: torch.arange(1.0, 9).expand(1, 4, 8)  # type: ignore[method-assign]
        self.assertTrue(torch.allclose(Estimate(Member(left, mirrored=True))(self.pixels),
                                       torch.arange(8.0, 0, -1).expand(1, 4, 8)))


class AverageTests(unittest.TestCase):
    def states(self, decay: float | None) -> float:
        net = nn.Linear(1, 1, bias=False)
        average = Average(net, decay)
        for value in (1.0, 2.0, 6.0):
            with torch.no_grad():
                net.weight.fill_(value)
            average.update(net)
        return average.state["weight"].item()

    def test_without_decay_every_step_counts_the_same(self) -> None:
        self.assertAlmostEqual(self.states(None), 3, places=5)

    def test_with_decay_late_steps_count_more(self) -> None:
        self.assertGreater(self.states(0.5), 3.5)


class ComparisonTests(unittest.TestCase):
    frames = (1, 2, 3, 10, 11, 20)

    def test_a_difference_that_all_frames_share_is_certain(self) -> None:
        values = np.zeros((6, 1)) + 0.25
        interval, = resampled(values, self.frames)
        self.assertEqual((interval.mean, interval.low, interval.high), (0.25, 0.25, 0.25))

    def test_rooms_are_drawn_whole(self) -> None:
        # One room of three frames differs, the others do not: the mean of a drawing is 0, 1 or between.
        values = np.array([1, 1, 1, 0, 0, 0.0])[:, None]
        interval, = resampled(values, self.frames)
        self.assertEqual((interval.mean, interval.low, interval.high), (0.5, 0, 1))

    def test_text(self) -> None:
        first = np.tile([0.2, 0.6, 0.07, 0.75, 0.03], (6, 1))
        text = comparison(first, first + 0.01, self.frames)
        self.assertIn("6 held-out frames, 3 rooms", text)
        self.assertIn("delta1   0.7500 → 0.7600  +0.0100 (+0.0100 … +0.0100)", text)
