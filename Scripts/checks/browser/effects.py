"""Checks of colors, metres, the ruler, the effects, the point cloud and refusals."""

import time

import numpy
from PIL import Image

from checking import check, choose, depth, difference, expect, folder, open_photo, picture, read_pfm, rgb, root, set_value
from reading import check_look


def check_colors(page, photo):
    """The colors that the page computes are the command line's, over the whole range."""
    for handle, key in [(0, "Home"), (1, "End")]:
        page.run(f"document.querySelectorAll('#ruler .handle')[{handle}].focus()")
        page.key(key)
    for colors in ["gray", "inferno", "magma", "viridis", "turbo", "spectral"]:
        view = folder / f"{colors}.png"
        depth("predict", photo, "-o", folder / "d.png", "--view", view, "--color-map", colors, "--overwrite")
        set_value(page, "#colormap", colors, "change")
        shown, wanted = rgb(page, "#depth"), picture(view)
        off = numpy.abs(shown - wanted).max() if shown.shape == wanted.shape else 999
        check(off <= 1, f"{colors}: {off} / 255 off the command line's picture")


def check_metres(page, photo):
    """Metres under the pointer, and by the keys."""
    depth("predict", photo, "-o", folder / "d.pfm", "--overwrite")
    metres = read_pfm(folder / "d.pfm")
    height, width = metres.shape
    text = lambda value: f"{value * 100:.0f} cm" if value < 1 else f"{value:.{2 if value < 10 else 1}f} m"
    for selector, (across, down) in [("#photo", (0.1, 0.9)), ("#depth", (0.6, 0.4)), ("#photo", (0.85, 0.75))]:
        x, y = page.middle(selector, across, down)
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        said = page.run("document.getElementById('metres').textContent")
        around = metres[int(down * height) - 1:int(down * height) + 2, int(across * width) - 1:int(across * width) + 2]
        check(said in {text(value) for value in around.flat}, f"{selector} says {said}, expected {text(around[1, 1])}")
    page.run("document.getElementById('photo').focus()")
    page.key("ArrowRight")
    check(" m" in page.run("document.getElementById('metres').textContent"), "no metres by the keys")


def check_focus(page, photo, tap):
    """A tap focuses there; the picture is the command line's, but for the JPEG in between."""
    choose(page, "photo")
    tap("#photo", 0.25, 0.75)
    page.wait("document.body.dataset.shown === 'blur'")
    x, y = page.run("[chosen.focus.x, chosen.focus.y]")
    page.run("document.body.dataset.drawn = ''")
    set_value(page, "#settings input", page.run("fNumbers.indexOf(1.2)"))
    page.wait("document.body.dataset.drawn === 'effect 640'")
    expect(page, "document.querySelector('#settings output').textContent", "f/1.2", "the aperture is")
    depth("effect", "blur", photo, "--focus-at", f"{x},{y}", "--aperture", "f/1.2", "--lens", "85mm", "--focal-length", "525px",
          "-o", folder / "blur.png", "--overwrite")
    shown = rgb(page, "#photo")
    off = difference(shown, picture(folder / "blur.png"))
    check(off < 2.5, f"blur: {off:.2f} / 255 off the command line's picture on average")
    check(difference(shown, picture(photo)) > 2 * off, "blur: the photo is not blurred")


def check_ruler(page):
    before = rgb(page, "#depth")
    page.run("document.querySelectorAll('#ruler .handle')[1].focus()")
    page.key("PageDown", 4)
    far, limit, text = page.run("[ruler.range.far, open.map.far, document.querySelectorAll('#ruler .handle')[1].getAttribute('aria-valuetext')]")
    check(far < limit and text.startswith(f"{far:.2f}"), f"the far handle says {text} at {far} m of {limit} m")
    check((rgb(page, "#depth") != before).any(), "the ruler changes nothing")
    page.key("End")
    check((rgb(page, "#depth") == before).all(), "the whole range is not the range of before")


def check_range(page, photo):
    """The ruler's two handles are the range of a mask; the picture is the command line's."""
    choose(page, "spotlight")
    set_value(page, "#settings select", "true", "change")
    page.run("ruler.move(0, 0.3); ruler.move(1, 0.6)")
    page.wait("!isBusy")
    near, far = page.run("[ruler.range.near, ruler.range.far]")
    depth("effect", "spotlight", photo, "--from", f"{near:.4f}m", "--to", f"{far:.4f}m", "--soft", "0.1m",
          "-o", folder / "range.png", "--overwrite")
    shown, wanted = rgb(page, "#photo"), picture(folder / "range.png")
    off = difference(shown, wanted)
    check(off < 2.5, f"range: {off:.2f} / 255 off the command line's picture on average")
    check((wanted == 0).mean() > 0.2 and (wanted > 0).mean() > 0.05, "range: nothing is kept, or all")
    check_look(page, "range")
    set_value(page, "#settings select", "false", "change")
    page.wait("!isBusy")


def check_effects(page):
    seen = {rgb(page, "#photo").tobytes(): "photo"}
    for mode in ["highlight", "spotlight", "haze", "anaglyph"]:
        choose(page, mode)
        time.sleep(0.4)
        same = seen.setdefault(rgb(page, "#photo").tobytes(), mode)
        check(same == mode, f"{mode} looks like {same}")
        check_look(page, mode)
    choose(page, "wiggle")
    first = rgb(page, "#photo")
    check(any((time.sleep(0.07), rgb(page, "#photo") != first)[1].any() for _ in range(20)), "the wiggle stands still")
    check_look(page, "wiggle")


def check_cloud(page):
    choose(page, "cloud")
    read = ("(() => { const g = cloud.gl, d = new Uint8Array(4 * g.drawingBufferWidth * g.drawingBufferHeight);"
            " g.readPixels(0, 0, g.drawingBufferWidth, g.drawingBufferHeight, g.RGBA, g.UNSIGNED_BYTE, d);"
            " let n = 0, sum = 0; for (let i = 0; i < d.length; i += 4) { n += d[i] > 40; sum += d[i] * (i % 1013); }"
            " return [n / d.length * 4, sum]; })()")
    share, sum1 = page.run(read)
    check(share > 0.3, f"the point cloud fills {share:.0%} of its picture")
    page.run("document.getElementById('cloud').focus()")
    page.key("ArrowRight")
    check((page.run(read))[1] != sum1, "the point cloud does not turn")
    check_look(page, "cloud")


def check_refusals(page):
    """One clear sentence for files that are not photos; the photo that is open stays."""
    files = {
        "IMG_1.HEIC": (b"\0\0\0\x18ftypheic" + bytes(100), "damaged HEIC"), "text.jpg": (b"hello", "JPEG, PNG"),
        "half.jpg": ((root / "Examples/living-room.jpg").read_bytes()[:9000], "half.jpg"), "empty.png": (b"", "empty"),
    }
    for name, (data, word) in files.items():
        (folder / name).write_bytes(data)
        page.run("notice('')")
        page.drop([str(folder / name)])
        page.wait("!document.getElementById('notice').hidden")
        said = page.run("document.getElementById('notice').textContent")
        check(word in said and said.count("{") == 0, f"{name}: the page says {said}")
        page.wait("!document.body.classList.contains('working')")
    check_look(page, "notice")
    check(page.run("document.body.dataset.state") == "open", "a refused file closes the photo")
    page.key("Escape")
    check(page.run("document.getElementById('notice').hidden"), "Escape does not close the notice")
    page.complaints()


def check_dropped_while_busy(page, photo, other):
    """A photo that is dropped while an effect is made: its own effects work."""
    open_photo(page, photo)
    choose(page, "blur")
    page.wait("!isBusy")
    page.hold("server", "picture", "letPictureGo")
    page.hold("server", "open", "letOpenGo")
    for value in [10, 12]:
        set_value(page, "#settings input", value)
    page.wait("isBusy && isStale")
    page.drop([str(other)])
    page.wait("document.body.dataset.state === 'estimating'")
    page.run("ruler.move(0, 0.2)")
    page.run("letPictureGo()")
    page.wait("!isBusy")
    page.run("letOpenGo()")
    page.wait(f"open?.file.name === '{other.name}' && !document.body.classList.contains('working') && !isBusy")
    page.run("document.body.dataset.drawn = ''")
    set_value(page, "#settings input", 14)
    page.wait("document.body.dataset.drawn.startsWith('effect')")


def open_large(page):
    """A photo of two megapixels, blurred."""
    Image.open(root / "Examples/living-room.jpg").resize((1632, 1224), Image.LANCZOS).save(folder / "large.jpg", quality=92)
    open_photo(page, folder / "large.jpg")
    choose(page, "blur")
    page.wait("!isBusy")
