"""The program, and steps that a person takes: what all checks of the page share."""

import base64
import contextlib
import pathlib
import subprocess
import tempfile
import time

import numpy
from PIL import Image

import served
from served import check, root  # noqa: F401 - for the checks

folder = pathlib.Path(tempfile.mkdtemp(prefix="depth-page-"))
(folder / "saved").mkdir()
# The program, and a folder for pictures of the page; set by check-page.py.
program = pictures = None


def expect(page, script, wanted, text):
    """Compares the value of an expression."""
    found = page.run(script)
    check(found == wanted, f"{text} {found}, expected {wanted}")


def difference(shown, wanted):
    """Of two pictures on average, in 255ths."""
    return numpy.abs(shown - wanted).mean() if shown.shape == wanted.shape else 999


def picture(path):
    return numpy.asarray(Image.open(path).convert("RGB")).astype(int)


def read_pfm(path):
    data = pathlib.Path(path).read_bytes()
    lines = data.split(b"\n", 3)
    width, height = map(int, lines[1].split())
    return numpy.frombuffer(lines[3], "<f4").reshape(height, width)[::-1]


def rgb(page, selector):
    """Rows of a canvas."""
    width, height, text = page.run(
        f"(() => {{ const c = document.querySelector({selector!r});"
        " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let t = '';"
        " for (let i = 0; i < d.length; i += 32768) t += String.fromCharCode(...d.subarray(i, i + 32768));"
        " return [c.width, c.height, btoa(t)]; })()")
    return numpy.frombuffer(base64.b64decode(text), numpy.uint8).reshape(height, width, 4)[..., :3].astype(int)


def screenshot(page, name):
    if pictures:
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
        page.driver.save_screenshot(f"{pictures}/{name}.png")


def check_quiet(page, name, *addresses):
    """Nothing on the console, no request but to these addresses, nothing wider than the window."""
    check(not (said := page.complaints()), f"{name}: the console says {said}")
    others = [url for url in page.requests() if not url.startswith((*addresses, "blob:", "data:", "about:"))]
    check(not others, f"{name}: asked for {others}")
    scroll, width = page.run("[document.documentElement.scrollWidth, innerWidth]")
    check(scroll <= width, f"{name}: {scroll} pixels wide in a window of {width}")


def open_photo(page, *paths):
    # A photo that is open already says nothing about this one.
    page.run("document.body.dataset.shown = ''")
    page.drop([str(path) for path in paths])
    page.wait("!document.body.classList.contains('working') && document.body.dataset.state === 'open' && document.body.dataset.shown !== ''")


def choose(page, mode):
    page.run("document.body.dataset.shown = ''")
    # A click on what is chosen already changes nothing.
    page.run(f"(i => i.checked ? choose('{mode}') : i.click())(document.querySelector('#modes [value={mode}]'))")
    page.wait(f"document.body.dataset.shown === '{mode}'")


def box(page, selector):
    return page.run(f"(b => [b.left, b.top, b.right, b.bottom])(document.querySelector({selector!r}).getBoundingClientRect())")


def tap_points(page, *shares):
    """Taps the photo and gives the pixels that were measured from."""
    for across, down in shares:
        page.click("#photo", across, down)
    return [(point["x"], point["y"]) for point in page.run("measure.points")]


def set_value(page, selector, value, event="input"):
    page.run(f"(e => {{ e.value = {value!r}; e.dispatchEvent(new Event('{event}')); }})(document.querySelector({selector!r}))")


def enter(page, selector, text):
    page.run(f"(() => {{ const i = document.querySelector({selector!r}); i.value = {text!r}; i.form.requestSubmit(); }})()")


def arrived(page, path):
    """Waits for a file that the page saves."""
    for _ in range(1200):
        if path.exists() and path.stat().st_size:
            break
        time.sleep(0.05)
    check(path.exists(), f"{path.name} is not saved, but {[p.name for p in path.parent.iterdir()]}")
    page.wait("!document.body.classList.contains('working')")
    return path


def depth(*arguments):
    subprocess.run([program, *map(str, arguments), "--quiet"], check=True)


@contextlib.contextmanager
def serve(*arguments):
    """The address of a server of the page on a port of its own, which must end well."""
    with served.Server(program, *arguments) as server:
        yield server.address
