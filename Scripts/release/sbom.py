#!/usr/bin/env python3
"""Writes what a release is made of as SPDX 2.3 JSON on standard output.

    Scripts/release/sbom.py VERSION PROGRAM CHECKOUTS FILE...

Versions come from Debian's package database and from the compiler that built the program.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Name, Debian's package that it was linked from, license, where it comes from.
LINKED = (
    ("HDF5", "libhdf5-dev", "BSD-3-Clause", "https://www.hdfgroup.org"),
    ("libaec", "libaec-dev", "BSD-2-Clause", "https://gitlab.dkrz.de/k202009/libaec"),
    ("libjpeg-turbo", "libturbojpeg0-dev", "IJG AND BSD-3-Clause AND Zlib", "https://libjpeg-turbo.org"),
    ("libpng", "libpng-dev", "libpng-2.0", "http://www.libpng.org"),
    ("zlib", "zlib1g-dev", "Zlib", "https://zlib.net"),
    ("libdeflate", "libdeflate-dev", "MIT", "https://github.com/ebiggers/libdeflate"),
    ("libwebp", "libwebp-dev", "BSD-3-Clause", "https://developers.google.com/speed/webp"),
)


def main(version: str, program: str, checkouts: str, *files: str) -> None:
    commit = output("git", "-C", str(ROOT), "rev-parse", "HEAD")
    time = int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))
    own = package("swift-depth", version, "MIT", "NOASSERTION")
    own["checksums"] = checksums(Path(program))
    weights = package("swift-depth weights", version, "NONE", "NOASSERTION")
    weights["licenseConcluded"] = "NOASSERTION"
    weights["comment"] = "Trained on NYU Depth v2, a research data set without an open license: Weights/README.md."
    parts = [
        package("Swift runtime", swift_version(), "Apache-2.0 WITH Swift-exception", "https://www.swift.org"),
        package("swift-argument-parser", argument_parser(Path(checkouts)), "Apache-2.0 WITH Swift-exception",
                "https://github.com/apple/swift-argument-parser"),
        *(package(name, debian_version(source), license, home) for name, source, license, home in LINKED),
    ]
    listed = [{"SPDXID": f"SPDXRef-File-{index}", "fileName": f"./{Path(name).name}", "checksums": checksums(Path(name)),
               "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}
              for index, name in enumerate(sorted(files), 1)]
    relationships = [related("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relationships += [related(own["SPDXID"], "STATIC_LINK", part["SPDXID"]) for part in parts]
    # What the program is under includes what is linked into it, and the color maps that NOTICE lists.
    own["licenseConcluded"] = " AND ".join(dict.fromkeys(
        name for text in ("MIT", "Apache-2.0", "CC0-1.0", *(str(part["licenseDeclared"]) for part in parts)) for name in text.split(" AND ")))
    relationships.append(related(own["SPDXID"], "DEPENDS_ON", weights["SPDXID"]))
    relationships += [related(file["SPDXID"], "CONTAINS", weights["SPDXID"]) for file in listed]
    relationships += [related(file["SPDXID"], "GENERATED_FROM", own["SPDXID"]) for file in listed]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"swift-depth-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/swift-depth-{version}-{commit}",
        "creationInfo": {"created": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: Scripts/release/sbom.py"]},
        "packages": [own, weights, *parts], "files": listed, "relationships": relationships,
    }
    json.dump(document, sys.stdout, indent=1)
    print()


def package(name: str, version: str, license: str, home: str) -> dict[str, object]:
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
            "downloadLocation": home, "licenseConcluded": license, "licenseDeclared": license,
            "copyrightText": "NOASSERTION", "filesAnalyzed": False}


def related(first: object, kind: str, second: object) -> dict[str, object]:
    return {"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}


def checksums(file: Path) -> list[dict[str, str]]:
    """SPDX 2.3 requires SHA1 of every file (section 8.4)."""
    data = file.read_bytes()
    return [{"algorithm": name.upper(), "checksumValue": hashlib.new(name, data).hexdigest()} for name in ("sha1", "sha256")]


def debian_version(source: str) -> str:
    return output("dpkg-query", "-W", "-f", "${Version}", source)


def swift_version() -> str:
    found = re.search(r"Swift version (\S+)", output("swiftc", "--version"))
    return found.group(1) if found else "NOASSERTION"


def argument_parser(checkouts: Path) -> str:
    return output("git", "-C", str(checkouts / "swift-argument-parser"), "describe", "--tags", "--always")


def output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: Scripts/release/sbom.py VERSION PROGRAM CHECKOUTS FILE...")
    main(*sys.argv[1:])
