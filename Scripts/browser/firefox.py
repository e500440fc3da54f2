"""A headless Firefox, driven over WebDriver BiDi, which it speaks itself; needs Python's `websockets`."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import tempfile

import websockets

from page import Page, PageFailure, end

program = shutil.which("firefox-esr") or shutil.which("firefox")
# Files are saved without a question; nothing is asked of the browser's maker.
preferences = {
    "browser.download.folderList": 2, "browser.download.useDownloadDir": True, "browser.download.alwaysOpenPanel": False,
    "browser.shell.checkDefaultBrowser": False, "browser.aboutwelcome.enabled": False, "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False, "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False, "extensions.getAddons.cache.enabled": False,
    "browser.safebrowsing.update.enabled": False,
}


class Firefox:
    """`async with Firefox(folder) as browser:` starts a browser with a profile of its own, which saves into a folder."""

    def __init__(self, downloads):
        self.downloads = downloads

    async def __aenter__(self):
        self.profile = tempfile.mkdtemp(prefix="depth-firefox-")
        with open(os.path.join(self.profile, "user.js"), "w") as file:
            for name, value in {**preferences, "browser.download.dir": str(self.downloads)}.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        log = open(os.path.join(self.profile, "log.txt"), "w")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0", "about:blank"],
            stdout=log, stderr=log, env={**os.environ, "HOME": self.profile, "MOZ_HEADLESS": "1"})
        return self

    async def __aexit__(self, *_):
        await end(self.process, self.profile)

    async def _address(self):
        for _ in range(600):
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", open(os.path.join(self.profile, "log.txt")).read())
            if found:
                return found[1]
            await asyncio.sleep(0.1)
        raise PageFailure("Firefox does not start")

    async def page(self, width=1360, height=860):
        page = FirefoxPage(await websockets.connect(f"{await self._address()}/session", max_size=1 << 28))
        await page.prepare(width, height)
        return page


class FirefoxPage(Page):
    """One tab, with the methods that the checks have for Chromium's."""

    async def prepare(self, width, height):
        await self.call("session.new", capabilities={})
        await self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = (await self.call("browsingContext.create", type="tab"))["context"]
        await self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def note(self, method, values):
        if method == "log.entryAdded" and values["level"] in ("error", "warn"):
            self.complaints.append(values["text"])
        elif method == "network.beforeRequestSent" and values["context"] == self.context:
            self.requests.append(values["request"]["url"])

    def failure(self, message):
        return f"{message['error']}, {message['message']}" if message["type"] == "error" else None

    async def _evaluate(self, script):
        result = await self.call(
            "script.evaluate", expression=script, target={"context": self.context}, awaitPromise=True, userActivation=True)
        if result["type"] == "exception":
            raise PageFailure(result["exceptionDetails"]["text"])
        return result["result"]

    async def run(self, script):
        """The value of an expression, awaited."""
        text = (await self._evaluate(f"(async () => JSON.stringify(await ({script.rstrip().rstrip(';')})))()")).get("value")
        return None if text is None else json.loads(text)

    async def open(self, address):
        await self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    async def drop(self, paths, selector="body"):
        """Drops files on an element: those of an input that a person would not see."""
        await self._evaluate("window.dropped = Object.assign(document.createElement('input'), { type: 'file', multiple: true })")
        element = await self._evaluate("document.body.appendChild(dropped)")
        await self.call("input.setFiles", context=self.context, element={"sharedId": element["sharedId"]}, files=paths)
        await self.run(f"""(() => {{ const dataTransfer = new DataTransfer(), element = document.querySelector({json.dumps(selector)});
          for (const file of dropped.files) dataTransfer.items.add(file);
          dropped.remove();
          for (const kind of ['dragenter', 'dragover', 'drop'])
            element.dispatchEvent(new DragEvent(kind, {{ bubbles: true, cancelable: true, dataTransfer }})); }})()""")

    async def click(self, selector, across=0.5, down=0.5):
        x, y = await self.place(selector, across, down)
        await self.call("input.performActions", context=self.context, actions=[{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    async def key(self, name, code=0, text=""):
        codes = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007"}
        value = codes.get(name, name)
        await self.call("input.performActions", context=self.context, actions=[
            {"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]}])

    async def screenshot(self, path):
        await self.save_screenshot(path, "browsingContext.captureScreenshot", context=self.context)
