"""Checks of the first look, the tour and sizes of windows."""

import time
import pathlib
import urllib.request

import numpy
from PIL import Image

from checking import box, check, check_quiet, choose, difference, expect, folder, open_photo, picture, rgb
from reading import check_look, check_order_of_focus


def check_first_look(page, photo):
    """The photo while its depth is estimated; colors with shape everywhere; a line between photo and effect."""
    page.hold("server", "open", "letGo")
    page.drop([str(photo)])
    page.wait("document.body.dataset.state === 'estimating'")
    plain = picture(photo)
    shown = rgb(page, "#photo")
    off = difference(shown, plain)
    check(off < 1, f"while estimating the photo is {off:.1f} / 255 off")
    x, y = page.middle("#photo")
    expect(page, f"document.elementFromPoint({x}, {y}).id", "photo", "while estimating, the photo is covered by")
    check_look(page, "estimating")
    page.run("letGo()")
    page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working')")
    check_look(page, "first-look")

    colors = rgb(page, "#depth")
    metres = numpy.array(page.run("Array.from(open.map.values)")).reshape(colors.shape[:2])
    light = colors @ [0.299, 0.587, 0.114]
    check((light < 60).mean() < 0.05, f"{(light < 60).mean():.0%} of the depth is near black")
    # Each tenth of the pixels, by distance, has a color of its own.
    tenths = numpy.digitize(metres, numpy.quantile(metres, numpy.arange(0.1, 1, 0.1)))
    means = numpy.array([colors[tenths == tenth].mean(0) for tenth in range(10)])
    steps = numpy.abs(numpy.diff(means, axis=0)).max(1)
    check(steps.min() >= 6, f"tenths of the pixels by distance differ by {steps.round()} / 255")

    page.run("document.body.dataset.drawn = ''")
    choose(page, "blur")
    near, far = page.run("[open.map.at(chosen.focus.x, chosen.focus.y), open.map.quantile(0.5)]")
    check(near < far, f"the focus is at {near:.2f} m, half of the photo is nearer than {far:.2f} m")
    check(page.run("document.querySelectorAll('#settings .iris').length") == 2, "no pictures of openings")
    page.wait("document.body.dataset.drawn === 'effect 640'")
    effect = rgb(page, "#photo")
    check(numpy.abs(effect - plain).mean() > 1.5, "the lens blur of the first look blurs nothing")
    page.click("#compare")
    check((numpy.abs(rgb(page, "#before") - plain) <= 1).all(), "the left of the line is not the photo")
    check((rgb(page, "#photo") == effect).all(), "the right of the line is not the effect")
    page.run("document.getElementById('divider').focus()")
    for key, share in [("End", 100), ("PageDown", 80), ("ArrowLeft", 78)]:
        page.key(key)
        expect(page, "[document.getElementById('divider').ariaValueNow, document.getElementById('before').style.clipPath]",
               [str(share), f"inset(0px {100 - share}% 0px 0px)"], f"{key} moves the line to")
    page.key("Home")
    page.key("PageUp", 2)
    check_look(page, "compare")
    page.click("#compare")
    check(page.run("document.getElementById('divider').hidden"), "the line stays")


def check_subject(page, address, photo):
    """The page focuses where the program's subject is."""
    choose(page, "blur")
    found = page.run("open.map.at(open.subject.x, open.subject.y)")
    request = urllib.request.Request(f"{address}v1/effect?effect=blur&focus=subject", pathlib.Path(photo).read_bytes())
    with urllib.request.urlopen(request) as answer:
        wanted = float(answer.headers["Focus-Distance"])
    check(abs(found - wanted) < 1e-4, f"the page focuses at {found:.4f} m, the program's subject is at {wanted:.4f} m")
    check(page.run("chosen.focus === open.subject"), "the page focuses on something else than the subject")


def check_tour(page, address):
    """Three photos, and less than 400 kB in all."""
    sizes = {name: len(urllib.request.urlopen(address + name).read()) for name in ["", "example.jpg", "armchair.jpg", "doorway.jpg"]}
    total = sum(sizes.values())
    print(f"  page and photos: {total / 1000:.0f} kB")
    check(total <= 400_000, f"page and photos are {total} bytes: {sizes}")
    page.click("#tourstart")
    for step, mode in enumerate(["photo", "blur", "cloud"], 1):
        page.wait(f"document.body.dataset.state === 'open' && document.body.dataset.shown === '{mode}'"
                        f" && document.getElementById('tourtext').textContent.startsWith('{step} of 3')"
                        " && !document.body.classList.contains('working') && !isBusy")
        check_look(page, f"tour-{step}")
        page.run("document.body.dataset.shown = ''")
        page.click("#tournext")
    check(page.run("document.getElementById('tour').hidden"), "the tour does not end")
    # The photo that was asked for last is the one that opens, also when it came first.
    page.hold("server", "fetch", "letGo")
    page.run("(() => { openOwn('armchair.jpg'); openOwn('example.jpg'); })()")
    page.wait("open?.file.name === 'example.jpg' && !document.body.classList.contains('working')")
    page.run("letGo()")
    time.sleep(0.5)
    expect(page, "[open?.file.name, opening === null]", ["example.jpg", True], "the last photo of the tour is")


def check_sizes(browser, address, photo):
    """Windows from 360 to 2560 pixels, and low ones: pictures and controls in sight, nothing cut off."""
    portrait = folder / "portrait.jpg"
    Image.open(photo).crop((140, 0, 500, 480)).save(portrait, quality=92)
    for width, height, path in [
        (360, 740, photo), (390, 844, photo), (390, 844, portrait), (640, 500, photo), (844, 390, photo),
        (1280, 500, photo), (1280, 800, portrait), (2560, 1440, photo),
    ]:
        name = f"{width}x{height}-{path.stem}"
        isTouch = width < 900
        page = browser.page(width=width, height=height, touch=isTouch, scheme="dark" if width == 390 else "light")
        page.driver.get(address)
        open_photo(page, path)
        choose(page, "blur")
        page.wait("!isBusy")
        check_look(page, name)
        left, top, right, bottom = box(page, "#photo")
        check(0 <= left and right <= width and 0 <= top and bottom <= height, f"{name}: the photo is at {left, top, right, bottom}")
        ratio = (right - left) / (bottom - top)
        check(abs(ratio - (4 / 3 if path == photo else 3 / 4)) < 0.02, f"{name}: the photo has the proportions {ratio:.2f}")
        area = (right - left) * (bottom - top) / (width * height)
        check(area > (0.14 if width > 820 else 0.2), f"{name}: the photo has {area:.0%} of the window")
        _, top, _, bottom = box(page, "#settings input")
        check(0 <= top and bottom <= height, f"{name}: the slider is at {top:.0f} to {bottom:.0f}")
        if width <= 820:
            page.click("#tabs button:nth-child(2)")
            page.wait("document.querySelector('#tabs button:nth-child(2)').ariaPressed === 'true'"
                            " && Math.abs(document.querySelector('#depth').getBoundingClientRect().left) < innerWidth / 2")
            time.sleep(0.4)
            check_look(page, f"{name}-depth")
        left, top, right, bottom = box(page, "#depth")
        check(-1 <= left and right <= width + 1 and 0 <= top and bottom <= height, f"{name}: the depth is at {left, top, right, bottom}")
        small = page.run("""[...document.querySelectorAll('button, select, summary, input:not([type=radio])')]
          .filter(e => e.checkVisibility() && !e.closest('.menu')).map(e => [e.id || e.textContent, e.getBoundingClientRect()])
          .filter(([, b]) => b.height < 24 || b.width < 24).map(([name]) => name).join()""")
        check(not small, f"{name}: too small to tap: {small}")
        check_quiet(page, name, address)
        check_order_of_focus(page, name)
    calm = browser.page(motion="reduce")
    calm.driver.get(address)
    open_photo(calm, photo)
    choose(calm, "wiggle")
    calm.wait("document.body.dataset.drawn === 'stereo 1280'")
    first = rgb(calm, "#photo")
    time.sleep(0.5)
    check((rgb(calm, "#photo") == first).all(), "the wiggle moves where motion is to be reduced")
