"""`Scripts/fetch-weights.sh`: what it does with a whole or a wrong archive, on disk or downloaded.

`FetchNYUTests` has servers that break off, for the download that both scripts share.
"""

import contextlib
import functools
import hashlib
import http.server
import io
import os
import subprocess
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path

from .writers.own_files import write_checkpoint

SCRIPT = Path(__file__).resolve().parents[2] / "fetch-weights.sh"
NOWHERE = "http://127.0.0.1:9/"


class FetchingTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.weights, self.archive = self.folder / "Weights", self.folder / "stand-in.zip"
        prefix = write_checkpoint(self.folder)
        with zipfile.ZipFile(self.archive, "w") as archive:
            for path in sorted(self.folder.glob(f"{prefix.name}.*")):
                archive.write(path, f"folder/{path.name}")
        self.content = self.archive.read_bytes()
        self.digest = hashlib.sha256(self.content).hexdigest()

    def fetch(self, url: str, *arguments: str) -> subprocess.CompletedProcess:
        environment = os.environ | {
            "FCRN_URL": url, "FCRN_BYTES": str(len(self.content)), "WEIGHTS_FOLDER": str(self.weights),
            "FCRN_SHA256": self.digest, "no_proxy": "127.0.0.1"}
        return subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True, text=True)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.weights.iterdir())

    def assert_fetched(self, run: subprocess.CompletedProcess) -> None:
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.names(), ["fcrn50-published-float16.h5"])

    def assert_fails(self, run: subprocess.CompletedProcess, words: str) -> None:
        last = run.stderr.strip().splitlines()[-1]
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertRegex(last, f"^fetch-weights: error: .*{words}")
        self.assertEqual(self.names(), [])

    def test_downloads_converts_and_leaves_nothing_else(self) -> None:
        run = self.fetch(self.archive.as_uri())
        self.assert_fetched(run)
        megabytes = (len(self.content) + 500_000) // 1_000_000
        self.assertEqual(run.stdout.splitlines()[0],
                         f"FCRN-50: {megabytes} MB, BSD 2-Clause as its mirror says, metres in rooms")
        self.assertIn("already there", self.fetch(NOWHERE).stdout)

    def test_begins_again_where_the_server_cannot_resume(self) -> None:
        self.weights.mkdir()
        (self.weights / f".{self.digest[:12]}.zip.part").write_bytes(self.content[:1000])
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=self.folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, contextlib.redirect_stderr(io.StringIO()):
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.assert_fetched(self.fetch(f"http://127.0.0.1:{server.server_port}/{self.archive.name}"))
            server.shutdown()

    def test_discards_a_wrong_file(self) -> None:
        self.archive.write_bytes(bytes(len(self.content)))
        self.assert_fails(self.fetch(self.archive.as_uri()), f"expected {self.digest}")

    def test_takes_an_archive_from_disk_and_keeps_it(self) -> None:
        self.assert_fetched(self.fetch(NOWHERE, str(self.archive)))
        self.assertTrue(self.archive.exists())

    def test_refuses_another_archive_from_disk_and_keeps_it(self) -> None:
        self.archive.write_bytes(self.content[:-1])
        self.assert_fails(self.fetch(NOWHERE, str(self.archive)), "it is another file, or damaged")
        self.assertTrue(self.archive.exists())

    def test_fails_when_the_archive_holds_no_checkpoint(self) -> None:
        self.content = b"PK\x03\x04 but nothing more"
        self.digest = hashlib.sha256(self.content).hexdigest()
        self.archive.write_bytes(self.content)
        run = self.fetch(self.archive.as_uri())
        self.assertEqual(run.returncode, 1)
        self.assertIn("convert-weights: error: ", run.stderr)
        self.assertFalse([name for name in self.names() if name.endswith(".h5")])
