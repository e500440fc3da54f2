"""Checks of distances between points, of corrections and of confidence."""

import base64
import json

import numpy
from PIL import Image

from checking import (
    check, check_quiet, choose, depth, enter, folder, open_photo, read_pfm, rgb, root, screenshot, serve,
    tap_points)


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


async def check_confidence(browser):
    """Weights that tell how sure they are: stripes over what is doubtful, errors of points, and one line for a strange photo."""
    server, address = serve("--weights", "confidence")
    try:
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
