"""What all checks of the page share: what went wrong, the program, and steps that a person takes."""

import pathlib
import subprocess
import sys
import tempfile

import numpy

failures = []
folder = pathlib.Path(tempfile.mkdtemp(prefix="depth-page-"))
root = pathlib.Path(__file__).resolve().parents[3]
# The program, and a folder for pictures of the page; set by check-page.py.
program = pictures = None


def check(isRight, text):
    if not isRight:
        failures.append(text)
        print(f"check-page: {text}", file=sys.stderr)


def read_pfm(path):
    data = pathlib.Path(path).read_bytes()
    lines = data.split(b"\n", 3)
    width, height = map(int, lines[1].split())
    return numpy.frombuffer(lines[3], "<f4").reshape(height, width)[::-1]


def rgb(page, selector):
    width, height, data = page.pixels(selector)
    return numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)[..., :3].astype(int)


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


def open_photo(page, path):
    # A photo that is open already says nothing about this one.
    page.run("document.body.dataset.shown = ''")
    page.drop([str(path)])
    page.wait("!document.body.classList.contains('working') && document.body.dataset.state === 'open'"
                    " && document.body.dataset.shown !== ''")


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


def enter(page, selector, text):
    page.run(f"(() => {{ const i = document.querySelector({selector!r}); i.value = {text!r}; i.form.requestSubmit(); }})()")


def depth(*arguments):
    subprocess.run([program, *map(str, arguments), "--quiet"], check=True)


def serve(*arguments):
    """A server of the page on a port of its own, and its address."""
    server = subprocess.Popen([program, "serve", "--port", "0", "--quiet", *arguments], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()
