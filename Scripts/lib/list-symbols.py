#!/usr/bin/env python3
"""Lists every public symbol of symbol graphs as Markdown, in one line each.

usage: Scripts/lib/list-symbols.py FOLDER

Members that the compiler makes, such as those of Hashable, are left out."""

import json
import pathlib
import re
import sys


def main(folder: pathlib.Path) -> None:
    modules: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for file in sorted(folder.glob("*.symbols.json")):
        module = file.name.split("@")[0].removesuffix(".symbols.json")
        for symbol in json.loads(file.read_text())["symbols"]:
            if "location" not in symbol or "SYNTHESIZED" in symbol["identifier"]["precise"]:
                continue
            path = tuple(symbol["pathComponents"])
            fragments = "".join(part["spelling"] for part in symbol["declarationFragments"])
            line = f"`{' '.join(fragments.split())}`{sentence(symbol)}"
            modules.setdefault(module, {}).setdefault(path, []).append(line)
    print("# API\n")
    print("Every public symbol, in one line each, by module; `Scripts/checks/check-face.sh --write` makes this page. The product `DepthEstimation`\n"
          "brings all but `ProximityAlerts`; `MonocularDepth`, `StereoPhotos`, `DepthPhotos` and `ProximityAlerts` are also products of their own.")
    for module, symbols in sorted(modules.items()):
        print(f"\n## {module}\n")
        for path, lines in sorted(symbols.items()):
            for line in sorted(lines):
                owner = ".".join(path[:-1])
                print(f"- {owner + ': ' if owner else ''}{line}")


def sentence(symbol: dict) -> str:
    """The first sentence of the documentation. It does not end at an initial, such as that of "J. Zimandl"."""
    text = " ".join(line["text"].strip() for line in symbol.get("docComment", {"lines": []})["lines"])
    found = re.match(r"(.*?(?<!\b[A-Z])\.)(\s|$)", text)
    if not found or text.startswith("- "):
        sys.exit(f"{'.'.join(symbol['pathComponents'])}: no summary, expected a sentence before the sections")
    return f": {found.group(1)}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
