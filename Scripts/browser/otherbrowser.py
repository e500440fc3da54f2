"""Checks of the page in Firefox: drop, slider, and files that are saved."""

import numpy
from PIL import Image

from checking import check, check_quiet, choose, depth, folder, open_photo, read_pfm, rgb, screenshot
from firefox import Firefox, program
from saving import read_glb, saved


async def check_firefox(photo, address):
    if program is None:
        print("  Firefox is not installed: drop, slider and save were not checked there")
        return
    (folder / "saved").mkdir(exist_ok=True)
    async with Firefox(folder / "saved") as browser:
        page = await browser.page()
        await page.open(address)
        await open_photo(page, photo)
        plain = numpy.asarray(Image.open(photo).convert("RGB")).astype(int)
        shown = await rgb(page, "#photo")
        check(shown.shape == plain.shape and numpy.abs(shown - plain).mean() < 1, "Firefox: the photo that was dropped is not shown")
        depth("predict", photo, "-o", folder / "d.pfm", "--overwrite")
        wanted = read_pfm(folder / "d.pfm")
        found = numpy.array(await page.run("Array.from(open.map.values)"), "f4").reshape(wanted.shape)
        check((found == wanted).all(), "Firefox: the depth is not the command line's")
        await page.click("#photo", 0.25, 0.75)
        await page.wait("document.body.dataset.shown === 'blur' && !isBusy")
        blurred = await rgb(page, "#photo")
        stop = await page.run("chosen.stop")
        await page.run("document.querySelector('#settings input').focus()")
        for _ in range(3):
            await page.key("ArrowRight")
        await page.wait("!isBusy && document.body.dataset.shown === 'blur'")
        check(await page.run("chosen.stop") == stop + 3, "Firefox: keys do not move the slider")
        check((await rgb(page, "#photo") != blurred).any(), "Firefox: the slider changes nothing")
        await screenshot(page, "firefox")
        picture = Image.open(await saved(page, "Lens blur", "photo_blur.jpg"))
        picture.load()
        check(picture.size == (640, 480), f"Firefox: the blur that was saved has {picture.size} pixels")
        found = read_pfm(await saved(page, "32-bit PFM", "photo_depth.pfm"))
        check((found == wanted).all(), "Firefox: the map that was saved is not the command line's")
        vertices, _ = read_glb(await saved(page, "Mesh", "photo.glb"))
        check(vertices > 1000, f"Firefox: the mesh that was saved has {vertices} vertices")
        await choose(page, "cloud")
        await screenshot(page, "firefox-cloud")
        await check_quiet(page, "Firefox", address)
