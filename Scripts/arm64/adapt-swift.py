#!/usr/bin/env python3
"""Adapts a copy of the package to Debian's Swift 6.2 and builds a program of it in a root.

    adapt-swift.py HOST PRODUCT         the root HOST has Swift, the copy as source/package, and source/destination.json
    adapt-swift.py --compare A.pfm B.pfm TOLERANCE

Swift 6.2 asks for the lifetimes of spans that Swift 6.3 infers. The compiler names each place, so the build is repeated until it
names no new one.
"""
import array
import re
import subprocess
import sys
from pathlib import Path

MISSING = re.compile(r"^\S*/source/package/([^:\n]+):(\d+):\d+: error: .*~Escapable.*requires '@_lifetime\((\w+): \.\.\.\)'", re.M)
BUILD = "cd source/package && exec swift build -c release --destination ../destination.json --disable-sandbox --product "


def adapt_manifest(package: Path) -> None:
    """Takes the parser of arguments from beside the copy, permits warnings, and adds the program that predicts."""
    manifest = package / "Package.swift"
    text = manifest.read_text().replace("swift-tools-version: 6.3", "swift-tools-version: 6.2")
    text = re.sub(r'\.package\(url: "[^"]*/swift-argument-parser"[^)]*\)', '.package(path: "../swift-argument-parser")', text)
    text = "".join(line for line in text.splitlines(True) if "treatAllWarnings" not in line)
    program = '.executableTarget(name: "DepthOfPixels", dependencies: ["DepthImages", "MonocularDepth", "PictureFiles"]),\n'
    text = text.replace("  targets: [\n", "  targets: [\n    " + program, 1)
    manifest.write_text(text)
    (package / "Sources/DepthOfPixels").mkdir(exist_ok=True)
    example = package / "Examples/SmallConsumer/Sources/DepthOfPixels/main.swift"
    (package / "Sources/DepthOfPixels/main.swift").write_text(example.read_text())


def add_lifetimes(package: Path, errors: set[tuple[str, str, str]]) -> None:
    places: dict[str, dict[int, set[str]]] = {}
    for name, line, parameter in errors:
        lines = (package / name).read_text().split("\n")
        at = int(line) - 1
        while not re.search(r"\bfunc\b|\binit\b", lines[at]):
            at -= 1
        places.setdefault(name, {}).setdefault(at, set()).add(parameter)
    for name, parameters in places.items():
        file = package / name
        lines = file.read_text().split("\n")
        for at in sorted(parameters, reverse=True):
            lines[at:at] = [f"@_lifetime({parameter}: copy {parameter})" for parameter in sorted(parameters[at])]
        file.write_text("\n".join(lines))


def build(host: Path, product: str) -> None:
    package = host / "source/package"
    adapt_manifest(package)
    environment = {
        "HOME": "/tmp", "PATH": "/usr/libexec/swift/bin:/usr/bin:/bin:/usr/sbin:/sbin", "PKG_CONFIG_SYSROOT_DIR": "/target",
        "PKG_CONFIG_PATH": "/target/usr/lib/aarch64-linux-gnu/pkgconfig"}
    while True:
        run = subprocess.run(
            ["chroot", str(host), "bash", "-c", BUILD + product], env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, check=False)
        if run.returncode == 0:
            return
        errors = set(MISSING.findall(run.stdout))
        if not errors:
            sys.exit(run.stdout[-4000:])
        print(f"adapt-swift: {len(errors)} lifetimes", flush=True)
        add_lifetimes(package, errors)


def compare(first: str, second: str, tolerance: float) -> None:
    def values(name: str) -> array.array:
        header = re.match(rb"Pf\s+(\d+)\s+(\d+)\s+-1\S*\s", data := Path(name).read_bytes())
        assert header, f"{name} is not a little-endian PFM file"
        return array.array("f", data[header.end():])
    largest = max(abs(a - b) for a, b in zip(values(first), values(second), strict=True))
    print(f"adapt-swift: largest difference {largest:.2g} m")
    if not largest <= tolerance:
        sys.exit(f"adapt-swift: more than {tolerance:g} m")


if sys.argv[1] == "--compare":
    compare(sys.argv[2], sys.argv[3], float(sys.argv[4]))
else:
    build(Path(sys.argv[1]), sys.argv[2])
