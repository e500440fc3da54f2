"""Checks of the first look, the tour and sizes of windows."""

import asyncio
import pathlib
import urllib.request

import numpy
from PIL import Image

from checking import box, check, check_quiet, choose, folder, open_photo, rgb
from reading import check_look, check_order_of_focus


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
    await check_look(page, "estimating")
    await page.run("letGo()")
    await page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working')")
    await check_look(page, "first-look")

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
    await check_look(page, "compare")
    await page.click("#compare")
    check(await page.run("document.getElementById('divider').hidden"), "the line stays")


async def check_subject(page, address, photo):
    """The page focuses where the program's subject is."""
    await choose(page, "blur")
    found = await page.run("open.map.at(open.subject.x, open.subject.y)")
    request = urllib.request.Request(f"{address}v1/effect?effect=blur&focus=subject", pathlib.Path(photo).read_bytes())
    with urllib.request.urlopen(request) as answer:
        wanted = float(answer.headers["Focus-Distance"])
    check(abs(found - wanted) < 1e-4, f"the page focuses at {found:.4f} m, the program's subject is at {wanted:.4f} m")
    check(await page.run("chosen.focus === open.subject"), "the page focuses on something else than the subject")


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
        await check_look(page, f"tour-{step}")
        await page.run("document.body.dataset.shown = ''")
        await page.click("#tournext")
    check(await page.run("document.getElementById('tour').hidden"), "the tour does not end")
    # The photo that was asked for last is the one that opens, also when it came first.
    await page.run("""(() => { const fetch = server.fetch.bind(server);
      server.fetch = async address => { server.fetch = fetch; await new Promise(go => { window.letGo = go; }); return fetch(address); };
      openOwn('armchair.jpg'); openOwn('example.jpg'); })()""")
    await page.wait("open?.file.name === 'example.jpg' && !document.body.classList.contains('working')")
    await page.run("letGo()")
    await asyncio.sleep(0.5)
    found = await page.run("[open?.file.name, opening === null]")
    check(found == ["example.jpg", True], f"an earlier photo of the tour came last: {found}")


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
        await check_look(page, name)
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
            await check_look(page, f"{name}-depth")
        left, top, right, bottom = await box(page, "#depth")
        check(-1 <= left and right <= width + 1 and 0 <= top and bottom <= height, f"{name}: the depth is at {left, top, right, bottom}")
        small = await page.run("""[...document.querySelectorAll('button, select, summary, input:not([type=radio])')]
          .filter(e => e.checkVisibility() && !e.closest('.menu')).map(e => [e.id || e.textContent, e.getBoundingClientRect()])
          .filter(([, b]) => b.height < 24 || b.width < 24).map(([name]) => name).join()""")
        check(not small, f"{name}: too small to tap: {small}")
        await check_quiet(page, name, address)
        await check_order_of_focus(page, name)
    calm = await browser.page(motion="reduce")
    await calm.open(address)
    await open_photo(calm, photo)
    await choose(calm, "wiggle")
    await calm.wait("document.body.dataset.drawn === 'stereo 1280'")
    first = await rgb(calm, "#photo")
    await asyncio.sleep(0.5)
    check((await rgb(calm, "#photo") == first).all(), "the wiggle moves where motion is to be reduced")
