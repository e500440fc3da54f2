"""The run: steps until its time is spent, evaluated and saved on the way, resumed where it stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from fcrnweights.architecture import RESNET18, Architecture, fcrn18, fcrn50
from torch import Tensor, nn

from .augmentation import Views, exchanged, pasted, views, with_depth_shown
from .averaging import Average
from .evaluation import Accuracy, evaluate
from .frames import LabelledSet
from .loss import depth_loss
from .network import FCRN
from .sampling import Shuffled, Source
from .settings import Settings

#: Of what lies right of a strip's left edge, as published.
WIDEST_STRIP = 0.75


@dataclass
class Progress:
    steps: int = 0
    pictures: int = 0
    seconds: float = 0.0
    best: float = float("inf")  # badness of the best average so far


class Training:
    """One run in one folder."""

    def __init__(self, net: FCRN, fresh: set[str], sources: list[Source], labelled: LabelledSet,
                 held_out: list[int], device: torch.device, settings: Settings) -> None:
        self.net = net.to(device, memory_format=torch.channels_last)
        self.sources = [replace(source, frames=source.frames.to(device)) for source in sources]
        self.labelled, self.held_out, self.device, self.settings = labelled, held_out, device, settings
        self.progress = Progress()
        self.random = torch.Generator().manual_seed(settings.seed)
        self.orders = [Shuffled(len(source.frames), self.random) for source in sources]
        self.optimiser = torch.optim.AdamW(self._groups(fresh), weight_decay=settings.weight_decay,
                                           betas=(0.9, 0.99), fused=True)
        self.average = Average(self.net, settings.decay)
        self.tail = Average(self.net, None)
        settings.folder.mkdir(parents=True, exist_ok=True)
        self._resume()

    def _groups(self, fresh: set[str]) -> list[dict[str, object]]:
        """The encoder has seen more pictures than this run will show it, and changes less."""
        slow, fast = [], []
        for name, parameter in self.net.named_parameters():
            layer = name.split(".")[1]
            in_encoder = layer.startswith(("conv1", "res", "bn"))
            (slow if in_encoder and layer not in fresh else fast).append(parameter)
        rate = self.settings.rate
        groups = [{"params": slow, "base": rate * self.settings.encoder_rate}, {"params": fast, "base": rate}]
        return [group for group in groups if group["params"]]

    # MARK: Steps

    def run(self) -> None:
        settings, progress = self.settings, self.progress
        budget = settings.minutes * 60
        self.log(f"{self.device}, {sum(p.numel() for p in self.net.parameters()):,} parameters, " + ", ".join(
            f"{len(source.frames)} {source.name}" for source in self.sources) + f", {len(self.held_out)} held out")
        evaluated, losses = progress.seconds, []
        while progress.seconds < budget and progress.steps != settings.steps:
            start = time.monotonic()
            losses.append(self._step(progress.seconds / budget))
            progress.seconds += time.monotonic() - start
            if progress.seconds - evaluated > settings.evaluate_every * 60:
                evaluated = progress.seconds
                self._look(losses)
                losses = []
        self._look(losses)

    def _step(self, share: float) -> Tensor:
        settings, phase = self.settings, self.settings.phase(share)
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * settings.rate_factor(share)
        self.net.train()
        loss = self._loss(phase.height, phase.width, phase.batch)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), settings.largest_gradient)
        self.optimiser.step()
        self.average.update(self.net)
        if share >= 1 - settings.tail:
            self.tail.update(self.net)
        self.progress.steps += 1
        self.progress.pictures += phase.batch
        return loss.detach()

    def _loss(self, height: int, width: int, batch: int) -> Tensor:
        """Mean over a batch with each source's share; the first source fills it up."""
        counts = [round(batch * source.share) for source in self.sources]
        counts[0] = batch - sum(counts[1:])
        parts = [part for part in zip(self.sources, self.orders, counts) if part[2] > 0]
        shown = [self._views(source, order.take(count), height, width) for source, order, count in parts]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.half_precision):
            maps = self.net(torch.cat([view.pixels for view in shown]))
        loss = maps.new_zeros(())
        splits = maps.split([count for _, _, count in parts])
        for (source, _, _), predicted, view in zip(parts, splits, shown):
            loss = loss + depth_loss(predicted, view.depth, self.settings.loss, edges=source.edges).sum()
        return loss / batch

    def _views(self, source: Source, chosen: Tensor, height: int, width: int) -> Views:
        frames, chosen = source.frames, chosen.to(self.device)
        pictures, depth = frames.pictures[chosen], frames.depth[chosen]
        if source.pasted > 0:
            others = torch.randint(len(frames), (len(chosen),), generator=self.random).to(self.device)
            pictures, depth = pasted(pictures, depth, frames.pictures[others], frames.depth[others],
                                     source.pasted, self.random)
        shown = views(pictures, depth, height, width, self.settings.augmentation, self.random)
        rows = shown.depth.shape[-2]
        for pixels, depth in zip(shown.pixels, shown.depth):
            chance, row = torch.rand(2, generator=self.random).tolist()
            if chance < self.settings.swapped:
                row = round((0.2 + 0.6 * row) * rows) / rows
                pixels.copy_(exchanged(pixels, row))
                depth.copy_(exchanged(depth, row))
            if self.settings.depth_shown > 0:
                chance, across = torch.rand(2, generator=self.random).tolist()
                if chance < self.settings.depth_shown:
                    pixels.copy_(with_depth_shown(pixels, depth, across, WIDEST_STRIP, self.random))
        return shown

    # MARK: Looking and saving

    def _look(self, losses: list[Tensor]) -> None:
        loss = torch.stack(losses).mean().item() if losses else float("nan")
        if losses and loss != loss:
            raise FloatingPointError(f"diverged before step {self.progress.steps}; last.pt is from before")
        accuracy = self.accuracy(self.average.state)
        better = accuracy.badness < self.progress.best
        self.log(f"step {self.progress.steps} {self.progress.seconds / 60:.1f} min {self.progress.pictures} pictures "
                 f"loss {loss:.4f} | {accuracy}{' *' if better else ''}")
        if better:
            self.progress.best = accuracy.badness
            _save(self.settings.folder / "best.pt", self._description() | {"net": self.average.state})
        if self.tail.steps > 0:
            self.log(f"average of the last {self.tail.steps} steps | {self.accuracy(self.tail.state)}")
            _save(self.settings.folder / "tail.pt", self._description() | {"net": self.tail.state})
        _save(self.settings.folder / "last.pt", self._description() | {
            "net": self.net.state_dict(), "average": self.average.snapshot(),
            "tail": self.tail.snapshot(), "optimiser": self.optimiser.state_dict(),
            "random": self.random.get_state(), "progress": asdict(self.progress)})

    def accuracy(self, state: dict[str, Tensor]) -> Accuracy:
        """Of a state of the network, on the held-out frames."""
        net = FCRN(self.net.architecture, self.net.norms.keys()).to(self.device, memory_format=torch.channels_last)
        net.load_state_dict(state)
        return evaluate(net, self.labelled, self.held_out, self.device, self.settings.half_precision)

    def _description(self) -> dict[str, object]:
        architecture = self.net.architecture
        return {"architecture": architecture.name, "decoder_widths": architecture.decoder_widths,
                "width_divisor": architecture.width_divisor, "norms": list(self.net.norms)}

    def _resume(self) -> None:
        last = self.settings.folder / "last.pt"
        if not last.exists():
            return
        state = torch.load(last, map_location=self.device, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.average.restore(state["average"])
        if "tail" in state:  # a run of an earlier trainer has none
            self.tail.restore(state["tail"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.random.set_state(state["random"].cpu())
        self.progress = Progress(**state["progress"])
        self.log(f"goes on at step {self.progress.steps}, {self.progress.seconds / 60:.1f} min")

    def log(self, line: str) -> None:
        line = f"{time.strftime('%H:%M:%S')} {line}"
        print(line, flush=True)
        with open(self.settings.folder / "log.txt", "a", encoding="utf-8") as file:
            print(line, file=file)


def restore(path: Path) -> FCRN:
    """The network of a checkpoint: of `best.pt` the average, of `last.pt` the average too."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    net = FCRN(_architecture(state), state["norms"])
    net.load_state_dict(state["average"]["state"] if "average" in state else state["net"])
    return net


def restore_mean(paths: Sequence[Path]) -> FCRN:
    """The plain average of several checkpoints' weights: of runs that began with the same ones.

    Source: M. Wortsman et al., "Model soups", ICML 2022, section 2 (uniform soup).
    """
    nets = [restore(path) for path in paths]
    states = [net.state_dict() for net in nets]
    if any({name: tensor.shape for name, tensor in state.items()} !=
           {name: tensor.shape for name, tensor in states[0].items()} for state in states):
        raise ValueError(f"'{paths[0]}' and the other checkpoints are not of one network")
    nets[0].load_state_dict({name: torch.stack([state[name].double() for state in states]).mean(0).to(tensor.dtype)
                             for name, tensor in states[0].items()})
    return nets[0]


def _architecture(description: dict[str, object]) -> Architecture:
    if description["architecture"] == RESNET18:
        return fcrn18(tuple(description["decoder_widths"]))  # type: ignore[arg-type]
    return fcrn50(int(description["width_divisor"]))  # type: ignore[call-overload]


def _save(path: Path, state: dict[str, object]) -> None:
    """All of it or nothing."""
    partial = path.with_suffix(".part")
    torch.save(state, partial)
    os.replace(partial, path)
