#!/usr/bin/env python3
"""Tries the page of `depth serve` in a headless Chromium, as a person would, and compares what it shows.

    Scripts/check-page.py [--program PATH] [--screenshots FOLDER]
    Scripts/check-page.py --file PAGE.html --depth MAP.pfm

The second form opens a page that carries its photo, from the file system, and compares its map with a file.
Needs Chromium and Python's websockets, Pillow and NumPy (Scripts/install-test-tools.sh); without them it says
so and ends with status 77.
"""

import argparse
import asyncio
import base64
import io
import json
import pathlib
import re
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import urllib.request

try:
    import numpy
    import websockets  # noqa: F401
    from PIL import Image
except ImportError as error:
    print(f"check-page: {error.name} is not installed, nothing was checked")
    sys.exit(77)
if not any(shutil.which(name) for name in ["chromium", "chromium-browser", "google-chrome"]):
    print("check-page: no Chromium is installed, nothing was checked")
    sys.exit(77)

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "Scripts/browser"))
from chromium import Browser  # noqa: E402

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--program", default=str(root / ".build/release/depth"))
options.add_argument("--screenshots", help="folder for pictures of the page")
options.add_argument("--file", help="a page that carries its photo")
options.add_argument("--depth", help="the map of --file, PFM")
options = options.parse_args()
failures = []
folder = pathlib.Path(tempfile.mkdtemp(prefix="depth-page-"))


def check(isRight, text):
    if not isRight:
        failures.append(text)
        print(f"check-page: {text}", file=sys.stderr)


def depth(*arguments):
    subprocess.run([options.program, *map(str, arguments), "--quiet"], check=True)


def read_pfm(path):
    data = pathlib.Path(path).read_bytes()
    lines = data.split(b"\n", 3)
    width, height = map(int, lines[1].split())
    return numpy.frombuffer(lines[3], "<f4").reshape(height, width)[::-1]


async def rgb(page, selector):
    width, height, data = await page.pixels(selector)
    return numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4)[..., :3].astype(int)


async def screenshot(page, name):
    if options.screenshots:
        pathlib.Path(options.screenshots).mkdir(parents=True, exist_ok=True)
        await page.screenshot(f"{options.screenshots}/{name}.png")


def complaints(page):
    """What the page said, without the browser's own words about slow reading of pictures."""
    said = [text for text in page.complaints if "GPU stall" not in text and "willReadFrequently" not in text]
    page.complaints.clear()
    return said


async def check_quiet(page, name, address):
    check(not (said := complaints(page)), f"{name}: the console says {said}")
    others = [url for url in page.requests if not url.startswith((address, "blob:", "data:", "about:"))]
    check(not others, f"{name}: asked for {others}")
    scroll, width = await page.run("[document.documentElement.scrollWidth, innerWidth]")
    check(scroll <= width, f"{name}: {scroll} pixels wide in a window of {width}")


async def open_photo(page, path):
    # A photo that is open already says nothing about this one.
    await page.run("document.body.dataset.shown = ''")
    await page.drop([str(path)])
    await page.wait("!document.body.classList.contains('working') && document.body.dataset.state === 'open'"
                    " && document.body.dataset.shown !== ''")


async def choose(page, mode):
    await page.run("document.body.dataset.shown = ''")
    # A click on what is chosen already changes nothing.
    await page.run(f"(i => i.checked ? choose('{mode}') : i.click())(document.querySelector('#modes [value={mode}]'))")
    await page.wait(f"document.body.dataset.shown === '{mode}'")


async def check_first_look(page, photo):
    """The photo while its depth is estimated; colors with shape everywhere; a line between photo and effect."""
    await page.run("""(() => { const open = server.open.bind(server);
      server.open = async (...all) => { await new Promise(go => { window.letGo = go; }); server.open = open; return open(...all); };
    })()""")
    await page.drop([str(photo)])
    await page.wait("document.body.dataset.state === 'estimating'")
    plain = numpy.asarray(Image.open(photo).convert("RGB")).astype(int)
    shown = await rgb(page, "#photo")
    off = numpy.abs(shown - plain).mean() if shown.shape == plain.shape else 999
    check(off < 1, f"while estimating the photo is {off:.1f} / 255 off")
    x, y = await page.middle("#photo")
    top = await page.run(f"document.elementFromPoint({x}, {y}).id")
    check(top == "photo", f"while estimating {top} covers the photo")
    await screenshot(page, "estimating")
    await page.run("letGo()")
    await page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working')")
    await screenshot(page, "first-look")

    colors = await rgb(page, "#depth")
    metres = numpy.array(await page.run("Array.from(open.map.values)")).reshape(colors.shape[:2])
    light = colors @ [0.299, 0.587, 0.114]
    check((light < 60).mean() < 0.05, f"{(light < 60).mean():.0%} of the depth is near black")
    # Each tenth of the pixels, by distance, has a color of its own.
    tenths = numpy.digitize(metres, numpy.quantile(metres, numpy.arange(0.1, 1, 0.1)))
    means = numpy.array([colors[tenths == tenth].mean(0) for tenth in range(10)])
    steps = numpy.abs(numpy.diff(means, axis=0)).max(1)
    check(steps.min() >= 6, f"tenths of the pixels by distance differ by {steps.round()} / 255")

    await page.run("document.body.dataset.drawn = ''")
    await choose(page, "blur")
    near, far = await page.run("[open.map.at(chosen.focus.x, chosen.focus.y), open.map.quantile(0.5)]")
    check(near < far, f"the focus is at {near:.2f} m, half of the photo is nearer than {far:.2f} m")
    check(await page.run("document.querySelectorAll('#settings .iris').length") == 2, "no pictures of openings")
    await page.wait("document.body.dataset.drawn === 'effect 640'")
    effect = await rgb(page, "#photo")
    check(numpy.abs(effect - plain).mean() > 1.5, "the lens blur of the first look blurs nothing")
    await page.click("#compare")
    check((numpy.abs(await rgb(page, "#before") - plain) <= 1).all(), "the left of the line is not the photo")
    check((await rgb(page, "#photo") == effect).all(), "the right of the line is not the effect")
    await page.run("document.getElementById('divider').focus()")
    for key, code, share in [("End", 35, 100), ("PageDown", 34, 80), ("ArrowLeft", 37, 78)]:
        await page.key(key, code)
        said = await page.run("[document.getElementById('divider').ariaValueNow, document.getElementById('before').style.clipPath]")
        check(said == [str(share), f"inset(0px {100 - share}% 0px 0px)"], f"{key} moves the line to {said}, expected {share} %")
    await page.key("Home", 36)
    for _ in range(2):
        await page.key("PageUp", 33)
    await screenshot(page, "compare")
    await page.click("#compare")
    check(await page.run("document.getElementById('divider').hidden"), "the line stays")


async def check_subject(page):
    """The nearest large thing of maps that are known: a level floor, a wall, a box on the floor and a speck before it."""
    for width, height in [(640, 480), (300, 500)]:
        y, x = numpy.mgrid[:height, :width]
        floor = 1.4 * 0.8 * width / numpy.maximum(y + 0.5 - height / 2, 1e-3)
        metres = numpy.minimum(5, floor)
        for distance, share, place in [(2.2, 0.3, 0.55), (1.5, 0.05, 0.1)]:
            side = int(share * width)
            bottom = int(min(height, height / 2 + 1.4 * 0.8 * width / distance))
            left = int(place * width)
            metres[bottom - side:bottom, left:left + side] = distance
        values = metres.astype("<f4").ravel().tolist()
        where = await page.run(f"nearestThing(new DepthMap({height}, {width}, new Float32Array({values})))")
        found = metres[where["y"], where["x"]]
        check(found == 2.2, f"the nearest large thing of a known map is at {found:.2f} m, expected 2.2 m")
    empty = await page.run("nearestThing(new DepthMap(3, 4, new Float32Array(12)))")
    check(empty is None, f"a map without a value has its nearest thing at {empty}")
    level = await page.run("nearestThing(new DepthMap(1, 1, new Float32Array([2])))")
    check(level == {"x": 0, "y": 0}, f"a map of one pixel has its nearest thing at {level}")


async def check_tour(page, address):
    """Three photos, and less than 400 kB in all."""
    sizes = {}
    for name in ["", "example.jpg", "armchair.jpg", "doorway.jpg"]:
        with urllib.request.urlopen(address + name) as answer:
            sizes[name or "page"] = len(answer.read())
    total = sum(sizes.values())
    print(f"  page and photos: {total / 1000:.0f} kB")
    check(total <= 400_000, f"page and photos are {total} bytes: {sizes}")
    await page.click("#tourstart")
    for step, mode in enumerate(["photo", "blur", "cloud"], 1):
        await page.wait(f"document.body.dataset.state === 'open' && document.body.dataset.shown === '{mode}'"
                        f" && document.getElementById('tourtext').textContent.startsWith('{step} of 3')"
                        " && !document.body.classList.contains('working') && !isBusy")
        await screenshot(page, f"tour-{step}")
        await page.run("document.body.dataset.shown = ''")
        await page.click("#tournext")
    check(await page.run("document.getElementById('tour').hidden"), "the tour does not end")


async def check_colors(page, photo):
    """The colors that the page computes are the command line's, over the whole range."""
    for handle, key, code in [(0, "Home", 36), (1, "End", 35)]:
        await page.run(f"document.querySelectorAll('#ruler .handle')[{handle}].focus()")
        await page.key(key, code)
    for colors in ["gray", "inferno", "magma", "viridis", "turbo", "spectral"]:
        view = folder / f"{colors}.png"
        depth("predict", photo, "-o", folder / "d.png", "--view", view, "--color-map", colors, "--overwrite")
        await page.run(f"(() => {{ const s = document.getElementById('colormap'); s.value = '{colors}';"
                       " s.dispatchEvent(new Event('change')); })()")
        shown = await rgb(page, "#depth")
        wanted = numpy.asarray(Image.open(view).convert("RGB")).astype(int)
        off = numpy.abs(shown - wanted).max() if shown.shape == wanted.shape else 999
        check(off <= 1, f"{colors}: {off} / 255 off the command line's picture")


async def check_metres(page, photo):
    """Metres under the pointer, and by the keys."""
    depth("predict", photo, "-o", folder / "d.pfm", "--overwrite")
    metres = read_pfm(folder / "d.pfm")
    height, width = metres.shape
    text = lambda value: f"{value * 100:.0f} cm" if value < 1 else f"{value:.{2 if value < 10 else 1}f} m"
    for selector, (across, down) in [("#photo", (0.1, 0.9)), ("#depth", (0.6, 0.4)), ("#photo", (0.85, 0.75))]:
        x, y = await page.middle(selector, across, down)
        await page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        said = await page.run("document.getElementById('metres').textContent")
        around = metres[int(down * height) - 1:int(down * height) + 2, int(across * width) - 1:int(across * width) + 2]
        check(said in {text(value) for value in around.flat}, f"{selector} says {said}, expected {text(around[1, 1])}")
    await page.run("document.getElementById('photo').focus()")
    await page.key("ArrowRight", 39)
    check(" m" in await page.run("document.getElementById('metres').textContent"), "no metres by the keys")


async def check_focus(page, photo, tap):
    """A tap focuses there; the picture is the command line's, but for the JPEG in between."""
    await choose(page, "photo")
    await tap("#photo", 0.25, 0.75)
    await page.wait("document.body.dataset.shown === 'blur'")
    x, y = await page.run("[chosen.focus.x, chosen.focus.y]")
    await page.run("(() => { const s = document.querySelector('#settings input'); document.body.dataset.drawn = '';"
                   " s.value = fNumbers.indexOf(1.2);"
                   " s.dispatchEvent(new Event('input')); })()")
    await page.wait("document.body.dataset.drawn === 'effect 640'")
    said = await page.run("document.querySelector('#settings output').textContent")
    check(said == "f/1.2", f"the aperture is {said}, expected f/1.2")
    depth("effect", "blur", photo, "--focus-at", f"{x},{y}", "--aperture", "f/1.2", "--lens", "85mm", "--focal-length", "525px",
          "-o", folder / "blur.png", "--overwrite")
    shown = await rgb(page, "#photo")
    wanted = numpy.asarray(Image.open(folder / "blur.png").convert("RGB")).astype(int)
    off = numpy.abs(shown - wanted).mean() if shown.shape == wanted.shape else 999
    check(off < 2.5, f"blur: {off:.2f} / 255 off the command line's picture on average")
    plain = numpy.asarray(Image.open(photo).convert("RGB")).astype(int)
    check(numpy.abs(shown - plain).mean() > 2 * off, "blur: the photo is not blurred")


async def tap_points(page, *shares):
    """Taps the photo and gives the pixels that were measured from."""
    for across, down in shares:
        await page.click("#photo", across, down)
    return [(point["x"], point["y"]) for point in await page.run("measure.points")]


async def enter(page, selector, text):
    await page.run(f"(() => {{ const i = document.querySelector({selector!r}); i.value = {text!r}; i.form.requestSubmit(); }})()")


async def check_measure(page, photo):
    """Distances of an exact map; a known distance that is kept for the camera and reaches saved files."""
    height, width, focal = 480, 640, 525
    y, x = numpy.mgrid[:height, :width]
    # A corner of two walls and a floor, in millimetres as the file has them.
    exact = numpy.minimum(numpy.minimum(1.5 + x / 300, 5.2 - x / 200), 1.4 * focal / numpy.maximum(y - 239.5, 1))
    exact = numpy.rint(exact * 1000)
    Image.fromarray(exact.astype(numpy.uint16)).save(folder / "exact.png")
    depth("export", photo, "--depth", folder / "exact.png", "--depth-unit", "millimetre", "--focal-length", "525px", "-o", folder / "exact.html", "--overwrite")
    await page.open((folder / "exact.html").as_uri())
    await page.wait("document.body.dataset.shown === 'photo'")
    await choose(page, "measure")

    def place(column, row):
        z = exact[row, column] / 1000
        return numpy.array([(column + 0.5 - width / 2) * z / focal, (row + 0.5 - height / 2) * z / focal, z])
    for shares in [((0.2, 0.3), (0.8, 0.4)), ((0.5, 0.9), (0.5, 0.2)), ((0.03, 0.97), (0.97, 0.05))]:
        first, second = await tap_points(page, *shares)
        wanted = numpy.linalg.norm(place(*first) - place(*second))
        found = await page.run("measure.metres")
        check(abs(found - wanted) <= 0.01 * wanted, f"{first} to {second} measures {found:.3f} m, expected {wanted:.3f} m")
        said = await page.run("document.querySelector('.span').textContent")
        check(said == f"{wanted:.2f} m", f"{first} to {second}: the picture says {said}, expected {wanted:.2f} m")
    await screenshot(page, "measure-exact")
    return exact


async def check_correction(page, photo, address):
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "Maker", "Model 7"
    known = folder / "known.jpg"
    Image.open(photo).save(known, exif=exif, quality=92)
    await page.open(address)
    await open_photo(page, known)
    await choose(page, "measure")
    before = await page.run("[open.map.near, open.map.far]")
    [(column, row)] = await tap_points(page, (0.3, 0.6))
    said = await page.run("document.getElementById('settings').textContent")
    check("give or take" in said, f"no error to expect: {said}")
    estimate = await page.run("measure.metres")
    await enter(page, "#known", "2")
    factor = 2 / estimate
    async def is_corrected(name):
        found = await page.run(f"[open.map.at({column}, {row}), open.map.near, open.map.far, open.factor]")
        wanted = [2, factor * before[0], factor * before[1], factor]
        check(numpy.allclose(found, wanted, rtol=1e-4), f"{name}: {found}, expected {wanted}")
    await is_corrected("a known distance")
    check("corrected" in await page.run("document.getElementById('facts').textContent"), "the facts hide the correction")
    await page.click("#photo", 0.7, 0.5)
    await screenshot(page, "measure")
    await page.open(address)
    await open_photo(page, known)
    await is_corrected("the same camera later")
    # The command line's own calibration gives the same file.
    (folder / "calibration.json").write_text(json.dumps(
        {"format": "depth-calibration", "version": 1, "scale": 1 / factor, "shift": 0, "refinement": "joint"}))
    depth("predict", known, "--calibration", folder / "calibration.json", "-o", folder / "c.pfm", "--overwrite")
    wanted = (folder / "c.pfm").read_bytes()
    saved = base64.b64decode(await page.run(
        "server.made('depth', { 'calibration-factor': open.factor }, open.file, 'image/x-portable-floatmap', undefined, () => {})"
        ".then(async blob => btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), b => String.fromCharCode(b)).join('')))"))
    off = numpy.abs(numpy.frombuffer(saved[-4 * 640 * 480:], "<f4") - numpy.frombuffer(wanted[-4 * 640 * 480:], "<f4")).max()
    check(off < 1e-4, f"a corrected file is {off} m off the command line's")
    await open_photo(page, photo)
    check(await page.run("open.factor") == 1, "a photo of no known camera is corrected")
    await open_photo(page, known)
    await choose(page, "measure")
    await page.click("#uncorrect")
    check(await page.run("[open.factor, open.map.near]") == [1, before[0]], "the correction is not taken back")
    await open_photo(page, known)
    check(await page.run("open.factor") == 1, "the correction is taken back for one photo alone")


def read_glb(path):
    """Vertices and triangles of a binary glTF file whose parts are where it says they are."""
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack("<4sIII4s", data[:20])
    scene = json.loads(data[20:20 + size])
    check((magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON"), f"{path.name} is not a binary glTF file")
    part = scene["meshes"][0]["primitives"][0]
    picture = scene["bufferViews"][scene["images"][0]["bufferView"]]
    start = 20 + size + 8 + picture.get("byteOffset", 0)
    texture = Image.open(io.BytesIO(data[start:start + picture["byteLength"]]))
    return scene["accessors"][part["attributes"]["POSITION"]]["count"], texture.size


def read_ply(path):
    header = path.read_bytes().split(b"end_header")[0].decode()
    return int(re.search(r"element vertex (\d+)", header)[1])


async def saved(page, title, name):
    """Chooses an entry of the Save menu and waits for its file."""
    path = folder / "saved" / name
    path.unlink(missing_ok=True)
    await page.click("#saving summary")
    await page.wait("document.getElementById('saving').open && !!document.querySelector('#saves button')")
    found = await page.run("(() => { const b = [...document.querySelectorAll('#saves button')].find(b =>"
                           f" b.firstChild.textContent === {title!r}); b?.click(); return !!b; }})()")
    check(found, f"the Save menu has no {title}")
    for _ in range(1200):
        if path.exists() or not found:
            break
        await asyncio.sleep(0.05)
    check(path.exists(), f"{title} saves {[p.name for p in (folder / 'saved').iterdir()]}, expected {name}")
    await page.wait("!document.body.classList.contains('working')")
    return path


async def check_saves(page, photo):
    """Everything in the Save menu, opened again."""
    (folder / "saved").mkdir()
    await page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder / "saved"))
    await open_photo(page, photo)
    await choose(page, "blur")
    await page.click("#saving summary")
    await page.wait("!!document.querySelector('#saves button')")
    await screenshot(page, "save-menu")
    await page.run("document.querySelectorAll('#saves button')[1].focus()")
    await page.key("Escape", 27)
    check(await page.run("[document.getElementById('saving').open, document.activeElement.textContent]") == [False, "Save"],
          "Escape in the Save menu does not give the focus back")
    for title, name, size in [
        ("Lens blur", "photo_blur.jpg", (640, 480)), ("Depth in colors", "photo_colors.png", (640, 480)),
        ("Side by side", "photo_LRF_Full_SBS.jpg", (1280, 480)), ("Side by side, half width", "photo_LR.jpg", (640, 480)),
        ("One above the other", "photo_TBF_fulltb.jpg", (640, 960)), ("MPO", "photo.mpo", (640, 480)),
        ("GIF", "photo_wiggle.gif", (640, 480)), ("Quilt", "photo_qs8x6a1.33.jpg", None),
    ]:
        picture = Image.open(await saved(page, title, name))
        picture.load()
        check(size is None or picture.size == size, f"{name} has {picture.size} pixels, expected {size}")
        said = await page.run("document.getElementById('saved').textContent")
        check(name in said and "B." in said, f"{name}: the page says {said!r}")
    for mode, title, name in [("anaglyph", "3D glasses", "photo_anaglyph.jpg"), ("wiggle", "Wiggle", "photo_wiggle.png")]:
        await choose(page, mode)
        picture = Image.open(await saved(page, title, name))
        picture.load()
        check(picture.size == (640, 480), f"{name} has {picture.size} pixels")
    for title, name, of in [("16-bit PNG", "photo_depth.png", "d.png"), ("32-bit PFM", "photo_depth.pfm", "d.pfm")]:
        depth("predict", photo, "-o", folder / of, "--overwrite")
        found, wanted = await saved(page, title, name), folder / of
        same = (read_pfm(found) == read_pfm(wanted)).all() if name.endswith("pfm") else \
            (numpy.asarray(Image.open(found)) == numpy.asarray(Image.open(wanted))).all()
        check(same, f"{name} is not the map of the command line")
    vertices, size = read_glb(await saved(page, "Mesh", "photo.glb"))
    check(vertices > 1000 and size == (640, 480), f"the mesh has {vertices} vertices and a texture of {size}")
    points = read_ply(await saved(page, "Point cloud", "photo.ply"))
    check(points > 100_000, f"the point cloud has {points} points")
    html = await saved(page, "This page with the photo", "photo.html")
    check(b"</html>" in html.read_bytes(), "the page that was saved has no end")


async def check_cancel(page):
    """A save that is cancelled leaves no file and no trace."""
    before = set((folder / "saved").iterdir())
    await page.run("(() => { const made = server.made.bind(server); server.made = async (...all) => { server.made = made;"
                   " await new Promise((go, stop) => all[4].addEventListener('abort', () => stop(all[4].reason))); }; })()")
    await page.click("#saving summary")
    await page.wait("!!document.querySelector('#saves button')")
    await page.run("[...document.querySelectorAll('#saves button')].find(b => b.firstChild.textContent === 'Mesh').click()")
    await page.wait("document.body.classList.contains('working')")
    await screenshot(page, "saving")
    await page.click("#cancel")
    await page.wait("!document.body.classList.contains('working')")
    check(await page.run("document.getElementById('notice').hidden"), "a save that was cancelled is a failure")
    check(set((folder / "saved").iterdir()) == before, "a save that was cancelled left a file")


async def check_strip(page):
    """Several photos at once."""
    names = ["one.jpg", "two.jpg", "three.jpg"]
    for name, of in zip(names, ["living-room", "dining-table", "fruit-bowl"]):
        shutil.copy(root / f"Examples/{of}.jpg", folder / name)
    await page.run("document.body.dataset.shown = ''")
    await page.drop([str(folder / name) for name in names])
    await page.wait("document.body.dataset.state === 'open' && document.body.dataset.shown !== '' && !isBusy")
    labels = "[...document.querySelectorAll('#strip button')].map(b => b.ariaLabel + b.ariaPressed).join()"
    check(await page.run(labels) == "one.jpgtrue,two.jpgfalse,three.jpgfalse", "the strip is another one")
    await page.click("#strip button:nth-child(3)")
    await page.wait("open?.file.name === 'three.jpg' && !document.body.classList.contains('working')")
    check(await page.run(labels) == "one.jpgfalse,two.jpgfalse,three.jpgtrue", "the strip marks another photo")
    await screenshot(page, "strip")
    await saved(page, "3 depth maps", "three_depth.png")
    for name in ["one", "two", "three"]:
        depth("predict", folder / f"{name}.jpg", "-o", folder / "d.png", "--overwrite")
        found = folder / "saved" / f"{name}_depth.png"
        check(found.exists() and (numpy.asarray(Image.open(found)) == numpy.asarray(Image.open(folder / "d.png"))).all(),
              f"{name}_depth.png is missing or another map")


async def check_ruler(page):
    before = await rgb(page, "#depth")
    await page.run("document.querySelectorAll('#ruler .handle')[1].focus()")
    for _ in range(4):
        await page.key("PageDown", 34)
    text = await page.run("document.querySelectorAll('#ruler .handle')[1].getAttribute('aria-valuetext')")
    far, limit = await page.run("[ruler.range.far, open.map.far]")
    check(far < limit and text.startswith(f"{far:.2f}"), f"the far handle says {text} at {far} m of {limit} m")
    check((await rgb(page, "#depth") != before).any(), "the ruler changes nothing")
    await page.key("End", 35)
    check((await rgb(page, "#depth") == before).all(), "the whole range is not the range of before")


async def check_effects(page):
    pictures = {"photo": await rgb(page, "#photo")}
    for mode in ["highlight", "spotlight", "haze", "anaglyph"]:
        await choose(page, mode)
        await asyncio.sleep(0.4)
        pictures[mode] = await rgb(page, "#photo")
        await screenshot(page, mode)
    names = list(pictures)
    for index, name in enumerate(names[1:], 1):
        same = [other for other in names[:index] if (pictures[other] == pictures[name]).all()]
        check(not same, f"{name} looks like {same}")
    await choose(page, "wiggle")
    first = await rgb(page, "#photo")
    isMoving = False
    for _ in range(20):
        await asyncio.sleep(0.07)
        isMoving = isMoving or (await rgb(page, "#photo") != first).any()
    check(isMoving, "the wiggle stands still")
    await screenshot(page, "wiggle")


async def box(page, selector):
    return await page.run(f"(b => [b.left, b.top, b.right, b.bottom])(document.querySelector({selector!r}).getBoundingClientRect())")


async def check_sizes(browser, address, photo):
    """Windows from 360 to 2560 pixels, and low ones: pictures and controls in sight, nothing cut off."""
    portrait = folder / "portrait.jpg"
    Image.open(photo).crop((140, 0, 500, 480)).save(portrait, quality=92)
    for width, height, path in [
        (360, 740, photo), (390, 844, photo), (390, 844, portrait), (640, 500, photo), (844, 390, photo),
        (1280, 500, photo), (1280, 800, portrait), (2560, 1440, photo),
    ]:
        name = f"{width}x{height}-{path.stem}"
        isTouch = width < 900
        page = await browser.page(width=width, height=height, touch=isTouch, scheme="dark" if width == 390 else "light")
        await page.open(address)
        await open_photo(page, path)
        await choose(page, "blur")
        await page.wait("!isBusy")
        await screenshot(page, name)
        left, top, right, bottom = await box(page, "#photo")
        check(0 <= left and right <= width and 0 <= top and bottom <= height, f"{name}: the photo is at {left, top, right, bottom}")
        ratio = (right - left) / (bottom - top)
        check(abs(ratio - (4 / 3 if path == photo else 3 / 4)) < 0.02, f"{name}: the photo has the proportions {ratio:.2f}")
        area = (right - left) * (bottom - top) / (width * height)
        check(area > (0.14 if width > 820 else 0.2), f"{name}: the photo has {area:.0%} of the window")
        _, top, _, bottom = await box(page, "#settings input")
        check(0 <= top and bottom <= height, f"{name}: the slider is at {top:.0f} to {bottom:.0f}")
        if width <= 820:
            await page.click("#tabs button:nth-child(2)")
            await page.wait("document.querySelector('#tabs button:nth-child(2)').ariaPressed === 'true'"
                            " && Math.abs(document.querySelector('#depth').getBoundingClientRect().left) < innerWidth / 2")
            await asyncio.sleep(0.4)
            await screenshot(page, f"{name}-depth")
        left, top, right, bottom = await box(page, "#depth")
        check(-1 <= left and right <= width + 1 and 0 <= top and bottom <= height, f"{name}: the depth is at {left, top, right, bottom}")
        small = await page.run("""[...document.querySelectorAll('button, select, summary, input:not([type=radio])')]
          .filter(e => e.checkVisibility() && !e.closest('.menu')).map(e => [e.id || e.textContent, e.getBoundingClientRect()])
          .filter(([, b]) => b.height < 24 || b.width < 24).map(([name]) => name).join()""")
        check(not small, f"{name}: too small to tap: {small}")
        await check_quiet(page, name, address)
    calm = await browser.page(motion="reduce")
    await calm.open(address)
    await open_photo(calm, photo)
    await choose(calm, "wiggle")
    await calm.wait("document.body.dataset.drawn === 'stereo 1280'")
    first = await rgb(calm, "#photo")
    await asyncio.sleep(0.5)
    check((await rgb(calm, "#photo") == first).all(), "the wiggle moves where motion is to be reduced")


clip_rate = 5


def write_clip(photo, path):
    """A film of a photo whose top left square gets brighter with each frame, for the browser's camera."""
    plain = Image.open(photo).convert("YCbCr")
    chroma = [band.resize((320, 240)).tobytes() for band in plain.split()[1:]]
    light = numpy.asarray(plain)[..., 0].copy()
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W640 H480 F{clip_rate}:1 Ip A1:1 C420jpeg\n".encode())
        for frame in range(40):
            light[:64, :64] = 30 + 5 * frame
            file.write(b"FRAME\n" + light.tobytes() + b"".join(chroma))


async def check_zones(page):
    for metres, wanted in [
        ([0.5, 1.2, 3], [[0.5, "near"], [1.2, "close"], [3, "clear"]]), ([2, 0, 0.79], [[2, "clear"], [None, "blind"], [0.79, "near"]]),
    ]:
        values = numpy.repeat(numpy.float32(metres), 20)[None].repeat(40, 0).ravel().tolist()
        found = await page.run(f"zonesOf(new DepthMap(40, 60, new Float32Array({values}))).map(z => [z.nearest, z.state])")
        right = all(a[1] == b[1] and (a[0] == b[0] or abs(a[0] - b[0]) < 1e-6) for a, b in zip(found, wanted))
        check(right, f"zones at {metres} m are {found}")
    # A speck of a hundredth is neither near nor the nearest thing.
    values = [0.3] * 8 + [2.0] * 2392
    found = await page.run(f"zonesOf(new DepthMap(40, 60, new Float32Array({values}))).map(z => z.state)")
    check(found == ["clear"] * 3, f"a speck makes the zones {found}")


async def check_live(page, photo, address):
    """The browser's camera: depth of fresh frames, the nearest thing, a photo of it, and back."""
    await page.open(address)
    await check_zones(page)
    await page.run("""(() => { window.lags = []; const square = source => { const c = new OffscreenCanvas(1, 1), x = c.getContext('2d');
      x.drawImage(source, 16, 16, 16, 16, 0, 0, 1, 1); return x.getImageData(0, 0, 1, 1).data[0]; };
      const show = live.show; live.show = (picture, map) => { show(picture, map); const run = live.run;
        lags.push([square(picture), square(run.video), run.duration]); }; })()""")
    await page.click("#welcome .camera")
    await page.wait("lags.length >= 12")
    await screenshot(page, "live")
    lags = await page.run("lags")
    # The middle one of all frames: a busy machine stops the browser's own clip for a while.
    late = statistics.median((round((now - shown) / 5) % 40) / clip_rate for shown, now, _ in lags[1:])
    duration = statistics.median(duration for _, _, duration in lags[1:]) / 1000
    check(late <= 2 * duration + 1 / clip_rate, f"frames are shown {late:.1f} s late, an estimate takes {duration:.2f} s")
    said = await page.run("document.querySelector('#live p').textContent")
    check(re.search(r"Nearest [\d.]+ m · frame [\d.]+ s old · [\d.]+ maps", said), f"the camera's words are {said}")
    depth("predict", photo, "-o", folder / "d.pfm", "--overwrite")
    wanted = min(numpy.quantile(third, 0.05) for third in numpy.array_split(read_pfm(folder / "d.pfm"), 3, axis=1))
    found = await page.run("Math.min(...live.run.zones.map(zone => zone.nearest))")
    check(abs(found - wanted) < 0.1 * wanted, f"the nearest thing is at {found:.2f} m, expected {wanted:.2f} m")
    states = await page.run("[...document.querySelectorAll('#zones span')].map(zone => zone.dataset.state).join()")
    check(states == "clear,clear,clear", f"the zones of a room are {states}")
    await page.click("#take")
    await page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working')")
    found = await page.run("[open.file.name, open.width, open.height, open.camera !== null, live.isOn, document.getElementById('live').hidden]")
    check(found == ["camera.jpg", 640, 480, True, False, True], f"the photo of the camera is {found}")
    await page.click("header .camera")
    await page.wait("document.body.dataset.state === 'live'")
    track = await page.run("(window.track = live.run.stream.getVideoTracks()[0]).readyState")
    await page.click("#stop")
    await page.wait("document.body.dataset.state === 'open'")
    found = [track, await page.run("track.readyState"), await page.run("open.file.name")]
    check(found == ["live", "ended", "camera.jpg"], f"after the camera: {found}")
    await check_quiet(page, "camera", address)


async def check_confidence(browser):
    """Weights that tell how sure they are: stripes over what is doubtful, errors of points, and one line for a strange photo."""
    server = subprocess.Popen(
        [options.program, "serve", "--port", "0", "--quiet", "--weights", "confidence"], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().strip()
        page = await browser.page()
        await page.open(address)
        photo = root / "Examples/fruit-bowl.jpg"
        await open_photo(page, photo)
        depth("predict", photo, "--weights", "confidence", "-o", folder / "d.pfm", "--confidence", folder / "sure.pfm", "--overwrite")
        wanted = read_pfm(folder / "sure.pfm")
        found = await page.run("Array.from({ length: 640 * 480 }, (_, i) => open.confidence.at(i % 640, Math.floor(i / 640)))")
        off = numpy.abs(numpy.array(found).reshape(480, 640) - wanted)
        check(off.mean() < 0.002, f"the confidence is {off.mean():.4f} off the command line's on average")
        hatched = await rgb(page, "#depth")
        await screenshot(page, "doubt")
        await page.run("document.querySelector('#doubt input').click()")
        plain = await rgb(page, "#depth")
        changed = (hatched != plain).any(2)
        check(0.02 < (wanted < 0.75).mean() < 0.6, "the photo has too few or too many doubtful pixels to check")
        check(not changed[wanted > 0.77].any(), "stripes lie over what is sure")
        share = changed[wanted < 0.73].mean()
        check(0.15 < share < 0.4, f"stripes cover {share:.0%} of what is doubtful")
        await choose(page, "measure")
        [point] = await tap_points(page, (0.5, 0.3))
        error = await page.run("Measure.error(open, measure.points)")
        check(abs(error - (1 - wanted[point[1], point[0]])) < 0.02, f"the error to expect of a point is {error:.3f}")
        check(await page.run("document.getElementById('strange').hidden"), "a room is called strange")
        noise = numpy.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=numpy.uint8)
        Image.fromarray(noise).save(folder / "noise.png")
        await open_photo(page, folder / "noise.png")
        check(not await page.run("document.getElementById('strange').hidden"), "noise is called a room")
        check(await page.run("document.getElementById('metres').hidden"), "a distance of the photo before is shown")
        await screenshot(page, "strange")
        await check_quiet(page, "confidence", address)
    finally:
        server.terminate()
        server.wait()


async def check_names(page):
    """Every control has a name and a contrast that can be read, and the keyboard gets everywhere."""
    nameless = await page.run("""[...document.querySelectorAll('button, select, summary, input, canvas[tabindex], [role=slider]')]
      .filter(e => e.checkVisibility() && !(e.ariaLabel || e.textContent.trim() || e.labels?.length || e.title))
      .map(e => e.outerHTML.slice(0, 80)).join('; ')""")
    check(not nameless, f"without a name: {nameless}")
    await page.run("document.activeElement.blur()")
    seen = []
    for _ in range(40):
        await page.key("Tab", 9)
        seen.append(await page.run("(e => e.id || e.value || e.ariaLabel || e.textContent)(document.activeElement)"))
        if len(seen) > 5 and seen[-1] == seen[0]:
            break
    for wanted in ["open", "Save", "photo", "depth", "colormap", "Nearest depth shown", "Farthest depth shown"]:
        check(wanted in seen, f"Tab does not reach {wanted}: {seen}")


async def check_cloud(page):
    await choose(page, "cloud")
    read = ("(() => { const g = cloud.gl, d = new Uint8Array(4 * g.drawingBufferWidth * g.drawingBufferHeight);"
            " g.readPixels(0, 0, g.drawingBufferWidth, g.drawingBufferHeight, g.RGBA, g.UNSIGNED_BYTE, d);"
            " let n = 0, sum = 0; for (let i = 0; i < d.length; i += 4) { n += d[i] > 40; sum += d[i] * (i % 1013); }"
            " return [n / d.length * 4, sum]; })()")
    share, sum1 = await page.run(read)
    check(share > 0.3, f"the point cloud fills {share:.0%} of its picture")
    await page.run("document.getElementById('cloud').focus()")
    await page.key("ArrowRight", 39)
    check((await page.run(read))[1] != sum1, "the point cloud does not turn")
    await screenshot(page, "cloud")


async def check_refusals(page):
    """One clear sentence for what is no photo; the photo that is open stays."""
    files = {
        "IMG_1.HEIC": (b"\0\0\0\x18ftypheic" + bytes(100), "iPhone"), "text.jpg": (b"hello", "JPEG or PNG"),
        "half.jpg": ((root / "Examples/living-room.jpg").read_bytes()[:9000], "half.jpg"), "empty.png": (b"", "empty"),
    }
    for name, (data, word) in files.items():
        (folder / name).write_bytes(data)
        await page.run("notice('')")
        await page.drop([str(folder / name)])
        await page.wait("!document.getElementById('notice').hidden")
        said = await page.run("document.getElementById('notice').textContent")
        check(word in said and said.count("{") == 0, f"{name}: the page says {said}")
        await page.wait("!document.body.classList.contains('working')")
    await screenshot(page, "notice")
    check(await page.run("document.body.dataset.state") == "open", "a refused file closes the photo")
    await page.key("Escape", 27)
    check(await page.run("document.getElementById('notice').hidden"), "Escape does not close the notice")
    complaints(page)


async def measure_slider(page):
    """Milliseconds from a slider's step to its picture, at two megapixels; told, not judged."""
    Image.open(root / "Examples/living-room.jpg").resize((1632, 1224), Image.LANCZOS).save(folder / "large.jpg", quality=92)
    await open_photo(page, folder / "large.jpg")
    await choose(page, "blur")
    times = await page.run("""(async () => {
      const times = [], slider = document.querySelector('#settings input');
      for (let i = 0; i < 12; i++) {
        const start = performance.now();
        slider.value = 8 + i;
        slider.dispatchEvent(new Event('input'));
        while (isBusy) await new Promise(requestAnimationFrame);
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b); })()""")
    print(f"  slider to picture at 2 megapixels: median {times[6]:.0f} ms, largest {times[-1]:.0f} ms")


async def check_served():
    server = subprocess.Popen(
        [options.program, "serve", "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().strip()
    photo = folder / "photo.jpg"
    shutil.copy(root / "Examples/living-room.jpg", photo)
    try:
        async with Browser() as browser:
            page = await browser.page()
            await page.open(address)
            await screenshot(page, "welcome")
            await check_tour(page, address)
            await page.open(address)
            await check_first_look(page, photo)
            await check_subject(page)
            await page.run("document.body.dataset.drawn = ''")
            await choose(page, "photo")
            await screenshot(page, "photo")
            await check_colors(page, photo)
            await check_metres(page, photo)
            await check_focus(page, photo, page.click)
            await screenshot(page, "blur")
            await check_ruler(page)
            await check_effects(page)
            await check_cloud(page)
            await check_quiet(page, "wide and light", address)
            await check_refusals(page)
            await measure_slider(page)
            await check_quiet(page, "two megapixels", address)
            await check_measure(page, photo)
            await check_correction(page, photo, address)
            page.requests.clear()
            await check_quiet(page, "measure", address)
            await page.open(address)
            await check_saves(page, photo)
            await check_cancel(page)
            await check_strip(page)
            await check_quiet(page, "saves", address)
            phone = await browser.page(width=360, height=740, scheme="dark", touch=True, scale=2)
            await phone.open(address)
            await phone.tap("#example")
            await phone.wait("document.body.dataset.state === 'open' && document.body.dataset.shown === 'photo'")
            await phone.tap("#photo", 0.3, 0.7)
            await phone.wait("document.body.dataset.shown === 'blur'")
            await screenshot(phone, "phone-dark")
            check(await phone.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 20, 22)",
                  "the dark scheme is not dark")
            await check_quiet(phone, "360 pixels, dark", address)
            page = await browser.page()
            await page.open(address)
            await open_photo(page, photo)
            await check_names(page)
            await check_sizes(browser, address, photo)
            check(await page.run("document.getElementById('doubt').hidden"), "weights without confidence have doubt")
            await check_confidence(browser)
        write_clip(photo, folder / "clip.y4m")
        async with Browser(camera=folder / "clip.y4m") as browser:
            await check_live(await browser.page(), photo, address)
        async with Browser(webgl=False) as browser:
            page = await browser.page(scheme="dark")
            await page.open(address)
            await open_photo(page, photo)
            await choose(page, "cloud")
            said = await page.run("document.getElementById('notice').textContent")
            check("WebGL" in said, f"without WebGL the page says {said!r}")
            await screenshot(page, "dark")
    finally:
        server.send_signal(signal.SIGTERM)
        check(server.wait(20) == 0, f"the server ended with status {server.returncode}")


async def check_file():
    address = pathlib.Path(options.file).resolve().as_uri()
    async with Browser() as browser:
        page = await browser.page()
        await page.open(address)
        await page.wait("document.body.dataset.shown === 'photo'")
        shown = numpy.array(await page.run("Array.from(open.map.values)"))
        wanted = read_pfm(options.depth)
        check(await page.run("[open.map.height, open.map.width]") == list(wanted.shape), "the map has another size")
        off = numpy.abs(shown.reshape(wanted.shape) - wanted)[wanted > 0].max()
        check(off <= 0.000501, f"the map in the page is {off * 1000:.3f} mm off")
        check(await page.run("[...document.querySelectorAll('#modes input')].map(i => i.value).join()")
              == "photo,measure,cloud", "a page without a server offers what needs one")
        await check_cloud(page)
        await screenshot(page, "file")
        await check_quiet(page, "from the file system", address)


try:
    asyncio.run(check_file() if options.file else check_served())
finally:
    shutil.rmtree(folder, ignore_errors=True)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
