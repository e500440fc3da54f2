"""The command line: `convert-weights SOURCE OUT.h5 --precision float32|float16|int8`."""

import argparse
import io
import resource
import sys
from pathlib import Path

from . import archive
from .errors import ConversionError
from .network import BOTTOM_RIGHT, TOP_LEFT
from .precision import PRECISIONS, reduced
from .reading import Options, Source
from .recognition import recognise

#: Of address space. The largest published file takes about three gigabytes.
LIMIT_BYTES = 8 << 30


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0: written; 1: one sentence says why not; 64: usage."""
    options = _parser().parse_args(arguments)
    try:
        _convert(options)
    except (ConversionError, OSError) as fault:
        what = f"{fault.strerror}: '{fault.filename}'" if isinstance(fault, OSError) else fault
        print(f"convert-weights: error: {_printable(what)}", file=sys.stderr)
        return 1
    except MemoryError:
        print("convert-weights: error: not enough memory", file=sys.stderr)
        return 1
    return 0


def _convert(options: argparse.Namespace) -> None:
    if options.output.is_dir() or not options.output.parent.is_dir():
        raise ConversionError(f"'{options.output}' cannot be written: no such folder, or a folder")
    if options.source.suffix == ".safetensors" or options.source.name.startswith("depth_anything_v2"):
        raise ConversionError(f"'{options.source.name}' is Depth Anything V2, which 'depth --weights' reads as it is")
    reader, path = recognise(options.source)
    if options.output.exists() and path.exists() and options.output.samefile(path):
        raise ConversionError("source and output are the same file")
    reading = reader(path, Options(options.upproj_padding, options.bn_epsilon, options.precision))
    network = reading.network.checked()
    source = reading.origin or Source.of(options.source, reading.form, reading.parts)
    archive.write(options.output, reading.unchanged or reduced(network, options.precision),
                  options.precision, source)
    if not options.quiet:
        for layer, there in reading.matched:
            print(f"  {layer:22} ← {_printable(there)}")
        for note in reading.notes:
            print(f"note: {note}")
        print(f"{reading.form} → {options.output} ({options.precision}, "
              f"{options.output.stat().st_size:,} bytes, {network.padding} padding, "
              f"batch norm {'folded' if network.folded or options.precision == 'int8' else 'kept'})")


def _printable(words: object) -> str:
    """One line, whatever names a file put into it."""
    return "".join(c if c.isprintable() else "·" for c in str(words))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="convert-weights", description="Converts published weights of FCRN to HDF5.")
    parser.add_argument("source", type=Path, help="a file, or the prefix of a checkpoint")
    parser.add_argument("output", type=Path, help="the HDF5 file to write")
    parser.add_argument("--precision", choices=PRECISIONS, default="float32", help="of the kernels")
    parser.add_argument("--upproj-padding", choices=(TOP_LEFT, BOTTOM_RIGHT), default=None,
                        help="for forms that do not say; the default is that of the NYU weights, topleft")
    parser.add_argument("--bn-epsilon", type=float, default=None,
                        help="for PyTorch state dicts; the default is the published 1e-4")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    return parser


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: error: {message}\n")


def _bound_memory() -> None:
    """Lets a file that unpacks to more than any network fail with a sentence, not take the machine down."""
    try:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (OSError, ValueError):  # a lower limit is in force, or the system has none
        pass


if __name__ == "__main__":
    _bound_memory()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
