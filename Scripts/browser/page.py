"""What tabs of all browsers have in common: messages over a WebSocket, and what is done with scripts of the page alone."""

import asyncio
import base64
import json
import shutil
import subprocess

import websockets


class PageFailure(Exception):
    """A script of the page threw, or the page said something on its console."""


async def end(process, profile):
    """Ends a browser and removes its profile."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    shutil.rmtree(profile, ignore_errors=True)


class Page:
    """One tab. A browser's own tab has `note`, `failure` and `run`, and what needs its protocol."""

    def __init__(self, socket):
        self.socket, self.number, self.answers = socket, 0, {}
        # What the page said on its console, errors of scripts and of loading, and requests.
        self.complaints, self.requests = [], []
        self.reader = asyncio.create_task(self._read())

    async def _read(self):
        try:
            async for text in self.socket:
                message = json.loads(text)
                if "id" in message:
                    self.answers.pop(message["id"]).set_result(message)
                else:
                    self.note(message["method"], message["params"])
        except websockets.exceptions.ConnectionClosed:
            pass  # The browser has ended.

    async def call(self, method, **values):
        self.number += 1
        answer = asyncio.get_running_loop().create_future()
        self.answers[self.number] = answer
        await self.socket.send(json.dumps({"id": self.number, "method": method, "params": values}))
        message = await asyncio.wait_for(answer, 60)
        if failure := self.failure(message):
            raise PageFailure(f"{method}: {failure}")
        return message["result"]

    async def wait(self, script, seconds=60):
        """Waits until an expression is true."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not await self.run(script):
            if asyncio.get_running_loop().time() > deadline:
                raise PageFailure(f"never true: {script}; the page said {self.complaints}")
            await asyncio.sleep(0.03)

    async def middle(self, selector, across=0.5, down=0.5):
        return await self.run(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            f" return [b.left + b.width * {across}, b.top + b.height * {down}]; }})()")

    async def place(self, selector, across, down):
        """A place of an element, scrolled into sight."""
        await self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
        return await self.middle(selector, across, down)

    async def pixels(self, selector):
        """Width, height and RGBA bytes of a canvas."""
        width, height, text = await self.run(
            f"(() => {{ const c = document.querySelector({json.dumps(selector)});"
            " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let t = '';"
            " for (let i = 0; i < d.length; i += 32768) t += String.fromCharCode(...d.subarray(i, i + 32768));"
            " return [c.width, c.height, btoa(t)]; })()")
        return width, height, base64.b64decode(text)

    async def save_screenshot(self, path, method, **values):
        result = await self.call(method, **values)
        with open(path, "wb") as file:
            file.write(base64.b64decode(result["data"]))
