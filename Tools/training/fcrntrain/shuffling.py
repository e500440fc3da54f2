"""A random order without end."""

import torch
from torch import Tensor


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
