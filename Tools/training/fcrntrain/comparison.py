"""Whether one network is better than another, or the held-out rooms just happen to say so."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from .evaluation import Accuracy
from .frames import runs

#: Drawings of as many rooms as there are, with replacement.
RESAMPLINGS = 10_000


@dataclass(frozen=True)
class Interval:
    """A mean over frames, and what 95 % of the resamplings lie between."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ({self.low:+.4f} … {self.high:+.4f})"


def resampled(values: np.ndarray, frames: Sequence[int], seed: int = 1) -> list[Interval]:
    """The mean of every column of `values` (frames × columns).

    Whole rooms are drawn: frames of one room resemble each other, so that drawing frames would promise
    too much.
    """
    rooms = runs(frames)
    row = {frame: index for index, frame in enumerate(frames)}
    sums = np.stack([values[[row[frame] for frame in room]].sum(0) for room in rooms])
    counts = np.array([len(room) for room in rooms])
    drawn = np.random.default_rng(seed).integers(len(rooms), size=(RESAMPLINGS, len(rooms)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)[:, None]
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    return [Interval(*column) for column in zip(values.mean(0).tolist(), low.tolist(), high.tolist())]


def table(values: np.ndarray, frames: Sequence[int]) -> str:
    """One line per measure: its mean and interval."""
    lines = [f"{len(frames)} held-out frames, {len(runs(frames))} rooms; mean (95 % of resampled rooms)"]
    for field, interval in zip(fields(Accuracy), resampled(values, frames)):
        lines.append(f"{field.name:8} {interval}")
    return "\n".join(lines)


def comparison(first: np.ndarray, second: np.ndarray, frames: Sequence[int]) -> str:
    """One line per measure: both means, and the mean of the frames' differences with its interval."""
    lines = [f"{len(frames)} held-out frames, {len(runs(frames))} rooms; second − first (95 % of resampled rooms)"]
    differences = resampled(second - first, frames)
    for index, (field, interval) in enumerate(zip(fields(Accuracy), differences)):
        lines.append(f"{field.name:8} {first[:, index].mean():.4f} → {second[:, index].mean():.4f}  {interval}")
    return "\n".join(lines)
