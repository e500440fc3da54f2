"""A headless Chromium, driven by Selenium; needs Debian's `python3-selenium` and `chromium-driver`."""

import json
import shutil

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from checking import folder


KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class PageFailure(Exception):
    """A script of the page threw, or what was waited for never came."""


class Browser(webdriver.Chrome):
    """`with Browser() as browser:` starts a browser with a profile of its own, and ends it. It has one tab at a time."""

    def __init__(self, webgl=True, camera=None):
        """`camera` is a Y4M film that the browser has for a camera."""
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio", "--disable-component-update",
                 "--force-color-profile=srgb", "--hide-scrollbars", "--disable-extensions"]
        flags += ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if webgl else ["--disable-gpu", "--disable-3d-apis"]
        if camera:
            flags += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={camera}"]
        for flag in flags:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        super().__init__(options=options, service=Service(shutil.which("chromedriver")))

    def page(self, **settings):
        """The tab, empty and with other settings."""
        self.get("about:blank")
        return Page(self, **settings)


class Page:
    """A tab. Input and emulation go to the browser's own protocol, for points of a picture and touches."""

    def __init__(self, driver, width=1360, height=860, scheme="light", touch=False, scale=1, motion="no-preference"):
        self.driver, self.scheme, self.motion = driver, scheme, motion
        self.complaints(), self.requests()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        self.emulate()
        self.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder / "saved"))

    def call(self, method, **values):
        return self.driver.execute_cdp_cmd(method, values)

    def complaints(self):
        """Errors and warnings since the last call, without the browser's own words about slow reading of pictures."""
        said = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        return [text for text in said if "GPU stall" not in text and "willReadFrequently" not in text]

    def requests(self):
        """Addresses that were asked since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def emulate(self, scheme=None):
        """Another color scheme, or the page's own again."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme or self.scheme}, {"name": "prefers-reduced-motion", "value": self.motion}])

    def run(self, script):
        """The value of an expression, awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise PageFailure(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def wait(self, script, seconds=60):
        """Waits until an expression is true."""
        try:
            WebDriverWait(self.driver, seconds, 0.03).until(lambda _: self.run(script))
        except TimeoutException:
            raise PageFailure(f"never true: {script}; the page said {self.complaints()}") from None

    def hold(self, owner, name, go):
        """Makes the next call of a method wait until the page's function `go` is called."""
        self.run(f"""(() => {{ const own = {owner}.{name}.bind({owner});
          {owner}.{name} = async (...all) => {{ {owner}.{name} = own; await new Promise(go => {{ window.{go} = go; }}); return own(...all); }}; }})()""")

    def middle(self, selector, across=0.5, down=0.5):
        return self.run(f"(b => [b.left + b.width * {across}, b.top + b.height * {down}])"
                        f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")

    def place(self, selector, across, down):
        """A place of an element, scrolled into sight."""
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
        return dict(zip("xy", self.middle(selector, across, down)))

    def drop(self, paths, selector="body"):
        """Drags files from the file system onto an element."""
        x, y = self.middle(selector)
        for kind in ["dragEnter", "dragOver", "drop"]:
            self.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data={"items": [], "files": paths, "dragOperationsMask": 1})

    def click(self, selector, across=0.5, down=0.5):
        place = self.place(selector, across, down)
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def tap(self, selector, across=0.5, down=0.5):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[self.place(selector, across, down)])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name, times=1, shift=False):
        for kind in ["keyDown", "keyUp"] * times:
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=KEYS[name],
                      text="\r" if name == "Enter" else "", modifiers=8 if shift else 0)
