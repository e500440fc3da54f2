"""What one network, or several together, say about a photograph."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import torch
from torch import Tensor, nn

from . import exchange
from .evaluation import log_metres
from .network import UpProjections
from .training import restore

#: Ends the name of weights that are shown the mirrored photograph.
MIRRORED = "~"


@dataclass(frozen=True)
class Member:
    """A network, and whether it is shown the mirror image."""

    net: nn.Module
    mirrored: bool = False

    def logarithm(self, pixels: Tensor) -> Tensor:
        """Natural logarithm of metres, (N, h, w), the photograph's way round."""
        maps = log_metres(self.net, pixels.flip(3) if self.mirrored else pixels)
        return maps.flip(2) if self.mirrored else maps


class Estimate(nn.Module):
    """Metres (N, h, w) of pictures (N, 3, H, W) of any size: the mean of the members' logarithms."""

    def __init__(self, *members: Member) -> None:
        super().__init__()
        self.members = members
        self.nets = nn.ModuleList(member.net for member in members)

    def forward(self, pixels: Tensor) -> Tensor:
        return torch.stack([member.logarithm(pixels) for member in self.members]).mean(0).exp()

    @classmethod
    def parse(cls, text: str) -> Self:
        """`a.h5`, or `a.h5:b.pt~`: two networks, of which the second is shown the mirrored photograph."""
        nets: dict[str, nn.Module] = {}
        members = []
        for part in text.split(":"):
            name = part.removesuffix(MIRRORED)
            nets[name] = nets.get(name) or any_network(Path(name))
            members.append(Member(nets[name], part.endswith(MIRRORED)))
        return cls(*members)


def any_network(path: Path) -> UpProjections:
    """Of a weights file, `.h5`, or of a checkpoint, `.pt`."""
    return exchange.load(path) if path.suffix == ".h5" else restore(path)


def mean_network(paths: Sequence[Path]) -> UpProjections:
    """The plain average of the weights of several networks, all checkpoints or all weights files, of runs that began with the
    same weights.

    Source: M. Wortsman et al., "Model soups", ICML 2022, section 2 (uniform soup).
    """
    nets = [any_network(path) for path in paths]
    states = [net.state_dict() for net in nets]
    if any({name: tensor.shape for name, tensor in state.items()} !=
           {name: tensor.shape for name, tensor in states[0].items()} for state in states):
        raise ValueError(f"'{paths[0]}' and the others are not of one network")
    nets[0].load_state_dict({name: torch.stack([state[name].double() for state in states]).mean(0).to(tensor.dtype)
                             for name, tensor in states[0].items()})
    return nets[0]
