"""A running `depth serve`, and the faults of its answers, for check-server.py and check-page.py."""

import http.client
import os
import pathlib
import signal
import socket
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
failures = []


def check(is_right, text):
    if not is_right:
        failures.append(text)
        print(f"{pathlib.Path(sys.argv[0]).stem}: {text}", file=sys.stderr)


def expect(name, found, wanted):
    check(found == wanted, f"{name}: {str(found)[:120]}, expected {str(wanted)[:120]}")


class Server:
    """`with Server(program, …) as server:` starts a server, and ends it by SIGTERM; `end` does so by any signal."""

    def __init__(self, program, *arguments, environment={}, wrapper=[]):
        self.process = subprocess.Popen(
            [*wrapper, program, "serve", "--port", "0", "--quiet", *arguments], stdout=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), f"the server said {self.address!r}"
        self.port = int(self.address.split("/")[2].split(":")[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.end()

    def end(self, by=signal.SIGTERM, meanwhile=lambda: None):
        self.process.send_signal(by)
        meanwhile()
        expect(f"the end by {by.name}: status", self.process.wait(300), 0)

    def status(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))

    @property
    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def post(self, client, path, photo):
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
