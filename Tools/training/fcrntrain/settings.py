"""What a training run is told."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from .augmentation import Augmentation
from .loss import LossWeights


@dataclass(frozen=True)
class Phase:
    """Size of views and batches from a share of the run on."""

    start: float
    height: int
    width: int
    batch: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """`0.3:228x304:16`"""
        start, size, batch = text.split(":")
        height, width = size.split("x")
        return cls(float(start), int(height), int(width), int(batch))


@dataclass(frozen=True)
class Settings:
    folder: Path  # of the run: log.txt, last.pt, best.pt, tail.pt
    views: int  # of the whole run
    phases: tuple[Phase, ...] = (Phase(0, 228, 304, 16),)
    rate: float = 3e-4  # of the decoder and of what starts from noise
    encoder_rate: float = 0.5  # of `rate`
    warm_up: float = 0.03  # share of the run
    constant_rate: bool = False  # after warm-up: a run that can become longer
    weight_decay: float = 0.02
    largest_gradient: float = 5.0
    decay: float = 0.998  # of the average
    tail: float = 1 / 3  # share of the run, its last, that the other average is over
    portrait: float = 0.0  # share of batches whose views are portrait
    focal_exponent: float = 1.0  # of the ratio of focal lengths that a view's depth is multiplied by
    evaluate_every: float = 5.0  # minutes
    steps: int | None = None  # fewer, for a trial
    seed: int = 1
    half_precision: bool | None = None  # None: where bfloat16 is faster
    compiled: bool = False  # by torch.compile: worth its minute on a GPU
    augmentation: Augmentation = field(default_factory=Augmentation)
    loss: LossWeights = field(default_factory=LossWeights)

    def phase(self, progress: float) -> Phase:
        return [phase for phase in self.phases if phase.start <= progress][-1]

    def rate_factor(self, progress: float) -> float:
        """Rises linearly, then falls along a cosine to a hundredth, or stays."""
        if progress < self.warm_up:
            return max(progress / self.warm_up, 1e-3)
        if self.constant_rate:
            return 1.0
        rest = min(1.0, (progress - self.warm_up) / (1 - self.warm_up))
        return 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * rest))
