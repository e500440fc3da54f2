"""`Scripts/fetch-weights.sh` against a server on this machine: what it does with a whole or a wrong archive.

`FetchNYUTests` has servers that break off, for the download that both scripts share.
"""

from __future__ import annotations

import hashlib
import http.server
import os
import subprocess
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path

from .small_checkpoint import write_checkpoint

SCRIPT = Path(__file__).resolve().parents[2] / "fetch-weights.sh"


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends `content`, whatever is asked."""

    content = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *_: object) -> None:
        pass


class FetchingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.made.cleanup)
        folder = Path(cls.made.name)
        prefix = write_checkpoint(folder)
        cls.archive = folder / "stand-in.zip"
        with zipfile.ZipFile(cls.archive, "w") as archive:
            for path in sorted(folder.glob(f"{prefix.name}.*")):
                archive.write(path, f"folder/{path.name}")
        cls.content = cls.archive.read_bytes()

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.weights = Path(folder.name) / "Weights"

    def fetch(self, url: str, *arguments: str, content: bytes | None = None) -> subprocess.CompletedProcess:
        content = self.content if content is None else content
        environment = os.environ | {
            "FCRN_URL": url, "FCRN_BYTES": str(len(content)), "WEIGHTS_FOLDER": str(self.weights),
            "FCRN_SHA256": hashlib.sha256(content).hexdigest(), "no_proxy": "127.0.0.1"}
        return subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True, text=True)

    def serve(self, content: bytes) -> str:
        handler = type("", (Handler,), {"content": content})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/archive.zip"

    def names(self) -> list[str]:
        return sorted(path.name for path in self.weights.iterdir())

    def assert_fails(self, run: subprocess.CompletedProcess, words: str) -> None:
        lines = run.stderr.strip().splitlines()
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertTrue(lines[-1].startswith("fetch-weights: error: "), run.stderr)
        self.assertIn(words, lines[-1])
        self.assertEqual([name for name in self.names() if name.endswith(".h5")], [])

    def test_downloads_converts_and_leaves_nothing_else(self) -> None:
        run = self.fetch(self.serve(self.content))
        self.assertEqual(run.returncode, 0, run.stderr)
        megabytes = (len(self.content) + 500_000) // 1_000_000
        self.assertEqual(run.stdout.splitlines()[0],
                         f"FCRN-50: {megabytes} MB, BSD 2-Clause as its mirror says, metres in rooms")
        self.assertEqual(self.names(), ["fcrn50-published-float16.h5"])
        self.assertIn("already there", self.fetch("http://127.0.0.1:9/").stdout)

    def test_begins_again_where_the_server_cannot_resume(self) -> None:
        self.weights.mkdir()
        name = f".{hashlib.sha256(self.content).hexdigest()[:12]}.zip.part"
        (self.weights / name).write_bytes(self.content[:1000])
        run = self.fetch(self.serve(self.content))
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_discards_a_wrong_file(self) -> None:
        wrong = bytes(len(self.content))
        expected = hashlib.sha256(self.content).hexdigest()
        self.assert_fails(self.fetch(self.serve(wrong)), f"expected {expected}")
        self.assertEqual(self.names(), [])

    def test_takes_an_archive_from_disk_and_keeps_it(self) -> None:
        run = self.fetch("http://127.0.0.1:9/", str(self.archive))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(self.archive.exists())
        self.assertEqual(self.names(), ["fcrn50-published-float16.h5"])

    def test_refuses_another_archive_from_disk_and_keeps_it(self) -> None:
        other = Path(self.made.name) / "other.zip"
        other.write_bytes(self.content[:-1])
        self.assert_fails(self.fetch("http://127.0.0.1:9/", str(other)), "it is another file, or damaged")
        self.assertTrue(other.exists())

    def test_fails_when_the_archive_holds_no_checkpoint(self) -> None:
        content = b"PK\x03\x04 but nothing more"
        run = self.fetch(self.serve(content), content=content)
        self.assertEqual(run.returncode, 1)
        self.assertIn("convert-weights: error: ", run.stderr)
        self.assertFalse([name for name in self.names() if name.endswith(".h5")])


if __name__ == "__main__":
    unittest.main()
