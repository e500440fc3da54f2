"""Where frames come from, and which make the next batch."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .frames import Frames


@dataclass(frozen=True)
class Source:
    """Frames of one kind and what a batch has of them."""

    name: str
    frames: Frames
    share: float  # of a batch
    edges: tuple[int, ...]  # pixels apart at which its depth is good enough to learn edges from
    pasted: float = 0  # share of frames that get a rectangle of another


class Shuffled:
    """Endless random order, every frame once before any comes again."""

    def __init__(self, count: int, random: torch.Generator) -> None:
        self.count, self.random = count, random
        self.order = torch.empty(0, dtype=torch.long)

    def take(self, wanted: int) -> Tensor:
        while len(self.order) < wanted:
            self.order = torch.cat((self.order, torch.randperm(self.count, generator=self.random)))
        taken, self.order = self.order[:wanted], self.order[wanted:]
        return taken
