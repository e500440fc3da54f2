"""Checks of colors, metres, the ruler, the effects, the point cloud and refusals."""

import asyncio

import numpy
from PIL import Image

from checking import check, choose, complaints, depth, folder, open_photo, read_pfm, rgb, root
from reading import check_look


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
        await check_look(page, mode)
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
    await check_look(page, "wiggle")


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
    await check_look(page, "cloud")


async def check_refusals(page):
    """One clear sentence for files that are not photos; the photo that is open stays."""
    files = {
        "IMG_1.HEIC": (b"\0\0\0\x18ftypheic" + bytes(100), "damaged HEIC"), "text.jpg": (b"hello", "JPEG, PNG"),
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
    await check_look(page, "notice")
    check(await page.run("document.body.dataset.state") == "open", "a refused file closes the photo")
    await page.key("Escape", 27)
    check(await page.run("document.getElementById('notice').hidden"), "Escape does not close the notice")
    complaints(page)


async def check_dropped_while_busy(page, photo, other):
    """A photo that is dropped while an effect is made: its own effects work."""
    await open_photo(page, photo)
    await choose(page, "blur")
    await page.wait("!isBusy")
    await page.run("""(() => { const picture = server.picture.bind(server), open = server.open.bind(server);
      server.picture = async (...all) => { await new Promise(go => { window.letPictureGo = go; }); server.picture = picture; return picture(...all); };
      server.open = async (...all) => { await new Promise(go => { window.letOpenGo = go; }); server.open = open; return open(...all); };
    })()""")
    for value in [10, 12]:
        await page.run("(s => { s.value = %d; s.dispatchEvent(new Event('input')); })(document.querySelector('#settings input'))" % value)
    await page.wait("isBusy && isStale")
    await page.drop([str(other)])
    await page.wait("document.body.dataset.state === 'estimating'")
    await page.run("ruler.move(0, 0.2)")
    await page.run("letPictureGo()")
    await page.wait("!isBusy")
    await page.run("letOpenGo()")
    await page.wait(f"open?.file.name === '{other.name}' && !document.body.classList.contains('working') && !isBusy")
    await page.run("document.body.dataset.drawn = ''")
    await page.run("(s => { s.value = 14; s.dispatchEvent(new Event('input')); })(document.querySelector('#settings input'))")
    await page.wait("document.body.dataset.drawn.startsWith('effect')")


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
