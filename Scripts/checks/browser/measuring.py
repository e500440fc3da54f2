"""Checks of distances between points, of corrections and of confidence."""

import json

import numpy
from PIL import Image

from checking import check, check_quiet, choose, depth, enter, expect, folder, open_photo, read_pfm, rgb, root, serve, tap_points
from reading import check_look
from saving import saved


def check_measure(page, photo):
    """Distances of an exact map; a known distance that is kept for the camera and reaches saved files."""
    height, width, focal = 480, 640, 525
    y, x = numpy.mgrid[:height, :width]
    # A corner of two walls and a floor, in millimetres as the file has them.
    exact = numpy.minimum(numpy.minimum(1.5 + x / 300, 5.2 - x / 200), 1.4 * focal / numpy.maximum(y - 239.5, 1))
    exact = numpy.rint(exact * 1000)
    Image.fromarray(exact.astype(numpy.uint16)).save(folder / "exact.png")
    depth("export", photo, "--depth", folder / "exact.png", "--depth-unit", "millimetre", "--focal-length", "525px", "-o", folder / "exact.html", "--overwrite")
    page.driver.get((folder / "exact.html").as_uri())
    page.wait("document.body.dataset.shown === 'photo'")
    choose(page, "measure")

    def place(column, row):
        z = exact[row, column] / 1000
        return numpy.array([(column + 0.5 - width / 2) * z / focal, (row + 0.5 - height / 2) * z / focal, z])
    for shares in [((0.2, 0.3), (0.8, 0.4)), ((0.5, 0.9), (0.5, 0.2)), ((0.03, 0.97), (0.97, 0.05))]:
        first, second = tap_points(page, *shares)
        wanted = numpy.linalg.norm(place(*first) - place(*second))
        found = page.run("measure.metres")
        check(abs(found - wanted) <= 0.01 * wanted, f"{first} to {second} measures {found:.3f} m, expected {wanted:.3f} m")
        expect(page, "document.querySelector('.span').textContent", f"{wanted:.2f} m", f"{first} to {second}: the picture says")
    check_look(page, "measure-exact")
    check_expected(page)
    check_embedded_correction(page, exact)


def check_expected(page):
    """The error to expect: of one point, of two on one ray, of two side by side, and where nothing is known."""
    def expected(points, errors="{ uncertainty: 0.1 }", factor=1):
        # Level walls at 4 m and, in the right half, at 4.1 m; the rays of 320 and 321 are almost one.
        return page.run(f"""(() => {{ const values = new Float32Array(640 * 480).fill(4);
          for (let i = 0; i < values.length; i++) if (i % 640 >= 321) values[i] = 4.1;
          return Measure.expected({{ map: new DepthMap(480, 640, values), focalLength: 0.8, facts: {errors}, factor: {factor} }},
            {json.dumps([dict(x=x, y=y) for x, y in points])}); }})()""")

    def check_close(name, found, wanted):
        check(found is not None and abs(found - wanted) <= 0.01 * wanted, f"the error of {name} is {found} m, expected {wanted:.4f} m")
    check_close("one point", expected([(320, 240)]), 0.4)
    # Own errors of .084, of which neighbors share exp(-10 / 640); common ones of .0543 stretch the 10 cm alone.
    own, common = 0.084, 0.1 * numpy.sqrt(1 - 0.84 ** 2)
    alike = numpy.exp(-10 / 640)
    wanted = numpy.sqrt(own ** 2 * (4 ** 2 + 4.1 ** 2 - 2 * alike * 4 * 4.1) + (common * 0.1) ** 2)
    check_close("two points on one ray", expected([(320, 240), (321, 240)]), wanted)
    # From the middle of the wall to its left: only the left end moves along the line, by its share of 4 m.
    far = numpy.hypot(0, 0.8 * 640)
    left = (120.5 - 320) * 4 / far
    right = (319.5 - 320) * 4 / far
    alike = numpy.exp(-10 * 199 / 640)
    wanted = numpy.sqrt(own ** 2 * (left ** 2 + right ** 2 - 2 * alike * left * right) + (common * (right - left)) ** 2)
    check_close("two points side by side", expected([(120, 240), (319, 240)]), wanted)
    check_close("a point after a correction", expected([(0, 0)], factor=1.2), 0.13 * 4)
    check(expected([(320, 240)], errors="{}") is None, "an error is given where none is known")
    check(expected([(320, 240), (320, 240)]) is None, "two taps on one pixel have an error")


def check_embedded_correction(page, exact):
    """A page without a server saves the metres that it shows."""
    tap_points(page, (0.5, 0.5))
    if page.run("measure.points.length") == 2:
        tap_points(page, (0.5, 0.5))
    enter(page, "#known", str(2 * page.run("measure.metres")))
    check(abs(page.run("open.factor") - 2) < 1e-6, "a doubled distance does not correct by 2")
    found = numpy.asarray(Image.open(saved(page, "16-bit PNG", "photo_depth.png"))).astype(int)
    check(found.shape == exact.shape and numpy.abs(found - numpy.clip(2 * exact, 1, 65535)).max() <= 1,
          "a page without a server saves a map that is not corrected")
    page.click("#uncorrect")
    for known in ["0.001", "99999"]:
        page.run(f"correct({known} / measure.metres)")
        check(page.run("open.factor") == 1, f"a distance of {known} m corrects")
        check("multiply all metres" in page.run("document.getElementById('notice').textContent"), f"{known} m is refused without a word")
    page.run("(notice(''), measure.clear())")
    tap_points(page, (0.5, 0.5), (0.5, 0.5))
    page.run("correct(open.factor * 1 / measure.metres)")
    check(page.run("open.factor") == 1, "two taps on one pixel correct all metres")
    page.run("notice('')")


def check_correction(page, photo, address):
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "Maker", "Model 7"
    known = folder / "known.jpg"
    Image.open(photo).save(known, exif=exif, quality=92)
    page.driver.get(address)
    open_photo(page, known)
    choose(page, "measure")
    before = page.run("[open.map.near, open.map.far]")
    [(column, row)] = tap_points(page, (0.3, 0.6))
    check("give or take" in page.run("document.getElementById('settings').textContent"), "no error to expect")
    factor = 2 / page.run("measure.metres")
    enter(page, "#known", "2")

    def is_corrected(name):
        found = page.run(f"[open.map.at({column}, {row}), open.map.near, open.map.far, open.factor]")
        wanted = [2, factor * before[0], factor * before[1], factor]
        check(numpy.allclose(found, wanted, rtol=1e-4), f"{name}: {found}, expected {wanted}")
    is_corrected("a known distance")
    check("corrected" in page.run("document.getElementById('facts').textContent"), "the facts hide the correction")
    page.click("#photo", 0.7, 0.5)
    check_look(page, "measure")
    page.driver.get(address)
    open_photo(page, known)
    is_corrected("the same camera later")
    (folder / "calibration.json").write_text(json.dumps(
        {"format": "depth-calibration", "version": 1, "scale": 1 / factor, "shift": 0, "refinement": "joint"}))
    # All photos at once: each by the factor of its own camera, as by the command line's own calibration.
    second = folder / "second.jpg"
    Image.open(photo).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(second, exif=exif, quality=92)
    open_photo(page, photo, known, second)
    page.wait("!isBusy")
    check(page.run("open.factor") == 1, "a photo of no known camera is corrected")
    saved(page, "3 depth maps", "second_depth.png")
    for path in [photo, known, second]:
        depth("predict", path, *([] if path == photo else ["--calibration", folder / "calibration.json"]), "-o", folder / "c.png", "--overwrite")
        off = numpy.abs(numpy.asarray(Image.open(folder / "saved" / f"{path.stem}_depth.png")).astype(int)
                        - numpy.asarray(Image.open(folder / "c.png"))).max()
        check(off <= (path != photo), f"{path.name} of all photos is {off} mm off the command line's")
    open_photo(page, known)
    choose(page, "measure")
    page.click("#uncorrect")
    check(page.run("[open.factor, open.map.near]") == [1, before[0]], "the correction is not taken back")
    open_photo(page, known)
    check(page.run("open.factor") == 1, "the correction is taken back for one photo alone")


def check_confidence(browser):
    """Weights that tell how sure they are: stripes over what is doubtful, errors of points, and one line for a strange photo."""
    with serve() as address:
        page = browser.page()
        page.driver.get(address)
        photo = root / "Examples/fruit-bowl.jpg"
        open_photo(page, photo)
        depth("predict", photo, "-o", folder / "d.pfm", "--confidence", folder / "sure.pfm", "--overwrite")
        wanted = read_pfm(folder / "sure.pfm")
        found = page.run("Array.from({ length: 640 * 480 }, (_, i) => open.confidence.at(i % 640, Math.floor(i / 640)))")
        off = numpy.abs(numpy.array(found).reshape(480, 640) - wanted)
        check(off.mean() < 0.002, f"the confidence is {off.mean():.4f} off the command line's on average")
        plain = rgb(page, "#depth")
        page.run("document.querySelector('#doubt input').click()")
        changed = (rgb(page, "#depth") != plain).any(2)
        check_look(page, "doubt")
        page.run("document.querySelector('#doubt input').click()")
        check(0.02 < (wanted < 0.75).mean() < 0.6, "the photo has too few or too many doubtful pixels to check")
        check(not changed[wanted > 0.77].any(), "stripes lie over what is sure")
        share = changed[wanted < 0.73].mean()
        check(0.15 < share < 0.4, f"stripes cover {share:.0%} of what is doubtful")
        choose(page, "measure")
        [point] = tap_points(page, (0.5, 0.3))
        error = page.run("Measure.error(open, measure.points[0])")
        # Nothing gives the photo's focal length.
        factor = page.run("open.errorFactor")
        check(factor > 1, f"errors with an unknown camera have the factor {factor}")
        check(abs(error / factor - (1 - wanted[point[1], point[0]])) < 0.02, f"the error to expect of a point is {error:.3f}")
        check(page.run("document.getElementById('strange').hidden"), "a room is called strange")
        noise = numpy.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=numpy.uint8)
        Image.fromarray(noise).save(folder / "noise.png")
        open_photo(page, folder / "noise.png")
        check(not page.run("document.getElementById('strange').hidden"), "noise is called a room")
        check(page.run("document.getElementById('metres').hidden"), "a distance of the photo before is shown")
        check_look(page, "strange")
        check_quiet(page, "confidence", address)
    # A network of one output, with random weights.
    with serve("--weights", root / "Tests/Golden/fcrn_narrow16_weights.h5") as address:
        page.driver.get(address)
        open_photo(page, photo)
        check(page.run("document.getElementById('doubt').hidden"), "weights without confidence have doubt")
