"""`Scripts/fetch-weights.sh` against a server on this machine that breaks off, lies and disappears."""

from __future__ import annotations

import hashlib
import http.server
import os
import socket
import subprocess
import tempfile
import threading
import unittest
import zipfile
from pathlib import Path

from .small_checkpoint import write_checkpoint

SCRIPT = Path(__file__).resolve().parents[2] / "fetch-weights.sh"


class Server(http.server.ThreadingHTTPServer):
    """Serves one file; `limits` are how many bytes it sends before it hangs up, request by request."""

    def __init__(self, content: bytes, limits: list[int] | None = None, ranges: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content, self.limits, self.ranges = content, limits or [], ranges
        self.starts: list[int] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/archive.zip"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server: Server = self.server  # type: ignore[assignment]
        asked = self.headers.get("Range")
        start = int(asked.removeprefix("bytes=").split("-")[0]) if asked and server.ranges else 0
        server.starts.append(start)
        body = server.content[start:]
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(server.content) - 1}/{len(server.content)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:server.limits.pop(0)] if server.limits else body)
        self.close_connection = True

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

    def serve(self, *arguments: object, **named: object) -> Server:
        server = Server(*arguments, **named)  # type: ignore[arg-type]
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def names(self) -> list[str]:
        return sorted(path.name for path in self.weights.iterdir())

    def assert_fails(self, run: subprocess.CompletedProcess, words: str) -> None:
        lines = run.stderr.strip().splitlines()
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertTrue(lines[-1].startswith("fetch-weights: error: "), run.stderr)
        self.assertIn(words, lines[-1])
        self.assertEqual([name for name in self.names() if name.endswith(".h5")], [])

    def test_downloads_converts_and_leaves_nothing_else(self) -> None:
        run = self.fetch(self.serve(self.content).url)
        self.assertEqual(run.returncode, 0, run.stderr)
        megabytes = (len(self.content) + 500_000) // 1_000_000
        self.assertEqual(run.stdout.splitlines()[0],
                         f"FCRN-50: {megabytes} MB, BSD 2-Clause as its mirror says, metres in rooms")
        self.assertEqual(self.names(), ["fcrn50-published-float16.h5"])
        self.assertIn("already there", self.fetch("http://127.0.0.1:9/").stdout)

    def test_resumes_within_a_run(self) -> None:
        third = len(self.content) // 3
        server = self.serve(self.content, [third, third])
        run = self.fetch(server.url, "--precision", "int8")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(server.starts, [0, third, 2 * third])
        self.assertEqual(self.names(), ["fcrn50-published-int8.h5"])

    def test_resumes_in_a_later_run(self) -> None:
        half = len(self.content) // 2
        server = self.serve(self.content, [half, 0])
        self.assert_fails(self.fetch(server.url), f"run this again to resume at byte {half}")
        self.assertEqual(self.fetch(server.url).returncode, 0)
        self.assertEqual(server.starts, [0, half, half])

    def test_begins_again_where_the_server_cannot_resume(self) -> None:
        half = len(self.content) // 2
        server = self.serve(self.content, [half], ranges=False)
        run = self.fetch(server.url)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_discards_a_wrong_file(self) -> None:
        wrong = bytes(len(self.content))
        expected = hashlib.sha256(self.content).hexdigest()
        self.assert_fails(self.fetch(self.serve(wrong).url), f"expected {expected}")
        self.assertEqual(self.names(), [])

    def test_discards_a_file_too_long(self) -> None:
        self.assert_fails(self.fetch(self.serve(self.content + b"more").url), "bytes, expected")
        self.assertEqual(self.names(), [])

    def test_discards_a_partial_file_of_other_content(self) -> None:
        self.weights.mkdir()
        name = f".{hashlib.sha256(self.content).hexdigest()[:12]}.zip.part"
        (self.weights / name).write_bytes(b"x" * 1000)
        server = self.serve(self.content)
        self.assert_fails(self.fetch(server.url), "SHA-256")
        self.assertEqual(self.fetch(server.url).returncode, 0)

    def test_says_what_to_do_without_a_connection(self) -> None:
        with socket.socket() as closed:  # a port nobody listens on
            closed.bind(("127.0.0.1", 0))
            run = self.fetch(f"http://127.0.0.1:{closed.getsockname()[1]}/archive.zip")
        self.assertIn("FCRN-50: ", run.stdout)
        self.assert_fails(run, "run this again when online, or fetch the file by other means")
        self.assertEqual(len(run.stderr.strip().splitlines()), 1)

    def test_says_when_the_server_has_no_such_file(self) -> None:
        class Gone(Handler):
            def do_GET(self) -> None:
                self.send_error(404)
        server = self.serve(b"")
        server.RequestHandlerClass = Gone
        self.assert_fails(self.fetch(server.url), "does not give")

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
        run = self.fetch(self.serve(content).url, content=content)
        self.assertEqual(run.returncode, 1)
        self.assertIn("convert-weights: error: ", run.stderr)
        self.assertFalse([name for name in self.names() if name.endswith(".h5")])


if __name__ == "__main__":
    unittest.main()
