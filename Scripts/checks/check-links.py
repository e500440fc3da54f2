#!/usr/bin/env python3
"""Fails for a link in a tracked Markdown page whose file or heading does not exist. Links to other sites are not followed.

    Scripts/checks/check-links.py
"""

import re
import subprocess
import sys
import unicodedata
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1", re.M | re.S)
LINK = re.compile(r"\]\(<?([^)>\s]+)>?(?: \"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)


def prose(page: Path) -> str:
    """The page without blocks of code."""
    return FENCE.sub("", page.read_text())


@cache
def anchors(page: Path) -> set[str]:
    """The names that GitHub gives to headings: lower case, no punctuation, hyphens for spaces, numbered where they repeat."""
    found: dict[str, int] = {}
    for heading in HEADING.findall(prose(page)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = "".join(c for c in text if c in " -_" or unicodedata.category(c)[0] in "LNM").replace(" ", "-")
        count = found[name] = found.get(name, -1) + 1
        if count:
            found[f"{name}-{count}"] = 0
    return set(found)


def faults(page: Path) -> list[str]:
    found = []
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
        if re.match(r"[a-z][a-z0-9+.-]*:", link, re.I):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            found.append(f"there is no {link}")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            found.append(f"{link}: there is no such heading")
    return found


def main() -> int:
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    bad = [f"{name}: {fault}" for name in names for fault in faults(ROOT / name)]
    print(*bad, f"{len(names)} pages", sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
