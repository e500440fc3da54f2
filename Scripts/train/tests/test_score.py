"""The score that weights are chosen by."""

import unittest
from dataclasses import replace

from fcrntrain.score import Row, half, ratios, score


class ScoreTests(unittest.TestCase):
    def setUp(self) -> None:
        self.rows = [
            Row(f"set{i:02}", 0.5 + 0.2 * i, 0.4, 0.4 - 0.02 * i, 0.7, 0.05, 0.2 + 0.02 * i, 0.2) for i in range(12)
        ]

    def test_the_halves_share_no_set_and_have_near_and_far_ones(self) -> None:
        chooses, looked_at = half(self.rows, True), half(self.rows, False)
        self.assertEqual({row.name for row in chooses + looked_at}, {row.name for row in self.rows})
        self.assertFalse({row.name for row in chooses} & {row.name for row in looked_at})
        for some in (chooses, looked_at):
            self.assertEqual({row.is_near for row in some}, {True, False})

    def test_the_same_weights_score_one(self) -> None:
        self.assertEqual(score(self.rows, self.rows), (1, 1, 1))

    def test_each_column_is_better_in_its_own_direction(self) -> None:
        better = [replace(row, scale=row.scale / 2, delta1=row.delta1 * 2) for row in self.rows]
        found = ratios(self.rows, better)
        self.assertGreater(found["near |ln scale|"], 1.5)
        self.assertAlmostEqual(found["far δ1"], 2)
        self.assertEqual(found["near shape"], 1)
        mean, low, high = score(self.rows, better)
        self.assertTrue(1 < low <= mean <= high)
