"""The run: steps until its views are seen, evaluated and saved on the way, resumed where it stopped."""

import math
import os
import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import torch
from fcrnweights.architecture import EFFICIENTNET_LITE2, RESNET18, Architecture, fcrn18, fcrn50, fcrn_lite2
from torch import Tensor, nn

from .augmentation import Rectangles, Views, joined, views
from .averaging import Average
from .distillation import taught_views
from .evaluation import Accuracy, evaluate
from .frames import LabelledSet
from .lite import LiteFCRN, begin_head
from .loss import depth_loss, error_loss, log_depth_loss, pooled
from .network import FCRN, TYPICAL_DEPTH, UpProjections
from .precision import bfloat16_is_fast
from .sampling import Errors, Source
from .settings import Phase, Settings
from .shuffling import Shuffled

#: |ln prediction − ln truth| that is expected where a pane or a mirror shows something else: a factor of e.
ERROR_ON_GLASS = 1.0
#: Errors on other cameras' sets that a network has not seen, in units of those on the sets that it was trained on.
ERROR_OF_NEW_SETS = 2.5


@dataclass
class Progress:
    steps: int = 0
    pictures: int = 0
    seconds: float = 0.0
    best: float = float("inf")  # badness of the best average so far


class Training:
    """One run in one folder."""

    def __init__(self, net: UpProjections, fresh: set[str], sources: list[Source], labelled: LabelledSet,
                 held_out: list[int], device: torch.device, settings: Settings) -> None:
        self.net = net.to(device, memory_format=torch.channels_last)
        self.sources = [replace(source, frames=source.frames.to(device)) for source in sources]
        self.labelled, self.held_out, self.device, self.settings = labelled, held_out, device, settings
        given = settings.half_precision
        self.half_precision = bfloat16_is_fast(device) if given is None else given
        self.progress = Progress()
        self.random = torch.Generator().manual_seed(settings.seed)
        self.shown = torch.Generator(device).manual_seed(settings.seed + 1)  # what views show, drawn where they are made
        self.forward = torch.compile(self.net) if settings.compiled else self.net
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
            if not parameter.requires_grad:
                continue
            layer = name.split(".")[1]
            in_encoder = layer.startswith(("conv1", "res", "bn", "stem_", "block"))
            (slow if in_encoder and layer not in fresh else fast).append(parameter)
        rate = self.settings.rate
        groups = [{"params": slow, "base": rate * self.settings.encoder_rate}, {"params": fast, "base": rate}]
        return [group for group in groups if group["params"]]

    # MARK: Steps

    def run(self) -> None:
        settings, progress = self.settings, self.progress
        precision = "bfloat16" if self.half_precision else "float32"
        parameters = sum(p.numel() for p in self.net.parameters())
        self.log(f"{self.device}, {precision}, {parameters:,} parameters, " + ", ".join(
            f"{len(source)} {source.name}" for source in self.sources) + f", {len(self.held_out)} held out")
        evaluated, losses = progress.seconds, []
        while progress.pictures < settings.views and progress.steps != settings.steps:
            start = time.monotonic()
            losses.append(self._step(progress.pictures / settings.views))
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
        loss = self._loss(phase)
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

    def _loss(self, phase: Phase) -> Tensor:
        """Mean over a batch with each source's share; the first source fills it up."""
        batch, height, width = phase.batch, phase.height, phase.width
        if torch.rand(1, generator=self.random).item() < self.settings.portrait:
            height, width = width, height
        # A teacher was trained on landscape frames.
        counts = [0 if source.teacher is not None and height > width else round(batch * source.share) for source in self.sources]
        counts[0] = batch - sum(counts[1:])
        parts = [part for part in zip(self.sources, self.orders, counts) if part[2] > 0]
        shown = [self._shown(source, order, count, height, width) for source, order, count in parts]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half_precision):
            maps = self.forward(torch.cat([view.pixels for view in shown]))
        loss = maps.new_zeros(())
        splits = maps.split([count for _, _, count in parts])
        for (source, _, _), predicted, view in zip(parts, splits, shown):
            loss = loss + self._compared(source, predicted, view).sum()
        return loss / batch

    def _compared(self, source: Source, predicted: Tensor, view: Views) -> Tensor:
        weights = self.settings.loss
        if predicted.ndim == 3:
            return depth_loss(predicted, view.depth, weights, source.edges)
        log_depth, log_error = predicted.unbind(1)
        if source.pooled > 1:
            return log_depth_loss(*pooled(log_depth, view.depth, source.pooled), weights, source.edges)
        loss = log_depth_loss(log_depth, view.depth, weights, source.edges, source.normals, source.borders)
        if source.errors is Errors.NONE:
            return loss
        known = view.depth > 0
        error = (log_depth.detach() - torch.where(known, view.depth, torch.ones_like(view.depth)).log()).abs()
        error = torch.where(known, error, torch.full_like(error, torch.nan))
        if source.errors is Errors.OWN_AND_GLASS:
            error = torch.where(view.depth < 0, torch.full_like(error, ERROR_ON_GLASS), error)
        elif source.errors is Errors.OWN_OF_FEW:
            error = error * ERROR_OF_NEW_SETS
        elif view.error is not None:
            error = torch.where(known, view.error, torch.full_like(error, torch.nan))
        return loss + weights.error * error_loss(log_error, error)

    def _shown(self, source: Source, order: Shuffled, count: int, height: int, width: int) -> Views:
        if source.packs is None:
            return self._views(source, order.take(count), height, width)
        how = source.augmentation or self.settings.augmentation
        taken = [frames.to(self.device) for frames in source.packs.take(count)]
        return joined([views(frames.pictures, frames.depth, height, width, how, self.shown,
                             focal_exponent=self.settings.focal_exponent) for frames in taken])

    def _views(self, source: Source, chosen: Tensor, height: int, width: int) -> Views:
        frames, chosen = source.frames, chosen.to(self.device)
        if source.teacher is not None:
            return taught_views(source.teacher, frames, chosen, height, width, self.shown)
        pictures, depth = frames.pictures[chosen], frames.depth[chosen]
        error = None if frames.error is None else frames.error[chosen]
        if source.pasted > 0:
            others = torch.randint(len(frames), (len(chosen),), generator=self.shown, device=self.device)
            rectangles = Rectangles(len(chosen), source.pasted, self.shown, self.device)
            pictures = rectangles.pasted(pictures, frames.pictures[others])
            depth = rectangles.pasted(depth, frames.depth[others])
            error = None if error is None else rectangles.pasted(error, frames.error[others])
        how = source.augmentation or self.settings.augmentation
        return views(pictures, depth, height, width, how, self.shown, error, self.settings.focal_exponent)

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
            "packs": [source.packs.snapshot() for source in self.sources if source.packs],
            "random": self.random.get_state(), "shown": self.shown.get_state(), "progress": asdict(self.progress)})

    def accuracy(self, state: dict[str, Tensor]) -> Accuracy:
        """Of a state of the network, on the held-out frames."""
        net = empty(self.net.architecture, self.net.norms.keys()).to(self.device, memory_format=torch.channels_last)
        net.load_state_dict(state)
        return evaluate(net, self.labelled, self.held_out, self.device, self.half_precision)

    def _description(self) -> dict[str, object]:
        architecture = self.net.architecture
        return {"architecture": architecture.name, "decoder_widths": architecture.decoder_widths,
                "width_divisor": architecture.width_divisor, "norms": list(self.net.norms),
                "outputs": architecture.outputs, "global_context": architecture.global_context,
                "input_size": list(architecture.input_size)}

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
        for source, packs in zip((source for source in self.sources if source.packs), state.get("packs", [])):
            source.packs.restore(packs)
        if "shown" in state:
            self.shown.set_state(state["shown"].cpu())
        self.progress = Progress(**state["progress"])
        self.log(f"goes on at step {self.progress.steps}, {self.progress.seconds / 60:.1f} min")

    def log(self, line: str) -> None:
        line = f"{time.strftime('%H:%M:%S')} {line}"
        print(line, flush=True)
        with open(self.settings.folder / "log.txt", "a", encoding="utf-8") as file:
            print(line, file=file)


def restore(path: Path) -> UpProjections:
    """The network of a checkpoint: of `best.pt` the average, of `last.pt` the average too."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    net = empty(_architecture(state), state["norms"])
    net.load_state_dict(state["average"]["state"] if "average" in state else state["net"])
    return net


def with_two_outputs(net: FCRN) -> FCRN:
    """The same encoder and decoder with a head that says ln metres and ln expected error, and with global context."""
    architecture = fcrn18(net.architecture.decoder_widths, outputs=2, output_activation="exp", global_context=True)
    wider = FCRN(architecture, net.norms.keys())
    wanted = wider.state_dict()
    wider.load_state_dict({name: tensor for name, tensor in net.state_dict().items()
                           if tensor.shape == wanted[name].shape}, strict=False)
    begin_head(wider.convolutions)
    head, metres = wider.convolutions["ConvPred"], net.convolutions["ConvPred"]
    with torch.no_grad():
        # The tangent of ln at a typical depth, so that the run begins near what the network knows.
        head.weight[:1] = metres.weight / TYPICAL_DEPTH
        head.bias[:1] = math.log(TYPICAL_DEPTH) + metres.bias / TYPICAL_DEPTH - 1
    return wider


def empty(architecture: Architecture, norms: Collection[str]) -> UpProjections:
    """The module of an architecture, with weights that mean nothing yet."""
    if architecture.name == EFFICIENTNET_LITE2:
        return LiteFCRN(architecture)
    return FCRN(architecture, norms)


def _architecture(description: dict[str, object]) -> Architecture:
    widths, outputs = tuple(description["decoder_widths"]), int(description.get("outputs", 1))  # type: ignore[arg-type, call-overload]
    if description["architecture"] == EFFICIENTNET_LITE2:
        architecture = fcrn_lite2(widths)
    elif description["architecture"] == RESNET18:
        architecture = fcrn18(widths, outputs=outputs, output_activation="exp" if outputs == 2 else None,
                              global_context=bool(description.get("global_context", False)))
    else:
        architecture = fcrn50(int(description["width_divisor"]))  # type: ignore[call-overload]
    return replace(architecture, input_size=tuple(description.get("input_size", architecture.input_size)))  # type: ignore[arg-type]


def _save(path: Path, state: dict[str, object]) -> None:
    """All of it or nothing."""
    partial = path.with_suffix(".part")
    torch.save(state, partial)
    os.replace(partial, path)
