"""Builds libdepth.so into the package; everything else is in pyproject.toml.

Needs Swift and the libraries of Scripts/install-libraries.sh on the machine that builds, nothing on the machine that
installs the wheel. SWIFT_DEPTH_BUILD_OPTIONS has further options of `swift build`.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

root = Path(__file__).resolve().parent.parent
version = re.search(r'number: StaticString = "(.*)"', (root / "Sources/DepthBase/PackageVersion.swift").read_text())[1]


class BuildWithLibrary(build_py):
    """Puts the library and its weights beside the modules."""

    def run(self):
        super().run()
        folder = Path(self.build_lib).resolve() / "swift_depth" / "_native"
        options = os.environ.get("SWIFT_DEPTH_BUILD_OPTIONS", "").split()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as built:
            subprocess.run([root / "Scripts/build-library.sh", built, *options], check=True)
            # A wheel has no links: the library goes in once, under the name that _library.py opens.
            shutil.copy(Path(built) / "libdepth.so.1", folder / "libdepth.so")
            shutil.copy(Path(built) / "depth.h", folder)
            shutil.copytree(Path(built) / "Weights", folder / "Weights", dirs_exist_ok=True)
        licenses = folder.parent / "licenses"
        licenses.mkdir(exist_ok=True)
        for file in ("LICENSE", "NOTICE"):
            shutil.copy(root / file, licenses)
        # Of the libraries that libdepth.so contains, as Debian keeps them.
        for name in ("libhdf5-dev", "libaec-dev", "libpng-dev", "zlib1g-dev", "libdeflate-dev", "libturbojpeg0-dev"):
            text = Path("/usr/share/doc") / name / "copyright"
            if text.exists():
                shutil.copy(text, licenses / f"{name}.txt")
        swift = Path(shutil.which("swiftc")).resolve().parents[1] / "share" / "swift" / "LICENSE.txt"
        if swift.exists():
            shutil.copy(swift, licenses / "swift-runtime.txt")


class PlatformWheel(bdist_wheel):
    """One wheel per platform for every Python: the library is loaded by ctypes."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class BinaryDistribution(Distribution):
    """Has a library of machine code, although no extension module of Python."""

    def has_ext_modules(self):
        return True


setup(
    version=version,
    distclass=BinaryDistribution,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
