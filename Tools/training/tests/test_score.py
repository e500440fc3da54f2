"""The score that weights are chosen by."""

import unittest
from dataclasses import replace

from fcrntrain.score import CHOOSING, LOOKED_AT, Row, half, ratios, score


class ScoreTests(unittest.TestCase):
    def setUp(self) -> None:
        self.rows = [
            Row(name, 0.5 + 0.2 * i, 0.4, 0.4 - 0.02 * i, 0.7, 0.05, 0.2 + 0.02 * i, 0.2)
            for i, name in enumerate([*sorted(CHOOSING)[:6], *sorted(LOOKED_AT)[:6]])
        ]

    def test_each_set_is_in_one_half(self) -> None:
        self.assertFalse(CHOOSING & LOOKED_AT)
        self.assertEqual((len(CHOOSING), len(LOOKED_AT)), (23, 21))
        self.assertEqual(half(self.rows, True), self.rows[:6])
        self.assertEqual(half(self.rows, False), self.rows[6:])
        with self.assertRaisesRegex(ValueError, "kitchen"):
            half([replace(self.rows[0], name="kitchen")], True)

    def test_the_same_weights_score_one(self) -> None:
        self.assertEqual(score(self.rows, self.rows), (1, 1, 1))

    def test_each_column_is_better_in_its_own_direction(self) -> None:
        better = [replace(row, scale=row.scale / 2, delta1=row.delta1 * 2) for row in self.rows]
        found = ratios(self.rows, better)
        self.assertGreater(found["near |ln scale|"], 1.5)
        # .05 is added to both values.
        nothing = [replace(row, scale=0) for row in self.rows]
        some = [replace(row, scale=0.05) for row in self.rows]
        self.assertAlmostEqual(ratios(some, nothing)["near |ln scale|"], 2)
        self.assertAlmostEqual(ratios(nothing, some)["near |ln scale|"], 0.5)
        self.assertAlmostEqual(found["far δ1"], 2)
        self.assertEqual(found["near shape"], 1)
        mean, low, high = score(self.rows, better)
        self.assertTrue(1 < low <= mean <= high)
