"""`Scripts/fetch-weights.sh depth-anything-v2-…` against a server on this machine that breaks off, lies and disappears."""

from __future__ import annotations

import contextlib
import hashlib
import http.server
import json
import os
import socket
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import h5py

from .depth_anything_weights import config, hub_state, safetensors
from .test_fetching import SCRIPT

SMALL = "/Depth-Anything-V2-Small-hf/resolve/main/"
NAME = "depth-anything-v2-small"


class Hub(http.server.ThreadingHTTPServer):
    """Serves files by address, after a redirect as the hub does; `limits` are how many bytes of the weights it sends
    before it hangs up, request by request."""

    def __init__(self, files: dict[str, bytes], limits: list[int] | None = None, digests: bool = False,
                 lengths: bool = True, ranges: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.limits, self.digests, self.lengths, self.ranges = files, limits or [], digests, lengths, ranges
        self.starts: list[int] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self) -> None:
        self.answer(has_body=False)

    def do_GET(self) -> None:
        self.answer(has_body=True)

    def answer(self, has_body: bool) -> None:
        path = self.path.removeprefix("/cdn")
        content = self.server.files.get(path)
        if content is None:
            return self.send_error(404)
        if path == self.path:
            self.send_response(302)
            self.send_header("Location", "/cdn" + path)
            self.send_header("Content-Length", "0")
            if self.server.digests and path.endswith(".safetensors"):
                self.send_header("X-Linked-Size", str(len(content)))
                self.send_header("X-Linked-Etag", f'"{hashlib.sha256(content).hexdigest()}"')
            return self.end_headers()
        asked = self.headers.get("Range")
        start = int(asked.removeprefix("bytes=").split("-")[0]) if asked and self.server.ranges else 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        if self.server.lengths or has_body:
            self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.close_connection = True
        if has_body:
            is_weights = path.endswith(".safetensors")
            if is_weights:
                self.server.starts.append(start)
            limit = self.server.limits.pop(0) if is_weights and self.server.limits else None
            with contextlib.suppress(ConnectionError):  # a client may have had enough
                self.wfile.write(content[start:][:limit])

    def log_message(self, *_: object) -> None:
        pass


class FetchingDepthAnythingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.weights_file = safetensors(hub_state(width=64, blocks=4, features=4, channels=(2, 2, 2, 2)))

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.weights = Path(folder.name) / "Weights"

    def files(self, address: str = SMALL, **facts: object) -> dict[str, bytes]:
        return {address + "model.safetensors": self.weights_file,
                address + "config.json": json.dumps(config(**facts)).encode()}

    def serve(self, *arguments: object, **named: object) -> Hub:
        server = Hub(*arguments, **named)  # type: ignore[arg-type]
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def fetch(self, url: str, *arguments: str) -> subprocess.CompletedProcess:
        environment = os.environ | {"DEPTH_ANYTHING_URL": url, "WEIGHTS_FOLDER": str(self.weights), "no_proxy": "127.0.0.1"}
        return subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True, text=True)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.weights.iterdir())

    def assert_fails(self, run: subprocess.CompletedProcess, words: str) -> None:
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertTrue(run.stderr.startswith("fetch-weights: error: "), run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertIn(words, run.stderr)
        self.assertEqual([name for name in self.names() if name.endswith(".h5")], [])

    def test_downloads_converts_and_leaves_nothing_else(self) -> None:
        run = self.fetch(self.serve(self.files()).url, NAME)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(self.names(), ["depth-anything-v2-small-float16.h5"])
        self.assertIn(f"{len(self.weights_file)} bytes, SHA-256 {hashlib.sha256(self.weights_file).hexdigest()} (not compared",
                      run.stdout)
        with h5py.File(self.weights / self.names()[0]) as file:
            self.assertEqual(file.attrs["source_name"], b"Depth-Anything-V2-Small-hf.safetensors")
            self.assertEqual(file.attrs["output_unit"], b"relative disparity")
        self.assertIn("already there", self.fetch("http://127.0.0.1:9", NAME).stdout)

    def test_every_name_has_its_address_and_kind(self) -> None:
        for kind, depth in (("", None), ("metric-indoor-", 20), ("metric-outdoor-", 80)):
            for size in ("small", "base", "large"):
                with self.subTest(kind + size):
                    address = f"/Depth-Anything-V2-{kind.title()}{size.title()}-hf/resolve/main/"
                    server = self.serve(self.files(address, largest_depth=depth))
                    run = self.fetch(server.url, f"depth-anything-v2-{kind}{size}", "--precision", "int8")
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertEqual("not for commercial use" in run.stderr, size != "small")
                    unit = f"metres up to {depth}" if depth else "disparity up to scale and shift, no metres"
                    about = {"small": "100 MB, Apache-2.0", "base": "390 MB, CC-BY-NC-4.0", "large": "1.3 GB, CC-BY-NC-4.0"}
                    self.assertEqual(run.stdout.splitlines()[0],
                                     f"depth-anything-v2-{kind}{size}: about {about[size]}, {unit}")
                    self.assertIn(f"depth-anything-v2-{kind}{size}-int8.h5", self.names())

    def test_the_licence_is_said_before_anything_is_downloaded(self) -> None:
        run = self.fetch("http://127.0.0.1:9", "depth-anything-v2-metric-indoor-large")
        first, last = run.stderr.strip().splitlines()
        self.assertIn("CC-BY-NC-4.0: not for commercial use", first)
        self.assertIn("no connection", last)

    def test_resumes_within_a_run_and_in_a_later_one(self) -> None:
        third = len(self.weights_file) // 3
        server = self.serve(self.files(), [third, 0, third])
        self.assert_fails_resumably(self.fetch(server.url, NAME), third)
        run = self.fetch(server.url, NAME)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(server.starts, [0, third, third, 2 * third])

    def assert_fails_resumably(self, run: subprocess.CompletedProcess, byte: int) -> None:
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"run this again to resume at byte {byte}", run.stderr)

    def test_begins_again_where_the_server_cannot_resume(self) -> None:
        run = self.fetch(self.serve(self.files(), [len(self.weights_file) // 2], ranges=False).url, NAME)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_compares_with_the_digest_that_the_server_tells(self) -> None:
        server = self.serve(self.files(), digests=True)
        self.assertIn("(as the server says)", self.fetch(server.url, NAME).stdout)
        (self.weights / "depth-anything-v2-small-float16.h5").unlink()
        partial = self.weights / f".{NAME}.part"
        partial.mkdir()
        (partial / "Depth-Anything-V2-Small-hf.safetensors").write_bytes(b"x" * 1000)  # of another file
        run = self.fetch(server.url, NAME)
        self.assertEqual(run.returncode, 1)
        self.assertIn("expected " + hashlib.sha256(self.weights_file).hexdigest(), run.stderr)
        self.assertEqual(self.fetch(server.url, NAME).returncode, 0)

    def test_weights_of_another_kind_are_refused_and_fetched_anew(self) -> None:
        server = self.serve(self.files(largest_depth=80))
        run = self.fetch(server.url, NAME)
        self.assertEqual((run.returncode, run.stderr),
                         (1, "convert-weights: error: config.json says that the weights are outdoor, --kind says relative\n"))
        server.files.update(self.files())
        self.assertEqual(self.fetch(server.url, NAME).returncode, 0)
        self.assertEqual(server.starts, [0, 0])

    def test_what_is_no_safetensors_is_refused(self) -> None:
        files = self.files() | {SMALL + "model.safetensors": b"<html>a page of a hotel's network</html>"}
        run = self.fetch(self.serve(files).url, NAME)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stderr.startswith("convert-weights: error: "), run.stderr)

    def test_says_what_to_do_without_a_connection(self) -> None:
        with socket.socket() as closed:  # a port nobody listens on
            closed.bind(("127.0.0.1", 0))
            run = self.fetch(f"http://127.0.0.1:{closed.getsockname()[1]}", NAME)
        self.assert_fails(run, "run this again when online, or fetch model.safetensors and config.json by other means")

    def test_says_when_the_server_lacks_a_file_or_its_size(self) -> None:
        self.assert_fails(self.fetch(self.serve({}).url, NAME), "does not give")
        only = {SMALL + "config.json": self.files()[SMALL + "config.json"]}
        self.assert_fails(self.fetch(self.serve(only).url, NAME), "does not give")
        self.assert_fails(self.fetch(self.serve(self.files(), lengths=False).url, NAME), "does not say how large")
        large = self.files() | {SMALL + "config.json": b" " * 2_000_000}
        self.assert_fails(self.fetch(self.serve(large).url, NAME), "config.json stopped: ")

    def test_help_and_wrong_names(self) -> None:
        run = self.fetch("http://127.0.0.1:9", "--help")
        self.assertEqual(run.returncode, 0)
        self.assertIn("depth-anything-v2-metric-outdoor-small", run.stdout)
        run = self.fetch("http://127.0.0.1:9", "depth-anything-v2-giant")
        self.assertEqual((run.returncode, run.stderr), (
            1, "fetch-weights: error: there is no 'depth-anything-v2-giant'; --help names the networks\n"))
        self.assertEqual(self.fetch("http://127.0.0.1:9", NAME, "--precision", "int4").returncode, 64)


if __name__ == "__main__":
    unittest.main()
