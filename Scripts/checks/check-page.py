#!/usr/bin/env python3
"""Tries the page of `depth serve` in a headless Chromium, as a person would, and compares what it shows.

    Scripts/checks/check-page.py [--program PATH] [--screenshots FOLDER]
    Scripts/checks/check-page.py --file PAGE.html --depth MAP.pfm

The second form opens a page that carries its photo, from the file system, and compares its map with a file.
Needs Chromium with its driver, and Python's Selenium, Pillow and NumPy (Scripts/checks/install-test-tools.sh); without them it says
so and ends with status 77.
"""

import argparse
import pathlib
import shutil
import sys

try:
    import numpy
    import selenium  # noqa: F401
    import PIL  # noqa: F401
except ImportError as error:
    print(f"check-page: {error.name} is not installed, nothing was checked")
    sys.exit(77)
if not any(shutil.which(name) for name in ["chromium", "chromium-browser", "google-chrome"]) or not shutil.which("chromedriver"):
    print("check-page: Chromium or its driver is not installed, nothing was checked")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "browser"))
import camera, checking, effects, looks, measuring, phone, saving  # noqa: E401, E402
from checking import check_quiet, choose, folder, open_photo, read_pfm, serve  # noqa: E402
from chromium import Browser  # noqa: E402
from reading import check_keyboard, check_look, check_order_of_focus  # noqa: E402
from served import check, failures, root  # noqa: E402

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--program", default=str(root / ".build/release/depth"))
options.add_argument("--screenshots", help="folder for pictures of the page")
options.add_argument("--file", help="a page that carries its photo")
options.add_argument("--depth", help="the map of --file, PFM")
options = options.parse_args()
checking.program, checking.pictures = options.program, options.screenshots


def check_served():
    photo = folder / "photo.jpg"
    shutil.copy(root / "Examples/living-room.jpg", photo)
    with serve() as address:
        with Browser() as browser:
            page = browser.page()
            page.driver.get(address)
            check_look(page, "welcome")
            check_order_of_focus(page, "welcome")
            page.run("document.body.classList.add('dragging')")
            check_look(page, "dragging")
            page.run("document.body.classList.remove('dragging')")
            looks.check_tour(page, address)
            page.driver.get(address)
            looks.check_first_look(page, photo)
            looks.check_subject(page, address, photo)
            page.run("document.body.dataset.drawn = ''")
            choose(page, "photo")
            check_look(page, "photo")
            effects.check_colors(page, photo)
            effects.check_metres(page, photo)
            effects.check_focus(page, photo, page.click)
            check_look(page, "blur")
            effects.check_ruler(page)
            effects.check_range(page, photo)
            effects.check_effects(page)
            effects.check_cloud(page)
            check_quiet(page, "wide and light", address)
            effects.check_refusals(page)
            effects.check_dropped_while_busy(page, photo, root / "Examples/dining-table.jpg")
            effects.open_large(page)
            check_quiet(page, "two megapixels", address)
            measuring.check_measure(page, photo)
            measuring.check_correction(page, photo, address)
            check_quiet(page, "measure", address, folder.as_uri())
            page.driver.get(address)
            saving.check_saves(page, photo)
            saving.check_unknown_length(page)
            saving.check_cancel(page)
            saving.check_strip(page)
            check_keyboard(page, address, folder / "saved")
            check_quiet(page, "saves", address)
            small = browser.page(width=360, height=740, scheme="dark", touch=True, scale=2)
            small.driver.get(address)
            small.tap("#example")
            small.wait("document.body.dataset.state === 'open' && document.body.dataset.shown === 'photo'")
            small.tap("#photo", 0.3, 0.7)
            small.wait("document.body.dataset.shown === 'blur'")
            check_look(small, "phone-dark")
            check(small.run("getComputedStyle(document.body).backgroundColor") == "rgb(20, 20, 22)", "the dark scheme is not dark")
            check_quiet(small, "360 pixels, dark", address)
            phone.check_phone(browser, address, photo)
            phone.check_under_path(browser, photo)
            page = browser.page()
            page.driver.get(address)
            open_photo(page, photo)
            check_order_of_focus(page, "open")
            looks.check_sizes(browser, address, photo)
            measuring.check_confidence(browser)
        camera.write_clip(photo, folder / "clip.y4m")
        with Browser(camera=folder / "clip.y4m") as browser:
            camera.check_live(browser.page(), photo, address)
        with Browser(webgl=False) as browser:
            page = browser.page(scheme="dark")
            page.driver.get(address)
            open_photo(page, photo)
            choose(page, "cloud")
            said = page.run("document.getElementById('notice').textContent")
            check("WebGL" in said, f"without WebGL the page says {said!r}")
            check_look(page, "dark")


def check_file():
    address = pathlib.Path(options.file).resolve().as_uri()
    with Browser() as browser:
        page = browser.page()
        page.driver.get(address)
        page.wait("document.body.dataset.shown === 'photo'")
        shown = numpy.array(page.run("Array.from(open.map.values)"))
        wanted = read_pfm(options.depth)
        check(page.run("[open.map.height, open.map.width]") == list(wanted.shape), "the map has another size")
        off = numpy.abs(shown.reshape(wanted.shape) - wanted)[wanted > 0].max()
        check(off <= 0.000501, f"the map in the page is {off * 1000:.3f} mm off")
        check(page.run("[...document.querySelectorAll('#modes input')].map(i => i.value).join()")
              == "photo,measure,cloud", "a page without a server offers what needs one")
        effects.check_cloud(page)
        check_look(page, "file")
        check_quiet(page, "from the file system", address)


try:
    check_file() if options.file else check_served()
finally:
    shutil.rmtree(folder, ignore_errors=True)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
