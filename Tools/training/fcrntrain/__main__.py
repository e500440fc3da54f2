"""The command line: `train`, `evaluate`, `compare` and `export`."""

import argparse
import dataclasses
import sys
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from fcrnweights.architecture import fcrn18, fcrn50, fcrn_lite2
from fcrnweights.errors import ConversionError
from fcrnweights.precision import PRECISIONS
from torch import Tensor

from . import exchange, frames, residuals, score
from .augmentation import OTHER_CAMERAS, Augmentation
from .comparison import comparison, table
from .evaluation import measured
from .initialisation import load_encoder
from .lite import LiteFCRN
from .loss import COARSE_EDGES, EDGE_DISTANCES, TEACHER_EDGES, TEACHER_SQUARE, Borders
from .matching import match_biases, read
from .network import FCRN, UpProjections, decoder_norms
from .packs import Packs
from .prediction import Estimate, any_network, mean_network
from .residuals import attached
from .sampling import Errors, Source
from .settings import Phase, Settings
from .teacher import Teacher
from .training import Training, restore, with_two_outputs
from .transfer import take_decoder

ESTIMATE = ("weights, .h5, or a checkpoint, .pt; several with : between are the mean of their logarithms, "
            "and NAME~ is shown the mirrored photograph")


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0: done; 1: one sentence says why not; 64: usage."""
    options = _parser().parse_args(arguments)
    try:
        commands = {"train": _train, "evaluate": _evaluate, "compare": _compare, "export": _export, "residuals": _residuals,
                    "score": _score}
        commands[options.command](options)
    except (ConversionError, ValueError, OSError, FloatingPointError) as fault:
        what = f"{fault.strerror}: '{fault.filename}'" if isinstance(fault, OSError) else fault
        print(f"train: error: {what}", file=sys.stderr)
        return 1
    return 0


def _train(options: argparse.Namespace) -> None:
    device = _device(options)
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    torch.set_num_threads(options.threads or torch.get_num_threads())
    labelled = frames.LabelledSet(options.labelled)
    train, held_out = labelled.split(options.hold_out_more)
    if options.all_frames:
        train = sorted([*train, *held_out])
    hidden = [] if options.all_frames else held_out
    if options.fold:
        number, count = options.fold
        fold = labelled.folds(train, count)[number]
        train, hidden = sorted(set(train) - set(fold)), [*hidden, *fold]
    sources = _sources(options, labelled, train[:options.limit], hidden, device)
    net, fresh = _network(options, sources)
    if options.input_size:
        net.architecture = dataclasses.replace(net.architecture, input_size=options.input_size)
    options.phases = options.phases or (Phase(0, *net.architecture.input_size, 16),)
    Training(net, fresh, sources, labelled, held_out[:options.limit], device, _settings(options)).run()


def _sources(options: argparse.Namespace, labelled: frames.LabelledSet, train: list[int], hidden: list[int],
             device: torch.device) -> list[Source]:
    """`hidden`: frames whose rooms this run must not see."""

    def with_errors(shown: frames.Frames, names: list[str]) -> frames.Frames:
        return attached(shown, names, options.errors) if options.errors else shown

    height = options.stored_height
    shown = with_errors(labelled.frames(train, options.measured_height), [f"{number:05}" for number in train])
    sources = [Source("labelled", shown, 1, edges=EDGE_DISTANCES, pasted=options.labelled_pasted, borders=Borders.MEASURED, normals=True,
                      errors=Errors.GIVEN)]
    if options.raw:
        paths = frames.raw_sequences(options.raw, hidden)
        raw = with_errors(frames.raw_frames(paths, height), [path.stem for path in paths])
        sources.append(Source("raw", raw, options.raw_share, edges=COARSE_EDGES, errors=Errors.GIVEN))
    if options.photographs or options.taught_share > 0:
        if options.teacher is None:
            raise ValueError("photographs without depth and --taught-share need --teacher")
        assistants = [any_network(path).to(device) for path in options.assistants]
        teacher = Teacher(options.teacher, assistants, device)
        edges = TEACHER_EDGES if assistants else ()
    if options.photographs:
        photographs = teacher.label(frames.photographs(options.photographs, height))
        sources.append(Source("photographs", photographs, options.photographs_share, edges=edges, pasted=options.pasted,
                              pooled=TEACHER_SQUARE))
    if options.taught_share > 0:
        every = frames.together([source.frames for source in sources])
        sources.append(Source("taught", every, options.taught_share, edges=edges, teacher=teacher, pooled=TEACHER_SQUARE))
    for folder, share in options.cameras:
        measured_frames = frames.other_cameras(folder, options.measured_height, options.without_sets, options.focal_exponent)
        sources.append(Source("other cameras", measured_frames, share, edges=EDGE_DISTANCES, borders=Borders.MEASURED, errors=Errors.OWN_OF_FEW,
                              augmentation=OTHER_CAMERAS))
    for folder, share in options.rendered:
        rendered = frames.rendered(folder, options.measured_height, options.focal_exponent)
        sources.append(Source(folder.name, rendered, share, edges=EDGE_DISTANCES, normals=True, borders=Borders.EXACT,
                              errors=Errors.OWN_AND_GLASS))
    for folder, share in options.things:
        packs = Packs(folder, lambda pack: frames.rendered_by_orientation(pack, options.measured_height, options.focal_exponent),
                      torch.Generator().manual_seed(options.seed + 2))
        sources.append(Source(f"things ({folder.name})", packs.sample(64), share, edges=EDGE_DISTANCES, normals=True, borders=Borders.EXACT,
                              errors=Errors.OWN_AND_GLASS, packs=packs))
    return sources


def _network(options: argparse.Namespace, sources: list[Source]) -> tuple[UpProjections, set[str]]:
    """The network to begin with, and its layers that begin as noise."""
    if options.start:
        net = restore(options.start) if options.start.suffix == ".pt" else _with_norms(options.start, sources)
        if isinstance(net, LiteFCRN):
            net.freeze(options.frozen_stages)
        return (with_two_outputs(net), {"ConvPred", "layer1_context"}) if options.two_outputs else (net, set())
    if options.network == "fcrn-lite2":
        return _lite(options, sources)
    architecture = fcrn50() if options.network == "fcrn50" else fcrn18(options.decoder or (256, 128, 64, 32, 16))
    if options.encoder is None:
        return FCRN(architecture), set(architecture.by_name)
    if options.network == "fcrn50":
        raise ValueError("--encoder is for fcrn18 and fcrn-lite2; fcrn50 begins with --start")
    net = FCRN(architecture, decoder_norms(architecture))  # the file has its norms folded
    missing = load_encoder(net, options.encoder)
    print(f"the encoder begins with ImageNet's weights but for {', '.join(missing) or 'nothing'}", flush=True)
    return net, set(missing)


def _lite(options: argparse.Namespace, sources: list[Source]) -> tuple[LiteFCRN, set[str]]:
    donor = _with_norms(options.decoder_from, sources) if options.decoder_from else None
    widths = options.decoder or (donor.architecture.decoder_widths if donor else (256, 128, 64, 32, 32))
    net = LiteFCRN(fcrn_lite2(widths))
    if options.encoder:
        net.load_imagenet(torch.load(options.encoder, map_location="cpu", weights_only=True))
    net.freeze(options.frozen_stages)
    if donor is not None and not (options.folder / "last.pt").exists():
        if not isinstance(donor, FCRN):
            raise ValueError(f"{options.decoder_from} is of the same kind as the network to train; --start continues from it")
        donor = donor if donor.architecture.outputs == 2 else with_two_outputs(donor)
        explained = take_decoder(net, donor, _pictures(sources, 160, (256, 320)).round().to(torch.uint8))
        print(f"layer1 explains {explained:.3f} of the variance of the other network's", flush=True)
    return net, net.fresh if options.encoder else {*net.convolutions, *net.norms}


def _with_norms(path: Path, sources: list[Source]) -> UpProjections:
    """The network of a weights file, with its decoder's norms measured on pictures of all kinds."""
    # Rows and columns in whole cells of the deepest map, as the skip connections of FCRN on EfficientNet-Lite2 need them.
    return exchange.load(path, _pictures(sources, 24, (256, 320)))


def _pictures(sources: list[Source], count: int, size: tuple[int, int]) -> Tensor:
    """Up to `count` pictures of each source, evenly taken, (N, 3, *size), 0…255."""
    pictures = [source.frames.pictures[:: max(1, len(source.frames) // count)][:count].float() for source in sources]
    return torch.cat([F.interpolate(part, size, mode="bilinear", antialias=True, align_corners=False) for part in pictures])


def _settings(options: argparse.Namespace) -> Settings:
    given = {field.name: getattr(options, field.name, None) for field in dataclasses.fields(Settings)}
    crops = Augmentation(smallest_crop=options.smallest_crop, whole_frames=options.whole_frames)
    if options.any_camera:
        crops = dataclasses.replace(crops, zoomed=0.12, tilted=0.15, noisy=0.3, blurred=0.3)
    return Settings(augmentation=crops, **{name: value for name, value in given.items() if value is not None})


def _residuals(options: argparse.Namespace) -> None:
    count = residuals.measure(options.checkpoints, frames.LabelledSet(options.labelled), options.raw, options.output,
                              _device(options), options.hold_out_more)
    print(f"{options.output}: errors of {count} frames")


def _evaluate(options: argparse.Namespace) -> None:
    labelled = frames.LabelledSet(options.labelled)
    held_out = labelled.split()[1]
    values = measured(Estimate.parse(options.weights), labelled, held_out, _device(options))
    print(table(values, held_out))


def _score(options: argparse.Namespace) -> None:
    before, after = (score.half(score.rows(path), not options.looked_at) for path in (options.before, options.after))
    print(score.table(before, after))


def _compare(options: argparse.Namespace) -> None:
    labelled = frames.LabelledSet(options.labelled)
    held_out = labelled.split()[1]
    first, second = (measured(Estimate.parse(text), labelled, held_out, _device(options))
                     for text in (options.first, options.second))
    print(comparison(first, second, held_out))


def _export(options: argparse.Namespace) -> None:
    net = mean_network(options.checkpoints)
    if options.match is not None:
        pictures = read(options.match)
        # A file of the unscaled network first, since what it holds is what has to agree; not under the name of the
        # result, which it would look like if anything failed.
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rounded.h5"
            exchange.export(net, file, options.precision, options.checkpoints)
            rounded = exchange.load(file)
        match_biases(rounded, net, pictures, options.match_steps)
        net = rounded
    exchange.export(net, options.output, options.precision, options.checkpoints,
                    exchange.Adjustment(options.scale, options.spread, options.error_scale, options.error_spread,
                                        options.focal_exponent))
    print(f"{options.output} ({options.precision}, {options.output.stat().st_size:,} bytes)")


def _device(options: argparse.Namespace) -> torch.device:
    chosen = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(chosen)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="train", description="Trains FCRN and writes weights for `depth`.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    train = commands.add_parser("train", help="train, or go on with a run that stopped")
    defaults = Settings(Path(), 0)
    add = train.add_argument
    add("--labelled", type=Path, required=True, help="folder with rgb/, depth/ and train_idx0.txt")
    add("--photographs", type=Path, help="folder of photographs without depth")
    add("--teacher", type=Path, help="folder of the network that says their depth")
    add("--raw", type=Path, help="folder of frames of video with coarse depth and sequences.txt")
    add("--rendered", type=_share_of, action="append", default=[], metavar="FOLDER[:SHARE]",
        help="folder that render-scenes --photographed --format jpg has filled, and its share of a batch, 0.1; repeatable")
    add("--things", type=_share_of, action="append", default=[], metavar="FOLDER[:SHARE]",
        help="folder of packs that render-scenes --things has filled, PACK/cameras.tsv, and its share of a batch, 0.1; repeatable; "
             "three are in memory, and one is replaced when each of its pictures was seen eight times")
    add("--cameras", type=_share_of, action="append", default=[], metavar="FOLDER[:SHARE]",
        help="folder of sets of other cameras, as 'depth evaluate --sets' reads them, and its share of a batch, 0.1")
    add("--without-sets", nargs="+", default=[], metavar="SET", help="sets of --cameras to hold out")
    add("--folder", type=Path, required=True, help="the run's; a run found there is gone on with")
    add("--network", choices=("fcrn18", "fcrn50", "fcrn-lite2"), default="fcrn18")
    add("--decoder", type=_widths, help="five channel numbers, for fcrn18; 256,128,64,32,16")
    add("--decoder-from", type=Path, help="weights file of FCRN-18 whose decoder fcrn-lite2 begins with, .h5")
    add("--frozen-stages", type=int, choices=range(8), default=0, help="of fcrn-lite2's encoder that stay as they are; 0")
    add("--start", type=Path, help="weights file to begin with, .h5")
    add("--encoder", type=Path, help="ImageNet's weights to begin the encoder with, .npz, or .pth of EfficientNet-Lite2")
    add("--views", type=int, required=True, help="of the whole run")
    add("--constant-rate", action="store_true",
        help="after warm-up, for a run that may get more --views; another one from its last.pt, without this option, ends it")
    add("--input-size", type=_size, metavar="HEIGHTxWIDTH",
        help="of the trained network, where it is not that of --start: what views and held-out frames are resized to, and the file names")
    add("--phases", type=_phases, help="SHARE:HEIGHTxWIDTH:BATCH,…; the whole run at the network's size, 16 at a time")
    for name, text in (("rate", "learning rate of the decoder"), ("encoder_rate", "of the encoder, in units of --rate"),
                       ("decay", "of the average of the weights"), ("tail", "last part of the run that tail.pt averages over"), ("weight_decay", "AdamW's"),
                       ("portrait", "share of batches whose views are portrait"),
                       ("focal_exponent", "of the ratio of focal lengths that a view's depth is multiplied by; export records the same"),
                       ("evaluate_every", "minutes between looks at the held-out frames")):
        add(f"--{name.replace('_', '-')}", type=float, default=getattr(defaults, name), help=f"{text}; {getattr(defaults, name)}")
    add("--photographs-share", type=float, default=0.35, help="of a batch; 0.35")
    add("--taught-share", type=float, default=0,
        help="of a batch: two of all these pictures at once, with the depth that the teacher sees in that very view; 0")
    add("--measured-height", type=int, default=480, help="rows of labelled, rendered and other cameras' pictures kept in memory; 480")
    add("--any-camera", action="store_true", help="zoom further, tilt, blur and add noise to some views")
    add("--two-outputs", action="store_true", help="give the network of --start a second output, its expected error, and global context")
    add("--fold", type=_fold, metavar="K/N", help="hold part K of N of the rooms out too, K from 0")
    add("--errors", type=Path, help="what 'residuals' wrote: the errors to expect")
    add("--assistants", type=Path, nargs="+", default=[], help="checkpoints or weights files that say the photographs' and taught views' depth together with the teacher")
    add("--compiled", action="store_true", help="by torch.compile: worth its minute on a GPU")
    add("--raw-share", type=float, default=0.2, help="of a batch; 0.2")
    add("--pasted", type=float, default=0.5, help="share of photographs that get a rectangle of another; 0.5")
    add("--labelled-pasted", type=float, default=0, help="share of labelled frames that get a rectangle of another; 0")
    add("--smallest-crop", type=float, default=Augmentation.smallest_crop, help="of a frame's sides; 0.6")
    add("--whole-frames", type=float, default=Augmentation.whole_frames, help="share of views without a crop; 0.2")
    add("--hold-out-more", type=int, default=0, help="frames, by whole rooms, beside the usual 60")
    add("--all-frames", action="store_true",
        help="train on the held-out frames too, once every choice is made; their figures then mean nothing")
    add("--stored-height", type=int, default=288, help="rows of photographs and raw frames kept in memory; 288")
    add("--steps", type=int, help="stop after so many, for a trial")
    add("--limit", type=int, help="use so many labelled frames only, for a trial")
    add("--seed", type=int, default=defaults.seed)
    add("--threads", type=int, help="one a core")
    precision = train.add_mutually_exclusive_group()
    precision.add_argument("--float32", dest="half_precision", action="store_false", default=None,
                           help="no bfloat16, which is used where it is faster")
    precision.add_argument("--bfloat16", dest="half_precision", action="store_true", default=None, help="bfloat16 in any case")
    evaluation = commands.add_parser("evaluate", help="accuracy on the held-out frames")
    evaluation.add_argument("weights", help=ESTIMATE)
    comparing = commands.add_parser("compare", help="differences on the held-out frames, with 95 %% intervals")
    for name in ("first", "second"):
        comparing.add_argument(name, help=ESTIMATE)
    for command in (evaluation, comparing):
        command.add_argument("--labelled", type=Path, required=True)
    export = commands.add_parser("export", help="write a checkpoint as a weights file")
    export.add_argument("checkpoints", type=Path, nargs="+", help="or weights files, .h5; of several, the mean of the weights")
    export.add_argument("output", type=Path)
    export.add_argument("--precision", choices=PRECISIONS, default="int8")
    export.add_argument("--scale", type=_scale, default=1, help="multiplies every depth; 1")
    export.add_argument("--spread", type=_scale, default=1, help="multiplies ln(depth ÷ 2.5 m), before --scale; 1")
    export.add_argument("--error-scale", type=_scale, default=1, help="multiplies every expected error; 1")
    export.add_argument("--error-spread", type=_scale, default=1,
                        help="multiplies ln(expected error ÷ .15), before --error-scale; 1")
    export.add_argument("--focal-exponent", type=float, default=1,
                        help="depth is multiplied by the ratio of the photo's and the training camera's focal lengths to this power; 1")
    export.add_argument("--match", type=Path, metavar="FOLDER",
                        help="photographs (*.jpg) on which the biases are moved until depths agree with float32")
    export.add_argument("--match-steps", type=int, default=10, help="steps of it; 10")
    scoring = commands.add_parser("score", help="the score that weights are chosen by, on sets of other cameras")
    for name in ("before", "after"):
        scoring.add_argument(name, type=Path, help="lines of 'depth evaluate --sets --json'")
    scoring.add_argument("--looked-at", action="store_true", help="the half of the sets that chooses nothing, for the end")
    residual = commands.add_parser("residuals", help="errors on frames that networks have not seen, for --errors")
    residual.add_argument("checkpoints", type=Path, nargs="+", help="of runs with --fold 0/N, 1/N, …, in this order")
    residual.add_argument("--labelled", type=Path, required=True)
    residual.add_argument("--raw", type=Path)
    residual.add_argument("--output", type=Path, required=True, help=".npz")
    residual.add_argument("--hold-out-more", type=int, default=0, help="as in those runs")
    for command in (train, evaluation, comparing, residual):
        command.add_argument("--device", help="cpu or cuda; cuda where there is one")
    return parser


def _widths(text: str) -> tuple[int, ...]:
    widths = tuple(int(width) for width in text.split(","))
    if len(widths) != 5 or min(widths) < 1:
        raise argparse.ArgumentTypeError("five positive numbers are expected, for example 256,128,64,32,16")
    return widths


def _share_of(text: str) -> tuple[Path, float]:
    folder, _, share = text.partition(":")
    return Path(folder), float(share or 0.1)


def _fold(text: str) -> tuple[int, int]:
    number, count = map(int, text.split("/"))
    if not 0 <= number < count:
        raise argparse.ArgumentTypeError("K/N with 0 ≤ K < N is expected, for example 0/4")
    return number, count


def _scale(text: str) -> float:
    scale = float(text)
    if not 0.5 <= scale <= 2:
        raise argparse.ArgumentTypeError("a factor between 0.5 and 2 is expected")
    return scale


def _size(text: str) -> tuple[int, int]:
    height, width = map(int, text.split("x"))
    if min(height, width) < 32 or height % 32 or width % 32:
        raise argparse.ArgumentTypeError("sides of whole multiples of 32 pixels are expected, for example 384x480")
    return height, width


def _phases(text: str) -> tuple[Phase, ...]:
    phases = tuple(Phase.parse(part) for part in text.split(","))
    if phases[0].start != 0:
        raise argparse.ArgumentTypeError("the first phase begins at 0")
    return phases


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: error: {message}\n")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
