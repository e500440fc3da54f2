#!/usr/bin/env python3
"""Asks `depth serve` for right, wrong and hostile things from many clients at once, and checks every answer.

    Scripts/checks/check-server.py [--requests 1000] [--clients 8] [--program PATH] [--seed N]

Everything happens on 127.0.0.1. Answers to photos are compared with the bytes of `depth predict`; the rest must
have the right status. At the end the server must still answer, hold no more memory, files and threads than before,
and stop on SIGTERM with status 0, also while it works: requests that are worked on then get their answers within 5 s.
"""

import argparse
import base64
import collections
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

root = pathlib.Path(__file__).resolve().parents[2]
options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--requests", type=int, default=1000)
options.add_argument("--clients", type=int, default=8)
options.add_argument("--program", default=str(root / ".build/release/depth"))
options.add_argument("--seed", type=int, default=1)
options = options.parse_args()

photo = (root / "Examples/living-room.jpg").read_bytes()
other = (root / "Examples/dining-table.jpg").read_bytes()


class Server:
    def __init__(self, *arguments, environment={}, wrapper=[]):
        self.process = subprocess.Popen(
            [*wrapper, options.program, "serve", "--port", "0", "--quiet", *arguments], stdout=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), f"the server said {self.address!r}"
        self.port = int(self.address.split("/")[2].split(":")[1])

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    @property
    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def post_photo(self, client, path):
        """Sends a photo and reads no answer."""
        head = f"POST /v1/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(photo)}\r\n\r\n"
        client.sendall(head.encode() + photo)

    def request(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), answer
        finally:
            connection.close()

    def raw(self, data, timeout=60):
        """The first line's status of what is answered to raw bytes; None for a connection that is closed."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
                answer = b""
                while b"\r\n" not in answer:
                    part = client.recv(4096)
                    if not part:
                        return None
                    answer += part
                return int(answer.split()[1])
            except (ConnectionResetError, BrokenPipeError):
                return None


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
                ("png", "image/png"), ("npy", "application/x-npy"), ("pfm", "image/x-portable-floatmap")
            ]:
                made = f"{folder}/{name}.{ending}"
                subprocess.run([options.program, "predict", path, "-o", made, "--quiet"], check=True)
                files[name, kind] = pathlib.Path(made).read_bytes()
    return files


class Client(threading.Thread):
    """Sends one request after the other, and checks what comes back."""

    def __init__(self, server, expected, count, seed, tally, failures):
        super().__init__()
        self.server, self.expected, self.count = server, expected, count
        self.random, self.tally, self.failures = random.Random(seed), tally, failures

    def run(self):
        kinds = [
            (self.depth, 30), (self.effect, 8), (self.stereo, 6), (self.facts, 4), (self.keep, 6), (self.pages, 6),
            (self.truncated, 12), (self.damaged, 8), (self.nonsense, 8), (self.oversized, 8), (self.slow, 5),
            (self.leaving, 10), (self.hostile, 20), (self.foreign, 8), (self.wrong_parameter, 8),
        ]
        for _ in range(self.count):
            kind = self.random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]
            try:
                said = kind()
            except Exception as error:  # noqa: BLE001 - whatever happens is a finding
                said = f"{type(error).__name__}: {error}"
            self.tally[kind.__name__] += 1
            if said:
                self.failures.append(f"{kind.__name__}: {said}")

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
            self.server.post_photo(client, path)
            time.sleep(self.random.choice([0, 0.01, 0.05]))
        return None

    def hostile(self):
        port = self.server.port
        host = f"Host: 127.0.0.1:{port}\r\n"

        def chunked(more="", coding="chunked", method="POST /v1/depth"):
            return f"{method} HTTP/1.1\r\n{host}{more}Transfer-Encoding: {coding}\r\n\r\n".encode()

        cases = {
            "no request": (b"\r\n\r\n", {400}),
            "an empty line before a request": (f"\r\nGET /healthz HTTP/1.1\r\n{host}\r\n".encode(), {200}),
            "two empty lines before a request": (f"\r\n\r\nGET /healthz HTTP/1.1\r\n{host}\r\n".encode(), {400}),
            "a Kelvin sign": (chunked(coding="chun\u212aed") + b"5\r\nhello\r\n0\r\n\r\n", {400}),
            "a compressed body": (chunked("Content-Encoding: gzip\r\n") + b"5\r\nhello\r\n0\r\n\r\n", {415}),
            "a port with a sign": (f"GET / HTTP/1.1\r\nHost: 127.0.0.1:+{port}\r\n\r\n".encode(), {400}),
            "health without a host": (b"GET /healthz HTTP/1.1\r\n\r\n", {200}),
            "health of HTTP/1.0": (b"GET /healthz HTTP/1.0\r\n\r\n", {200}),
            "many parts": (
                f"POST /v1/depth HTTP/1.1\r\n{host}Content-Type: multipart/form-data; boundary=b\r\n"
                f"Content-Length: {9 * 1100}\r\n\r\n".encode() + b"--b\r\n\r\n\r\n" * 1100, {400, 503}),
            "zeros": (b"\0" * 100 + b"\r\n\r\n", {400}),
            "TLS": (bytes.fromhex("16030100c8010000c40303") + os.urandom(64).replace(b"\n", b"x") + b"\n\n", {400}),
            "HTTP 0.9": (b"GET /\r\n\r\n", {400}),
            "HTTP 3": (f"GET / HTTP/3.0\r\n{host}\r\n".encode(), {505}),
            "no host": (b"GET / HTTP/1.1\r\n\r\n", {400}),
            "two hosts": (f"GET / HTTP/1.1\r\n{host}{host}\r\n".encode(), {400}),
            "long line": (b"GET /" + b"a" * 30000 + b" HTTP/1.1\r\n\r\n", {431}),
            "many headers": (f"GET / HTTP/1.1\r\n{host}{'a: b' + chr(13) + chr(10)}".encode() + b"x: y\r\n" * 300 + b"\r\n", {431}),
            "folded header": (f"GET / HTTP/1.1\r\n{host}a: b\r\n c\r\n\r\n".encode(), {400}),
            "nonsense in chunks": (chunked() + b"5\r\nhello\r\n0\r\n\r\n", {400, 415, 422, 503}),
            "chunks and a length": (chunked("Content-Length: 5\r\n") + b"5\r\nhello\r\n0\r\n\r\n", {400}),
            "compressed chunks": (chunked(coding="gzip, chunked") + b"5\r\nhello\r\n0\r\n\r\n", {501}),
            "a trailer": (chunked() + b"5\r\nhello\r\n0\r\nName: value\r\n\r\n", {400, 503}),
            "a long extension": (chunked() + b"5;" + b"e" * 300 + b"\r\nhello\r\n0\r\n\r\n", {400, 503}),
            "a longer chunk": (chunked() + b"5\r\nhello!\r\n0\r\n\r\n", {400, 503}),
            "a chunk's size in words": (chunked() + b"0x5\r\nhello\r\n0\r\n\r\n", {400, 503}),
            "a chunk of many bytes": (chunked() + b"ffffffffff\r\nhello", {413, 503}),
            "chunks for a page": (chunked(method="GET /") + b"5\r\nhello\r\n0\r\n\r\n", {413}),
            "two lengths": (f"POST /v1/depth HTTP/1.1\r\n{host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello".encode(), {400}),
            "negative length": (f"POST /v1/depth HTTP/1.1\r\n{host}Content-Length: -5\r\n\r\n".encode(), {400}),
            "length in words": (f"POST /v1/depth HTTP/1.1\r\n{host}Content-Length: 0x10\r\n\r\n".encode(), {400}),
            "endless length": (f"POST /v1/depth HTTP/1.1\r\n{host}Content-Length: {'9' * 40}\r\n\r\n".encode(), {400}),
            "parent folders": (f"GET /../../etc/passwd HTTP/1.1\r\n{host}\r\n".encode(), {404}),
            "hidden zero": (f"GET /%00 HTTP/1.1\r\n{host}\r\n".encode(), {400}),
            "half an escape": (f"GET /%4 HTTP/1.1\r\n{host}\r\n".encode(), {400}),
            "not UTF-8": (f"GET /%ff%fe HTTP/1.1\r\n{host}\r\n".encode(), {400}),
            "unknown method": (f"BREW /v1/depth HTTP/1.1\r\n{host}\r\n".encode(), {405}),
            "wrong method": (f"GET /v1/depth HTTP/1.1\r\n{host}\r\n".encode(), {405}),
            "body for a page": (f"GET / HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello".encode(), {413}),
            "unknown photo": (f"GET /v1/photos/{'0' * 64}/depth HTTP/1.1\r\n{host}\r\n".encode(), {404, 503}),
            "unknown confidence": (f"GET /v1/photos/{'0' * 64}/confidence HTTP/1.1\r\n{host}\r\n".encode(), {404, 503}),
        }
        name, (data, statuses) = self.random.choice(list(cases.items()))
        status = self.server.raw(data)
        return None if status in statuses else f"{name}: status {status}, expected {statuses}"

    def foreign(self):
        headers, wanted = self.random.choice([
            ({"Host": "evil.example"}, 421), ({"Host": f"evil.example:{self.server.port}"}, 421),
            ({"Host": f"127.0.0.1:{self.server.port + 1}"}, 421), ({"Origin": "http://evil.example"}, 403),
            ({"Origin": "null"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Origin": f"http://localhost:{self.server.port}"}, 403),
        ])
        status, _, _ = self.server.request("POST", "/v1/depth", photo, headers)
        return None if status == wanted else f"{headers}: {status}, expected {wanted}"

    def wrong_parameter(self):
        path = self.random.choice([
            "/v1/depth?detail=7", "/v1/depth?calibration-factor=0", "/v1/depth?refine=magic", "/v1/depth?output=/tmp/x", "/v1/effect?effect=sepia",
            "/v1/effect?effect=blur", "/v1/effect?effect=blur&focus=2", "/v1/effect?effect=mask&focus=9000m",
            "/v1/effect?effect=blur&focus-at=99999,5", "/v1/effect?effect=haze&density=-1", "/v1/stereo?format=x",
            "/v1/stereo?format=sbs&output=/tmp/x", "/v1/effect?effect=blur&help", "/v1/stereo?format=left-right",
        ])
        status, answer = self.ask("POST", path, photo)
        return None if status == 400 and b"error" in answer else f"{path}: {status} {answer[:80]}"


same_answers = {}


def check_many(server):
    expected = expected_files()
    for kind in ["/v1/depth", "/v1/photos"]:
        server.request("POST", kind, photo)
    tally, failures = collections.Counter(), []
    memory = []
    # The first third warms up: threads, the cache of open photos, and pools have their size then.
    for part, share in enumerate([1, 2]):
        clients = [
            Client(server, expected, max(1, options.requests * share // 3 // options.clients),
                   options.seed * 1000 + part * 100 + index, tally, failures)
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
    if after > before + 150:
        failures.append(f"memory grew from {before} to {after} MB")
    if peak > 1200:
        failures.append(f"{peak} MB at the peak")
    if files > files_before + 2 or threads > threads_before + 8:
        failures.append(f"files {files_before} to {files}, threads {threads_before} to {threads}")
    status, answer, _ = server.request("GET", "/healthz")
    if status != 200 or json.loads(answer)["status"] != "ok":
        failures.append(f"at the end /healthz has status {status}")
    return failures


def check_forms(server):
    """What clients of all kinds send: forms, flags, targets with a host, a side that is closed."""
    failures = []

    def expect(name, found, wanted):
        if found != wanted:
            failures.append(f"{name}: {str(found)[:120]}, expected {str(wanted)[:120]}")

    _, plain, _ = server.request("POST", "/v1/depth", photo)
    form = (b'--xx\r\nContent-Disposition: form-data; name="refine"\r\n\r\njoint\r\n'
            b'--xx\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n'
            b"Content-Type: image/jpeg\r\n\r\n" + photo + b"\r\n--xx--\r\n")
    kind = {"Content-Type": 'multipart/form-data; boundary="xx"'}
    expect("a form", server.request("POST", "/v1/depth", form, kind)[:2], (200, plain))
    nameless = form.replace(b'; filename="a.jpg"', b"")
    expect("a form without a file name", server.request("POST", "/v1/depth", nameless, kind)[:2], (200, plain))
    # Node, Go and .NET send a body whose length they do not know in chunks; http.client does so for an iterator.
    for size in [1, 777, 65536]:
        pieces = (photo[start:start + size] for start in range(0, len(photo), size))
        expect(f"chunks of {size}", server.request("POST", "/v1/depth", pieces)[:2], (200, plain))
    expect("a form in chunks", server.request("POST", "/v1/depth", iter([form[:999], form[999:]]), kind)[:2], (200, plain))
    expect("a form without a file", server.request("POST", "/v1/depth", form[:80], kind)[0], 400)
    status, filled, _ = server.request("POST", "/v1/depth?fill", photo)
    expect("fill=true", server.request("POST", "/v1/depth?fill=true", photo)[:2], (status, filled))
    for text, wanted in [(b'fill"\r\n\r\ntrue', (200, filled)), (b'refine"\r\n\r\nsharp', None), (b'note"\r\n\r\nhello', None)]:
        found = server.request("POST", "/v1/depth", form.replace(b'refine"\r\n\r\njoint', text), kind)[:2]
        expect(f"a form with {text}", found if wanted else found[0], wanted or 400)
    expect("fill=false", server.request("POST", "/v1/depth?fill=false", photo)[:2], (200, plain))
    expect("fill=false elsewhere", server.request("POST", "/v1/effect?effect=haze&fill=false", photo)[0], 400)
    status, _, answer = server.request("GET", "/v1/depth")
    expect("a wrong method", (status, answer.getheader("Allow")), (405, "POST"))
    target = f"GET http://127.0.0.1:{server.port}/healthz HTTP/1.1\r\nHost: proxy.example\r\n\r\n"
    expect("a target with a host", server.raw(target.encode()), 200)
    expect("a target with another host", server.raw(target.replace("127.0.0.1", "evil.example").encode()), 421)
    with server.connect() as client:
        server.post_photo(client, "depth")
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while part := client.recv(65536):
            answer += part
        expect("a client that has closed its side", answer.endswith(plain), True)
    status, answer, _ = server.request(
        "POST", "/v1/effect?effect=blur&focus=0.5&radius=2%25&max-pixels=70000", photo,
        {"Accept": "application/x-ndjson"})
    lines = [json.loads(line) for line in answer.splitlines()]
    shares = [line["progress"] for line in lines[:-1]]
    expect("progress of a blur", (status, shares == sorted(shares), len(shares) > 5), (200, True, True))
    picture = base64.b64decode(lines[-1]["data"])
    expect("a blur of a reduced photo", (picture[:2], len(picture) < len(photo)), (b"\xff\xd8", True))
    # No answer to HEAD has a body, and 204 has no length.
    head = f"HEAD /nothing HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n"
    with server.connect() as client:
        client.sendall(head.encode())
        answer = b""
        while part := client.recv(65536):
            answer += part
    expect("a refused HEAD", (answer[9:12], answer.endswith(b"\r\n\r\n")), (b"404", True))
    answer = server.request("GET", "/favicon.ico")[2]
    expect("204", (answer.status, answer.getheader("Content-Length"), answer.getheader("Content-Type")), (204, None, None))
    # More heads that never end than there are places: others are served at once.
    slow = []
    for _ in range(70):
        client = server.connect()
        client.sendall(b"GET / HT")
        slow.append(client)
    expect("beside slow heads", server.request("GET", "/healthz")[0], 200)
    for client in slow:
        client.close()
    return failures


def check_focus(server):
    """The command and the server focus at one distance, and the nearest one is that of the map."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "own.jpg"
        made = [f"{folder}/d.pfm", "--depth-photo", str(path), "--weights", "compact", "--quiet"]
        subprocess.run([options.program, "predict", str(root / "Examples/living-room.jpg"), "-o", *made], check=True)
        own = path.read_bytes()
        distances = {}
        for word in ["nearest", "subject"]:
            made = ["effect", "blur", str(path), "--focus", word, "--overwrite", "--json"]
            line = subprocess.run([options.program, *made], check=True, capture_output=True).stdout
            distances[word] = str(json.loads(line)["focus_m"])
    focused = {word: server.request("POST", f"/v1/effect?effect=blur&focus={word}", own)[2].getheader("Focus-Distance") for word in distances}
    if focused != distances:
        failures.append(f"the server focuses at {focused}, the command at {distances}")
    line = server.request("POST", "/v1/effect?effect=blur&focus=nearest", photo, {"Accept": "application/x-ndjson"})[1].splitlines()[-1]
    near = json.loads(server.request("POST", "/v1/depth", photo, {"Accept": "application/json"})[1])["near_m"]
    if json.loads(line)["focus_m"] != near:
        failures.append(f"the nearest distance in focus is {json.loads(line)['focus_m']} m, that of the map {near} m")
    return failures


def check_limits():
    """A queue of one, a token, a body that never comes, and the end of a server that works."""
    failures = []
    token = "abcdefgh-12345678"
    server = Server("--queue", "1", "--token", token, "--max-megabytes", "1", "--max-pixels", "100000")
    right = {"Authorization": f"Bearer {token}"}
    _, _, answer = server.request("POST", "/v1/depth", photo)
    if answer.getheader("WWW-Authenticate") != "Bearer":
        failures.append(f"401 without WWW-Authenticate: {answer.getheaders()}")
    for headers, wanted in [({}, 401), ({"Authorization": f"bearer {token}"}, 413), ({"Authorization": f"Bearer {token}x"}, 401), (right, 413)]:
        status, _, _ = server.request("POST", "/v1/depth", photo, headers)
        if status != wanted:
            failures.append(f"{headers}: {status}, expected {wanted}")
    status, _, _ = server.request("GET", "/")
    if status != 200:
        failures.append(f"the page with a token: {status}")
    head = (f"POST /v1/depth HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {token}\r\n"
            "Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n").encode()
    with server.connect() as waiting:
        waiting.sendall(head)
        if not waiting.recv(100).startswith(b"HTTP/1.1 100"):
            failures.append("no 100 Continue")
        # A body on its way takes no place in the queue.
        status, _, _ = server.request("POST", "/v1/depth", photo, right)
        if status != 413:
            failures.append(f"beside a body that is received: {status}")
        # Slower than anybody's network.
        start = time.monotonic()
        waiting.sendall(b"x")
        if b" 408 " not in waiting.recv(100) or time.monotonic() - start > 25:
            failures.append("a body that does not come is not refused in time")
        # The head of another connection is given ten seconds.
        with server.connect() as silent:
            silent.sendall(b"GET / HT")
            start = time.monotonic()
            if b" 408 " not in silent.recv(100) or not 5 < time.monotonic() - start < 20:
                failures.append("a head that never ends is not refused in time")
        start = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        if server.process.wait(300) != 0 or time.monotonic() - start > 15:
            failures.append(f"the end: status {server.process.returncode}, {time.monotonic() - start:.1f} s")
    return failures


def check_crowds():
    """More clients than places: first come, first served, and an answer for each."""
    failures = []
    server = Server("--queue", "64", "--timeout", "60", "--weights", "compact")
    statuses = collections.Counter()

    def ask(count, path, body):
        for _ in range(count):
            try:
                statuses[server.request("POST", path, body)[0]] += 1
            except OSError as error:
                statuses[type(error).__name__] += 1

    def crowd(clients, count, path, body):
        statuses.clear()
        threads = [threading.Thread(target=ask, args=(count, path, body)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return dict(statuses)

    found = crowd(32, 4, "/v1/depth", photo)
    if set(found) != {200}:
        failures.append(f"32 clients: {found}")
    found = crowd(150, 1, "/v1/depth?refine=none", photo)
    if set(found) - {200, 503} or not found.get(200):
        failures.append(f"150 clients at once: {found}")
    # A body of dashes, and one of tiny parts, cost next to nothing.
    before = server.status("VmRSS")
    kind = {"Content-Type": "multipart/form-data; boundary=" + "-" * 60 + "x"}
    for body in [b"-" * (60 << 20), b"\r\n" * (30 << 20)]:
        status = server.request("POST", "/v1/depth", body, kind)[0]
        if status != 400:
            failures.append(f"a form of {body[:2]}: {status}")
    tiny = {"Content-Type": "multipart/form-data; boundary=b"}
    status = server.request("POST", "/v1/depth", b"--b\r\n\r\n\r\n" * (6 << 20), tiny)[0]
    if status != 400:
        failures.append(f"a form of tiny parts: {status}")
    if server.status("VmHWM") - before > 350 << 10:
        failures.append(f"forms took {(server.status('VmHWM') - before) >> 10} MB")
    # Those that are worked on are answered at the end, and nobody else.
    clients = [server.connect() for _ in range(3)]
    for client in clients:
        server.post_photo(client, "depth")
    time.sleep(0.5)
    server.process.send_signal(signal.SIGTERM)
    for client in clients:
        if not client.recv(100).startswith(b"HTTP/1.1 200"):
            failures.append("a request that is worked on has no answer at SIGTERM")
        client.close()
    if server.process.wait(300) != 0:
        failures.append(f"the end: status {server.process.returncode}")
    return failures


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
    failures = []
    if not shutil.which("cc"):
        print("  no C compiler for a decoder that hangs")
        return failures
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "webp.c"
        source.write_text(hanging)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", f"{folder}/libwebp.so.7", source], check=True)
        server = Server("--timeout", "1", "--weights", "compact", environment={"LD_LIBRARY_PATH": folder})

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

        status, _, _ = server.request("POST", "/v1/depth", webp)
        if status != 504 or not has_ended():
            failures.append(f"a decoder that hangs: {status}, {children()} children")
        with server.connect() as client:
            client.sendall(f"POST /v1/depth HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                           f"Content-Length: {len(webp)}\r\n\r\n".encode() + webp)
            time.sleep(0.3)
        if not has_ended():
            failures.append("a decoder goes on without its client")
        if server.request("POST", "/v1/depth", photo)[0] != 200:
            failures.append("no answer beside a decoder that hung")
        server.process.send_signal(signal.SIGTERM)
        if server.process.wait(300) != 0:
            failures.append(f"the end: status {server.process.returncode}")
    return failures


def check_descriptors():
    """Without free descriptors a client is told so, and the server goes on when there are some again."""
    failures = []
    server = Server("--weights", "compact", wrapper=["prlimit", "--nofile=40:40"])
    idle = [server.connect() for _ in range(34)]
    answers = collections.Counter()
    for _ in range(5):
        answers[server.raw(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())] += 1
    if set(answers) - {200, 503}:
        failures.append(f"without descriptors: {dict(answers)}")
    for client in idle:
        client.close()
    time.sleep(0.5)
    if server.request("GET", "/healthz")[0] != 200:
        failures.append("the server does not go on with descriptors")
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(300)
    return failures


def check_names():
    """A token in a file, and a further name."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "token"
        path.write_text("abcdefgh-12345678\n")
        server = Server("--token-file", str(path), "--allow-host", "Laptop.local", "--weights", "compact")
    if "token" in server.address:
        failures.append(f"--quiet prints {server.address}")
    right = {"Authorization": "Bearer abcdefgh-12345678", "Accept": "application/json"}
    for headers, wanted in [({}, 401), ({"Host": "laptop.local"}, 200), ({"Host": "laptop.local:1234"}, 200),
                            ({"Host": "depth.local"}, 421),
                            ({"Host": "laptop.local", "Origin": "https://laptop.local"}, 200),
                            ({"Host": "laptop.local", "Origin": "https://evil.example"}, 403)]:
        status, _, _ = server.request("POST", "/v1/depth", photo, {**right, **headers} if headers else {})
        if status != wanted:
            failures.append(f"{headers}: {status}, expected {wanted}")
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(300)
    return failures


def check_end():
    """SIGINT while photos are under way."""
    server = Server()
    clients = [server.connect() for _ in range(4)]
    for client in clients:
        server.post_photo(client, "effect?effect=blur&focus=0.1&radius=9%25")
    time.sleep(0.1)
    server.process.send_signal(signal.SIGINT)
    status = server.process.wait(300)
    for client in clients:
        client.close()
    return [] if status == 0 else [f"the end by SIGINT while it works: status {status}"]


failures = []
print(f"{options.requests} requests from {options.clients} clients")
server = Server("--cache-megabytes", "64")
try:
    failures += check_forms(server)
    failures += check_focus(server)
    failures += check_many(server)
finally:
    server.process.send_signal(signal.SIGTERM)
    if server.process.wait(300) != 0:
        failures.append(f"the end: status {server.process.returncode}")
print("limits, and the end")
failures += check_limits()
failures += check_names()
failures += check_end()
print("crowds, decoders and descriptors")
failures += check_crowds()
failures += check_decoder()
failures += check_descriptors()
for failure in failures[:40]:
    print(f"check-server: {failure}", file=sys.stderr)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
