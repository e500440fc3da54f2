"""A headless Chromium, driven over the DevTools protocol; needs Python's `websockets`."""

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
import urllib.request

import websockets

from page import Page, PageFailure, end


class Browser:
    """`async with Browser() as browser:` starts a browser with a profile of its own, and ends it."""

    def __init__(self, webgl=True, camera=None):
        """`camera` is a Y4M film that the browser has for a camera."""
        self.webgl, self.camera = webgl, camera

    async def __aenter__(self):
        self.profile = tempfile.mkdtemp(prefix="depth-browser-")
        flags = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--remote-debugging-port=0", f"--user-data-dir={self.profile}", "--force-color-profile=srgb",
            "--hide-scrollbars", "--disable-extensions",
        ]
        flags += ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if self.webgl \
            else ["--disable-gpu", "--disable-3d-apis"]
        if self.camera:
            flags += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
                      f"--use-file-for-fake-video-capture={self.camera}"]
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        self.process = subprocess.Popen(
            [program, *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile})
        self.port = await self._port()
        return self

    async def __aexit__(self, *_):
        await end(self.process, self.profile)

    async def _port(self):
        path = os.path.join(self.profile, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(path):
                lines = open(path).read().split("\n")
                if len(lines) > 1:
                    return int(lines[0])
            await asyncio.sleep(0.1)
        raise PageFailure("the browser does not start")

    async def page(self, **settings):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request))
        page = ChromiumPage(await websockets.connect(target["webSocketDebuggerUrl"], max_size=1 << 28))
        await page.prepare(**settings)
        return page


class ChromiumPage(Page):
    """One tab."""

    async def prepare(self, width=1360, height=860, scheme="light", touch=False, scale=1, motion="no-preference"):
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"]:
            await self.call(f"{domain}.enable")
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.scheme, self.motion = scheme, motion
        await self.emulate()
        if touch:
            await self.call("Emulation.setTouchEmulationEnabled", enabled=True)

    async def emulate(self, scheme=None):
        """Another color scheme, or the page's own again."""
        await self.call(
            "Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme or self.scheme},
                {"name": "prefers-reduced-motion", "value": self.motion}])

    def note(self, method, values):
        match method:
            case "Runtime.consoleAPICalled" if values["type"] in ("error", "warning", "assert"):
                self.complaints.append(str([a.get("value", a.get("description")) for a in values["args"]]))
            case "Runtime.exceptionThrown":
                details = values["exceptionDetails"]
                self.complaints.append(details.get("exception", {}).get("description", details["text"]))
            case "Log.entryAdded" if values["entry"]["level"] in ("error", "warning"):
                self.complaints.append(values["entry"]["text"] + " " + values["entry"].get("url", ""))
            case "Network.requestWillBeSent":
                self.requests.append(values["request"]["url"])

    def failure(self, message):
        return message["error"]["message"] if "error" in message else None

    async def run(self, script):
        """The value of an expression, awaited."""
        result = await self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise PageFailure(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    async def open(self, address):
        await self.call("Page.navigate", url=address)
        await self.wait("document.readyState === 'complete'")

    async def drop(self, paths, selector="body"):
        """Drags files from the file system onto an element."""
        x, y = await self.middle(selector)
        data = {"items": [], "files": paths, "dragOperationsMask": 1}
        for kind in ["dragEnter", "dragOver", "drop"]:
            await self.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    async def click(self, selector, across=0.5, down=0.5):
        x, y = await self.place(selector, across, down)
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def tap(self, selector, across=0.5, down=0.5):
        x, y = await self.place(selector, across, down)
        await self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def key(self, name, code=0, text="", shift=False):
        for kind in ["keyDown", "keyUp"]:
            await self.call(
                "Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code, text=text,
                modifiers=8 if shift else 0)

    async def screenshot(self, path):
        await self.save_screenshot(path, "Page.captureScreenshot", format="png")
