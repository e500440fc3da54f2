"""Rendered pictures in packs, a few of which are in memory: what was seen often enough makes room for the next one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from .frames import Frames
from .shuffling import Shuffled

IN_MEMORY, SHOWINGS = 3, 8


@dataclass
class _Pack:
    name: str
    parts: list[Frames]  # by orientation
    order: Shuffled
    seen: int = 0  # pictures taken so far

    def __len__(self) -> int:
        return sum(map(len, self.parts))


class Packs:
    """The packs of a folder, `PACK/cameras.tsv` beside its pictures, by name and then from the first again.

    New ones may come into the folder during a run; `cameras.tsv` is what `measure render-scenes` writes last.
    """

    def __init__(self, folder: Path, read: Callable[[Path], list[Frames]], random: torch.Generator,
                 in_memory: int = IN_MEMORY, showings: int = SHOWINGS) -> None:
        self.folder, self.read, self.random, self.showings = folder, read, random, showings
        self.turn = 0
        names = self._names()
        if not names:
            raise ValueError(f"no packs (PACK/cameras.tsv) in {folder}")
        self.packs = [self._load(name) for name in names[:in_memory]]
        self.last = self.packs[-1].name

    def __len__(self) -> int:
        return sum(map(len, self.packs))

    def sample(self, count: int) -> Frames:
        """Copies of up to `count` pictures of the first pack."""
        part = self.packs[0].parts[0]
        return Frames(part.pictures[:count].clone(), part.depth[:count].clone())

    def take(self, wanted: int) -> list[Frames]:
        """So many pictures of the packs in turn, landscape and upright ones apart."""
        chosen: list[tuple[Frames, int]] = []
        for _ in range(wanted):
            slot = self.turn % len(self.packs)
            self.turn += 1
            pack = self.packs[slot]
            index = int(pack.order.take(1))
            part = 0
            while index >= len(pack.parts[part]):
                index, part = index - len(pack.parts[part]), part + 1
            chosen.append((pack.parts[part], index))
            pack.seen += 1
            if pack.seen >= self.showings * len(pack):
                self._replace(slot)
        shapes = sorted({frames.depth.shape[1:] for frames, _ in chosen})
        alike = ([pair for pair in chosen if pair[0].depth.shape[1:] == shape] for shape in shapes)
        return [Frames(torch.stack([frames.pictures[index] for frames, index in pairs]),
                       torch.stack([frames.depth[index] for frames, index in pairs])) for pairs in alike]

    def snapshot(self) -> dict[str, Any]:
        return {"turn": self.turn, "last": self.last, "packs": [(pack.name, pack.seen) for pack in self.packs]}

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on where a run stopped; a pack that is gone has its place taken by the next one."""
        self.turn, self.last = state["turn"], state["last"]
        loaded, self.packs = {pack.name: pack for pack in self.packs}, []
        for name, seen in state["packs"]:
            if name in self._names():
                pack = loaded.get(name) or self._load(name)
                pack.seen = seen
                self.packs.append(pack)
            elif (fresh := self._next()) is not None:
                self.packs.append(self._load(fresh))

    def _replace(self, slot: int) -> None:
        """By the next pack, or by itself where all are in memory."""
        name = self._next()
        if name is None:
            self.packs[slot].seen = 0
        else:
            self.packs[slot] = self._load(name)

    def _next(self) -> str | None:
        """The first one after the last that was loaded, and after the end the first of all, that is not in memory."""
        present = {pack.name for pack in self.packs}
        fresh = [name for name in self._names() if name not in present]
        if not fresh:
            return None
        self.last = next((name for name in fresh if name > self.last), fresh[0])
        return self.last

    def _names(self) -> list[str]:
        return sorted(path.parent.name for path in self.folder.glob("*/cameras.tsv"))

    def _load(self, name: str) -> _Pack:
        parts = self.read(self.folder / name)
        return _Pack(name, parts, Shuffled(sum(map(len, parts)), self.random))
