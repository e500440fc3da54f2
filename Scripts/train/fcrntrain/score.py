"""The score by which weights are chosen: written down before the first run, computed on sets of other cameras."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

#: Sets nearer than this, metres, are near.
NEAR = 1.2
#: Sets whose truth is sharp enough for borders.
SHARP = ("middlebury2005", "middlebury2014_motorcycle", "replica_room", "taskonomy_1")
RESAMPLINGS = 1_000


@dataclass(frozen=True)
class Row:
    """A set in the lines of `depth evaluate --sets --json`."""

    name: str
    distance: float
    delta1: float
    scale: float
    shape: float
    borders: float
    relative_error: float
    expected_error: float

    @property
    def is_near(self) -> bool:
        return self.distance < NEAR


def rows(path: Path) -> list[Row]:
    lines = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return [
        Row(line["set"], line["distance_m"], line["delta1"], line["scale"], line["scaled_delta1"], line["boundary_f1"], line["rel"],
            line["expected_error"] or math.nan)
        for line in lines if "set" in line
    ]


def half(of: Sequence[Row], chooses: bool) -> list[Row]:
    """Every second set by name, of near and of far ones: one half chooses, the other is looked at once, at the end."""
    taken: list[Row] = []
    for near in (True, False):
        ordered = sorted((row for row in of if row.is_near == near), key=lambda row: row.name)
        taken += ordered[0 if chooses else 1::2]
    return taken


#: Name, sets, a value that is better when larger or, with -1, when smaller.
COLUMNS: tuple[tuple[str, Callable[[Row], bool], Callable[[list[Row]], float], int], ...] = (
    ("near |ln scale|", lambda row: row.is_near, lambda some: float(np.median([abs(row.scale) for row in some])), -1),
    ("near δ1", lambda row: row.is_near, lambda some: float(np.mean([row.delta1 for row in some])), 1),
    ("far |ln scale|", lambda row: not row.is_near, lambda some: float(np.median([abs(row.scale) for row in some])), -1),
    ("far δ1", lambda row: not row.is_near, lambda some: float(np.mean([row.delta1 for row in some])), 1),
    ("near shape", lambda row: row.is_near, lambda some: float(np.mean([row.shape for row in some])), 1),
    ("far shape", lambda row: not row.is_near, lambda some: float(np.mean([row.shape for row in some])), 1),
    ("boundary F1", lambda row: row.name in SHARP, lambda some: float(np.mean([row.borders for row in some])), 1),
    ("near |ln expected ÷ observed|", lambda row: row.is_near and not math.isnan(row.expected_error), lambda some: abs(_honesty(some)), -1),
)


def _honesty(some: list[Row]) -> float:
    return float(np.median([math.log(row.expected_error / row.relative_error) for row in some]))


def ratios(before: Sequence[Row], after: Sequence[Row]) -> dict[str, float]:
    """Of each column how many times better it became; columns without a set are left out."""
    found = {}
    for name, belongs, value, sign in COLUMNS:
        old, new = ([row for row in some if belongs(row)] for some in (before, after))
        if old and new:
            # A scale that is hardly off is not a reason to choose weights by.
            floor = 0.05 if sign < 0 else 1e-3
            found[name] = (max(value(new), floor) / max(value(old), floor)) ** sign
    return found


def score(before: Sequence[Row], after: Sequence[Row]) -> tuple[float, float, float]:
    """The mean of the columns and an 80 % interval over resamplings of sets: a difference inside it does not count."""
    names = [row.name for row in before if row.name in {other.name for other in after}]
    old, new = ({row.name: row for row in some} for some in (before, after))
    random = np.random.default_rng(1)

    def of(chosen: Sequence[str]) -> float:
        return float(np.mean(list(ratios([old[name] for name in chosen], [new[name] for name in chosen]).values())))

    means = [of(random.choice(names, len(names))) for _ in range(RESAMPLINGS)]
    low, high = np.quantile(means, [0.1, 0.9])
    return of(names), float(low), float(high)


def table(before: Sequence[Row], after: Sequence[Row]) -> str:
    lines = []
    for name, belongs, value, _ in COLUMNS:
        old, new = ([row for row in some if belongs(row)] for some in (before, after))
        if old and new:
            lines.append(f"{name:32} {len(new):3} sets  {value(old):.3f} → {value(new):.3f}")
    mean, low, high = score(before, after)
    return "\n".join([*lines, f"score {mean:.3f}, 80 % interval {low:.3f} to {high:.3f}"])
