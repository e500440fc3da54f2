#!/usr/bin/env python3
"""Tries the page of `depth serve` in a headless Chromium, as a person would, and compares what it shows.

    Scripts/check-page.py [--program PATH] [--screenshots FOLDER]
    Scripts/check-page.py --file PAGE.html --depth MAP.pfm

The second form opens a page that carries its photo, from the file system, and compares its map with a file.
Needs Chromium and Python's websockets, Pillow and NumPy (Scripts/install-test-tools.sh); without them it says
so and ends with status 77. With Firefox (Debian's firefox-esr) it tries drop, slider and save there too, and with Python's trimesh
it reads the mesh and the cloud that were saved once more; without them it says so.
"""

import argparse
import asyncio
import pathlib
import shutil
import signal
import sys

try:
    import numpy
    import websockets  # noqa: F401
    import PIL  # noqa: F401
except ImportError as error:
    print(f"check-page: {error.name} is not installed, nothing was checked")
    sys.exit(77)
if not any(shutil.which(name) for name in ["chromium", "chromium-browser", "google-chrome"]):
    print("check-page: no Chromium is installed, nothing was checked")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "browser"))
import checking  # noqa: E402
from camera import check_live, write_clip  # noqa: E402
from checking import check, check_quiet, choose, failures, folder, open_photo, read_pfm, root, serve  # noqa: E402
from chromium import Browser  # noqa: E402
from effects import (  # noqa: E402
    check_cloud, check_colors, check_dropped_while_busy, check_effects, check_focus, check_metres, check_refusals, check_ruler, measure_slider)
from looks import check_first_look, check_sizes, check_subject, check_tour  # noqa: E402
from measuring import check_confidence, check_correction, check_measure  # noqa: E402
from otherbrowser import check_firefox  # noqa: E402
from reading import check_keyboard, check_look, check_order_of_focus  # noqa: E402
from saving import check_cancel, check_saves, check_strip, check_unknown_length  # noqa: E402

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--program", default=str(root / ".build/release/depth"))
options.add_argument("--screenshots", help="folder for pictures of the page")
options.add_argument("--file", help="a page that carries its photo")
options.add_argument("--depth", help="the map of --file, PFM")
options = options.parse_args()
checking.program, checking.pictures = options.program, options.screenshots


async def check_served():
    server, address = serve()
    photo = folder / "photo.jpg"
    shutil.copy(root / "Examples/living-room.jpg", photo)
    try:
        async with Browser() as browser:
            page = await browser.page()
            await page.open(address)
            await check_look(page, "welcome")
            await check_order_of_focus(page, "welcome")
            await page.run("document.body.classList.add('dragging')")
            await check_look(page, "dragging")
            await page.run("document.body.classList.remove('dragging')")
            await check_tour(page, address)
            await page.open(address)
            await check_first_look(page, photo)
            await check_subject(page, address, photo)
            await page.run("document.body.dataset.drawn = ''")
            await choose(page, "photo")
            await check_look(page, "photo")
            await check_colors(page, photo)
            await check_metres(page, photo)
            await check_focus(page, photo, page.click)
            await check_look(page, "blur")
            await check_ruler(page)
            await check_effects(page)
            await check_cloud(page)
            await check_quiet(page, "wide and light", address)
            await check_refusals(page)
            await check_dropped_while_busy(page, photo, root / "Examples/dining-table.jpg")
            await measure_slider(page)
            await check_quiet(page, "two megapixels", address)
            await check_measure(page, photo)
            await check_correction(page, photo, address)
            await check_quiet(page, "measure", address, folder.as_uri())
            await page.open(address)
            await check_saves(page, photo)
            await check_unknown_length(page)
            await check_cancel(page)
            await check_strip(page)
            await check_keyboard(page, address, folder / "saved")
            await check_quiet(page, "saves", address)
            phone = await browser.page(width=360, height=740, scheme="dark", touch=True, scale=2)
            await phone.open(address)
            await phone.tap("#example")
            await phone.wait("document.body.dataset.state === 'open' && document.body.dataset.shown === 'photo'")
            await phone.tap("#photo", 0.3, 0.7)
            await phone.wait("document.body.dataset.shown === 'blur'")
            await check_look(phone, "phone-dark")
            check(await phone.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 20, 22)",
                  "the dark scheme is not dark")
            await check_quiet(phone, "360 pixels, dark", address)
            page = await browser.page()
            await page.open(address)
            await open_photo(page, photo)
            await check_order_of_focus(page, "open")
            await check_sizes(browser, address, photo)
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
            await check_look(page, "dark")
        await check_firefox(photo, address)
    finally:
        server.send_signal(signal.SIGTERM)
        check(server.wait(300) == 0, f"the server ended with status {server.returncode}")


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
        await check_look(page, "file")
        await check_quiet(page, "from the file system", address)


try:
    asyncio.run(check_file() if options.file else check_served())
finally:
    shutil.rmtree(folder, ignore_errors=True)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
