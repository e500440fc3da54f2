#!/usr/bin/env python3
"""Asks `depth serve` for right, wrong and hostile things from many clients at once, and checks every answer.

    Scripts/checks/check-server.py [--requests 1000] [--clients 8] [--program PATH] [--seed N]

Everything happens on 127.0.0.1. Answers to photos are compared with the bytes of `depth predict`; the rest must
have the right status. At the end the server must still answer, hold no more memory, files and threads than before,
and stop with status 0. The tests of `LocalHTTP` and `DepthService` have each rule of the protocol by itself; here is what
depends on the whole program: its options, its processes, and many clients together.
"""

import argparse
import base64
import collections
import functools
import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import served
from served import check, expect, failures, root

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--requests", type=int, default=1000)
options.add_argument("--clients", type=int, default=8)
options.add_argument("--program", default=str(root / ".build/release/depth"))
options.add_argument("--seed", type=int, default=1)
options = options.parse_args()
Server = functools.partial(served.Server, options.program)

photo = (root / "Examples/living-room.jpg").read_bytes()
other = (root / "Examples/dining-table.jpg").read_bytes()


def png(width, height, data=b""):
    """A PNG whose header promises any size."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def expected_files():
    """What the command line writes for the two photos."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, data in [("a", photo), ("b", other)]:
            path = f"{folder}/{name}.jpg"
            pathlib.Path(path).write_bytes(data)
            for ending, kind in [
                ("png", "image/png"), ("npy", "application/x-npy"), ("npz", "application/x-npz"), ("pfm", "image/x-portable-floatmap")
            ]:
                made = f"{folder}/{name}.{ending}"
                subprocess.run([options.program, "predict", path, "-o", made, "--quiet"], check=True)
                files[name, kind] = pathlib.Path(made).read_bytes()
    return files


class Client(threading.Thread):
    """Sends one request after the other, and checks what comes back."""

    def __init__(self, server, expected, count, seed, tally):
        super().__init__()
        self.server, self.expected, self.count = server, expected, count
        self.random, self.tally = random.Random(seed), tally

    def run(self):
        kinds = [
            (self.depth, 30), (self.effect, 8), (self.stereo, 6), (self.facts, 4), (self.keep, 6), (self.pages, 6),
            (self.truncated, 12), (self.damaged, 8), (self.nonsense, 8), (self.oversized, 8), (self.slow, 5),
            (self.leaving, 10), (self.hostile, 20),
        ]
        for _ in range(self.count):
            kind = self.random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
            try:
                said = kind()
            except Exception as error:  # noqa: BLE001 - whatever happens is a finding
                said = f"{type(error).__name__}: {error}"
            self.tally[kind.__name__] += 1
            check(not said, f"{kind.__name__}: {said}")

    def ask(self, method, path, body=None, headers={}):
        """Like a good client: a busy server is asked again after the time that it says."""
        for _ in range(300):
            status, answer, response = self.server.request(method, path, body, headers)
            if status != 503:
                return status, answer
            assert response.getheader("Retry-After") == "1"
            self.tally["(busy)"] += 1
            time.sleep(self.random.uniform(0.05, 0.2))
        raise AssertionError("always busy")

    def depth(self):
        (name, kind), wanted = self.random.choice(list(self.expected.items()))
        status, answer = self.ask("POST", "/v1/depth", photo if name == "a" else other, {"Accept": kind})
        return None if (status, answer == wanted) == (200, True) else f"{name} {kind}: {status}, other bytes"

    def same(self, path, body):
        """The same request has the same answer."""
        status, answer = self.ask("POST", path, body)
        known = same_answers.setdefault((path, hash(body)), answer)
        return None if (status, answer == known) == (200, True) else f"{path}: {status}, {len(answer)} bytes"

    def effect(self):
        name = self.random.choice(["blur&focus=0.7", "highlight&focus-at=300,200", "haze", "mask&focus=0.5"])
        return self.same(f"/v1/effect?effect={name}", photo)

    def stereo(self):
        return self.same(f"/v1/stereo?format={self.random.choice(['sbs', 'anaglyph', 'mpo'])}", photo)

    def facts(self):
        status, answer = self.ask("POST", "/v1/depth", photo, {"Accept": "application/json"})
        facts = json.loads(answer)
        return None if status == 200 and facts["width"] == 640 and facts["near_m"] > 0 else str(facts)

    def keep(self):
        body = photo + bytes([self.random.randrange(256)])  # up to 256 photos: more than the cache holds
        status, answer = self.ask("POST", "/v1/photos", body)
        if status != 200:
            return f"status {status}"
        photo_id = json.loads(answer.splitlines()[-1])["id"]
        status, answer = self.ask("POST", f"/v1/effect?photo={photo_id}&effect=blur&focus=0.5&draft=true", b"")
        return None if status in (200, 404) else f"status {status}: {answer[:100]}"

    def pages(self):
        path = self.random.choice(["/", "/healthz", "/example.jpg", "/armchair.jpg", "/doorway.jpg"])
        status, answer, _ = self.server.request("GET", path)
        return None if status == 200 and answer else f"{path}: {status}"

    def truncated(self):
        status, _ = self.ask("POST", "/v1/depth", photo[: self.random.randrange(4, len(photo) - 2)])
        return None if status in (415, 422) else f"status {status}"

    def damaged(self):
        body = bytearray(photo)
        for _ in range(20):
            body[self.random.randrange(len(body))] = self.random.randrange(256)
        status, _ = self.ask("POST", "/v1/depth", bytes(body), {"Accept": "application/json"})
        return None if status in (200, 413, 415, 422) else f"status {status}"

    def nonsense(self):
        body = self.random.choice([b"", b"\0" * 5000, b"GIF89a" + b"x" * 100, os.urandom(3000), b"{}" * 100])
        status, _ = self.ask("POST", "/v1/depth", body)
        return None if status in (400, 415, 422) else f"status {status}"

    def oversized(self):
        if self.random.random() < 0.5:
            status, _ = self.ask("POST", "/v1/depth", png(60000, 60000))
            return None if status in (413, 422) else f"a picture of 60000×60000: status {status}"
        length = self.random.choice([1 << 27, 1 << 40, 1 << 62])
        head = f"POST /v1/depth HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Length: {length}\r\n\r\n"
        status = self.server.raw(head.encode() + b"x" * 1000)
        return None if status == 413 else f"Content-Length {length}: status {status}"

    def slow(self):
        """A few bytes at a time, and then nothing more."""
        with self.server.connect() as client:
            head = f"POST /v1/depth HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nContent-Length: 70000\r\n\r\n"
            data = head.encode() + photo[:200]
            for start in range(0, len(data), 40):
                client.sendall(data[start:start + 40])
                time.sleep(0.05)
        return None

    def leaving(self):
        with self.server.connect() as client:
            path = self.random.choice(["depth", "photos", "effect?effect=blur&focus=0.2&radius=3%25"])
            self.server.post(client, path, photo)
            time.sleep(self.random.choice([0, 0.01, 0.05]))
        return None

    def hostile(self):
        """Heads and chunks that end a connection at each place where one is read."""
        host = f"Host: 127.0.0.1:{self.server.port}\r\n"
        post = f"POST /v1/depth HTTP/1.1\r\n{host}"
        chunks = f"{post}Transfer-Encoding: chunked\r\n\r\n".encode()
        name, data, statuses = self.random.choice([
            ("zeros", b"\0" * 100 + b"\r\n\r\n", {400}),
            ("TLS", bytes.fromhex("16030100c8010000c40303") + os.urandom(64).replace(b"\n", b"x") + b"\n\n", {400}),
            ("two hosts", f"GET / HTTP/1.1\r\n{host}{host}\r\n".encode(), {400}),
            ("a long line", b"GET /" + b"a" * 30000 + b" HTTP/1.1\r\n\r\n", {431}),
            ("many headers", f"GET / HTTP/1.1\r\n{host}".encode() + b"x: y\r\n" * 300 + b"\r\n", {431}),
            ("parent folders", f"GET /../../etc/passwd HTTP/1.1\r\n{host}\r\n".encode(), {404}),
            ("a hidden zero", f"GET /%00 HTTP/1.1\r\n{host}\r\n".encode(), {400}),
            ("two lengths", f"{post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello".encode(), {400}),
            ("a compressed body", f"{post}Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello".encode(), {415}),
            ("a body for a page", f"GET / HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello".encode(), {413}),
            ("many parts", f"{post}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9900\r\n\r\n".encode()
             + b"--b\r\n\r\n\r\n" * 1100, {400, 503}),
            ("nonsense in chunks", chunks + b"5\r\nhello\r\n0\r\n\r\n", {400, 415, 422, 503}),
            ("a longer chunk", chunks + b"5\r\nhello!\r\n0\r\n\r\n", {400, 503}),
            ("a chunk of many bytes", chunks + b"ffffffffff\r\nhello", {413, 503}),
            ("an unknown photo", f"GET /v1/photos/{'0' * 64}/depth HTTP/1.1\r\n{host}\r\n".encode(), {404, 503}),
        ])
        status = self.server.raw(data)
        return None if status in statuses else f"{name}: status {status}, expected {statuses}"


same_answers = {}


def check_many(server):
    expected = expected_files()
    for kind in ["/v1/depth", "/v1/photos"]:
        server.request("POST", kind, photo)
    tally, memory = collections.Counter(), []
    # The first third warms up: threads, the cache of open photos, and pools have their size then.
    for part, share in enumerate([1, 2]):
        clients = [
            Client(server, expected, max(1, options.requests * share // 3 // options.clients),
                   options.seed * 1000 + part * 100 + index, tally)
            for index in range(options.clients)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        time.sleep(0.3)
        memory.append((server.status("VmRSS") >> 10, server.files, server.status("Threads")))
    print("  " + ", ".join(f"{count} {name}" for name, count in sorted(tally.items())))
    (before, files_before, threads_before), (after, files, threads) = memory
    peak = server.status("VmHWM") >> 10
    print(f"  resident {before} MB after a third, {after} MB at the end, {peak} MB at most; "
          f"{files} files, {threads} threads")
    check(after <= before + 150, f"memory grew from {before} to {after} MB")
    check(peak <= 1200, f"{peak} MB at the peak")
    check(files <= files_before + 2 and threads <= threads_before + 8, f"files {files_before} to {files}, threads {threads_before} to {threads}")
    status, answer, _ = server.request("GET", "/healthz")
    expect("/healthz at the end", (status, json.loads(answer)["status"]), (200, "ok"))


def check_clients(server):
    """What clients of some kinds send: chunks of any size, a target with a host; and an answer without a body."""
    _, plain, _ = server.request("POST", "/v1/depth", photo)
    # Node, Go and .NET send a body whose length they do not know in chunks; http.client does so for an iterator.
    starts = [*range(1000), *range(1000, 20_000, 777), 20_000, len(photo)]
    pieces = (photo[start:end] for start, end in zip(starts, starts[1:]))
    expect("chunks of one byte, of 777, and of the rest", server.request("POST", "/v1/depth", pieces)[:2], (200, plain))
    form = (b'--xx\r\nContent-Disposition: form-data; name="refine"\r\n\r\njoint\r\n'
            b'--xx\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n' + photo + b"\r\n--xx--\r\n")
    kind = {"Content-Type": 'multipart/form-data; boundary="xx"'}
    expect("a form in chunks", server.request("POST", "/v1/depth", iter([form[:999], form[999:]]), kind)[:2], (200, plain))
    target = f"GET http://127.0.0.1:{server.port}/healthz HTTP/1.1\r\nHost: proxy.example\r\n\r\n"
    expect("a target with a host", server.raw(target.encode()), 200)
    expect("a target with another host", server.raw(target.replace("127.0.0.1", "evil.example").encode()), 421)
    answer = server.request("GET", "/favicon.ico")[2]
    expect("204", (answer.status, answer.getheader("Content-Length"), answer.getheader("Content-Type")), (204, None, None))


def check_focus(server):
    """The command and the server focus at one distance, and the nearest one is that of the map."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "own.jpg"
        made = [f"{folder}/d.pfm", "--depth-photo", str(path), "--quiet"]
        subprocess.run([options.program, "predict", str(root / "Examples/living-room.jpg"), "-o", *made], check=True)
        own = path.read_bytes()
        for word in ["nearest", "subject"]:
            made = ["effect", "blur", str(path), "--focus", word, "--overwrite", "--json"]
            line = subprocess.run([options.program, *made], check=True, capture_output=True).stdout
            answer = server.request("POST", f"/v1/effect?effect=blur&focus={word}", own)[2]
            expect(f"the focus at {word}", answer.getheader("Focus-Distance"), str(json.loads(line)["focus_m"]))
    line = server.request("POST", "/v1/effect?effect=blur&focus=nearest", photo, {"Accept": "application/x-ndjson"})[1].splitlines()[-1]
    near = json.loads(server.request("POST", "/v1/depth", photo, {"Accept": "application/json"})[1])["near_m"]
    expect("the nearest distance in focus", json.loads(line)["focus_m"], near)


def check_options():
    """A secret in a file, a further name, limits, and how long a head may take, and a body that keeps nobody out."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "token"
        path.write_text("abcdefgh-12345678\n")
        server = Server("--token-file", str(path), "--allow-host", "Laptop.local", "--queue", "1", "--max-megabytes", "1",
                        "--max-pixels", "400000")
    with server:
        check("token" not in server.address, f"--quiet prints {server.address}")
        right = {"Authorization": "Bearer abcdefgh-12345678", "Accept": "application/json"}
        for headers, wanted in [
            ({"Authorization": ""}, 401), ({"Host": "laptop.local"}, 200), ({"Host": "laptop.local:1234"}, 200),
            ({"Host": "depth.local"}, 421), ({"Host": "laptop.local", "Origin": "https://laptop.local"}, 200),
            ({"Host": "laptop.local", "Origin": "https://evil.example"}, 403),
        ]:
            expect(headers, server.request("POST", "/v1/depth", photo, {**right, **headers})[0], wanted)
        expect("more pixels", server.request("POST", "/v1/depth", png(1000, 1000), right)[0], 413)
        expect("more bytes", server.request("POST", "/v1/depth", bytes((1 << 20) + 1), right)[0], 413)
        with server.connect() as waiting, server.connect() as silent:
            start = time.monotonic()
            waiting.sendall((f"POST /v1/depth HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: {right['Authorization']}\r\n"
                             "Content-Length: 5000\r\n\r\nx").encode())
            silent.sendall(b"GET / HT")
            check(b" 408 " in silent.recv(100) and 4 < time.monotonic() - start < 20,
                  f"a head that does not come is refused after {time.monotonic() - start:.1f} s")
            waiting.sendall(b"x" * 4999)
            check(b" 415 " in waiting.recv(100), "a body that is slow is answered while nobody needs its room")


def check_crowds():
    """More clients than places: an answer for each. Forms that take no memory; and those that are worked on at the end."""
    with Server("--queue", "64", "--timeout", "60") as server:

        def crowd(clients, count, path):
            statuses = collections.Counter()

            def ask():
                for _ in range(count):
                    try:
                        statuses[server.request("POST", path, photo)[0]] += 1
                    except OSError as error:
                        statuses[type(error).__name__] += 1

            threads = [threading.Thread(target=ask) for _ in range(clients)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return dict(statuses)

        expect("32 clients", crowd(32, 4, "/v1/depth"), {200: 128})
        found = crowd(150, 1, "/v1/depth?refine=none")
        check(not set(found) - {200, 503} and found.get(200), f"150 clients at once: {found}")
        # A body of dashes, one of nothing but lines, and one of tiny parts cost next to nothing.
        before = server.status("VmRSS")
        for body, boundary in [(b"-" * (60 << 20), "-" * 60 + "x"), (b"\r\n" * (30 << 20), "-" * 60 + "x"), (b"--b\r\n\r\n\r\n" * (6 << 20), "b")]:
            kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
            expect(f"a form of {body[:9]}", server.request("POST", "/v1/depth", body, kind)[0], 400)
        taken = server.status("VmHWM") - before >> 10
        check(taken <= 350, f"forms took {taken} MB")
        clients = [server.connect() for _ in range(3)]
        for client in clients:
            server.post(client, "depth", photo)
        time.sleep(0.5)

        def answered():
            for client in clients:
                check(client.recv(100).startswith(b"HTTP/1.1 200"), "a request that is worked on has no answer at SIGTERM")
                client.close()

        server.end(meanwhile=answered)


# A decoder of WebP that never ends.
hanging = """
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
uint8_t *WebPDecodeRGBInto(const uint8_t *a, size_t b, uint8_t *c, size_t d, int e) { for (;;) sleep(1); }
uint8_t *WebPDecodeRGBAInto(const uint8_t *a, size_t b, uint8_t *c, size_t d, int e) { for (;;) sleep(1); }
"""
webp = base64.b64decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")


def check_decoder():
    """A decoder that hangs ends with its client, its time and the server."""
    if not shutil.which("cc"):
        print("  no C compiler for a decoder that hangs")
        return
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "webp.c"
        source.write_text(hanging)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{folder}/libwebp.so.7", source], check=True)
        with Server("--timeout", "1", environment={"LD_LIBRARY_PATH": folder}) as server:

            def children():
                count = 0
                for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
                    try:
                        count += len((task / "children").read_text().split())
                    except OSError:  # a thread that has just ended
                        pass
                return count

            def has_ended():
                for _ in range(100):
                    if children() == 0:
                        return True
                    time.sleep(0.1)
                return False

            status = server.request("POST", "/v1/depth", webp)[0]
            check(status == 504 and has_ended(), f"a decoder that hangs: {status}, {children()} children")
            with server.connect() as client:
                client.sendall(f"POST /v1/depth HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                               f"Content-Length: {len(webp)}\r\n\r\n".encode() + webp)
                time.sleep(0.3)
            check(has_ended(), "a decoder goes on without its client")
            expect("beside a decoder that hung", server.request("POST", "/v1/depth", photo)[0], 200)


def check_descriptors():
    """Without free descriptors a client is told so, and the server goes on when there are some again."""
    with Server(wrapper=["prlimit", "--nofile=40:40"]) as server:
        idle = [server.connect() for _ in range(34)]
        answers = {server.raw(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()) for _ in range(5)}
        check(answers <= {200, 503}, f"without descriptors: {answers}")
        for client in idle:
            client.close()
        time.sleep(0.5)
        expect("with descriptors again", server.request("GET", "/healthz")[0], 200)


def check_end():
    """SIGINT while photos are under way."""
    with Server() as server:
        clients = [server.connect() for _ in range(4)]
        for client in clients:
            server.post(client, "effect?effect=blur&focus=0.1&radius=9%25", photo)
        time.sleep(0.1)
        server.end(by=signal.SIGINT)


print(f"{options.requests} requests from {options.clients} clients")
with Server("--cache-megabytes", "64") as server:
    check_clients(server)
    check_focus(server)
    check_many(server)
for part in [check_options, check_end, check_crowds, check_decoder, check_descriptors]:
    print(part.__doc__)
    part()
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
