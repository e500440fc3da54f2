"""Checks of the Save menu, whose files are opened again, and of several photos."""

import json
import shutil

import numpy
from PIL import Image

from checking import arrived, check, choose, depth, folder, open_photo, root
from reading import check_look


# Entries of the Save menu that were chosen.
tried = set()


def saved(page, title, name):
    """Chooses an entry of the Save menu and waits for its file."""
    tried.add(title)
    path = folder / "saved" / name
    path.unlink(missing_ok=True)
    page.click("#saving summary")
    page.wait("document.getElementById('saving').open && !!document.querySelector('#saves button')")
    page.run(f"[...document.querySelectorAll('#saves button')].find(b => b.firstChild.textContent === {title!r}).click()")
    return arrived(page, path)


def check_saves(page, photo):
    """Everything in the Save menu, opened again."""
    open_photo(page, photo)
    choose(page, "blur")
    page.click("#saving summary")
    page.wait("!!document.querySelector('#saves button')")
    check_look(page, "save-menu")
    page.run("document.querySelectorAll('#saves button')[1].focus()")
    page.key("Escape")
    check(page.run("[document.getElementById('saving').open, document.activeElement.textContent]") == [False, "Save"],
          "Escape in the Save menu does not give the focus back")
    whole, twice = (640, 480), (1280, 480)
    for mode, title, name, size in [
        ("blur", "Lens blur", "photo_blur.jpg", whole), ("blur", "Depth in colors", "photo_colors.png", whole),
        ("blur", "Side by side", "photo_LRF_Full_SBS.jpg", twice), ("blur", "Side by side, half width", "photo_LR.jpg", whole),
        ("blur", "Top and bottom", "photo_TBF_fulltb.jpg", (640, 960)), ("blur", "MPO", "photo.mpo", whole),
        ("blur", "GIF", "photo_wiggle.gif", whole), ("blur", "Quilt", "photo_qs8x6a1.33.jpg", None),
        ("anaglyph", "3D glasses", "photo_anaglyph.jpg", whole), ("wiggle", "Wiggle", "photo_wiggle.png", whole),
    ]:
        if mode != "blur":
            choose(page, mode)
        picture = Image.open(saved(page, title, name))
        picture.load()
        check(size is None or picture.size == size, f"{name} has {picture.size} pixels, expected {size}")
        said = page.run("document.getElementById('saved').textContent")
        check(name in said and "B." in said, f"{name}: the page says {said!r}")
    for title, name, command in [
        ("16-bit PNG", "photo_depth.png", "predict"), ("32-bit PFM", "photo_depth.pfm", "predict"), ("OpenEXR", "photo_depth.exr", "predict"),
        ("NumPy array", "photo_depth.npy", "predict"), ("NumPy archive", "photo_depth.npz", "predict"),
        ("Mesh", "photo.glb", "export"), ("Point cloud", "photo.ply", "export"),
        ("This page with the photo", "photo.html", "export"),
    ]:
        depth(command, photo, "-o", folder / name, "--overwrite")
        check(saved(page, title, name).read_bytes() == (folder / name).read_bytes(), f"{name} is not the file of the command line")
    facts, nearest = json.loads((saved(page, "Facts", "photo_depth.json")).read_text()), numpy.load(folder / "photo_depth.npy").min()
    check([facts["width"], facts["height"]] == [640, 480] and abs(facts["near_m"] - nearest) < 1e-4, f"photo_depth.json says {facts}")
    left = set(page.run("saves(open).map(entry => entry.title)")) - tried
    check(not left, f"entries of the Save menu that no check chooses: {left}")


def check_unknown_length(page):
    """A proxy that compresses answers takes the length out of them."""
    page.run("""(() => { const fetch = server.fetch.bind(server);
      server.fetch = async (...all) => { server.fetch = fetch; const { body, headers } = await fetch(...all);
        return new Response(body, { headers: { 'Content-Type': headers.get('Content-Type') } }); }; })()""")
    check(Image.open(saved(page, "16-bit PNG", "photo_depth.png")).size == (640, 480), "a save of unknown length is not whole")
    check(page.run("document.getElementById('notice').hidden"), "a save of unknown length is a failure")


def check_cancel(page):
    """A save that is cancelled leaves no file and no trace."""
    before = set((folder / "saved").iterdir())
    page.run("(() => { const made = server.made.bind(server); server.made = async (...all) => { server.made = made;"
             " await new Promise((go, stop) => all[4].addEventListener('abort', () => stop(all[4].reason))); }; })()")
    page.click("#saving summary")
    page.wait("!!document.querySelector('#saves button')")
    page.run("[...document.querySelectorAll('#saves button')].find(b => b.firstChild.textContent === 'Mesh').click()")
    page.wait("document.body.classList.contains('working')")
    check_look(page, "saving")
    page.click("#cancel")
    page.wait("!document.body.classList.contains('working')")
    check(page.run("document.getElementById('notice').hidden"), "a save that was cancelled is a failure")
    check(set((folder / "saved").iterdir()) == before, "a save that was cancelled left a file")


def check_strip(page):
    """Several photos at once."""
    for name, of in [("one", "living-room"), ("two", "dining-table"), ("three", "fruit-bowl")]:
        shutil.copy(root / f"Examples/{of}.jpg", folder / f"{name}.jpg")
    open_photo(page, *(folder / f"{name}.jpg" for name in ["one", "two", "three"]))
    page.wait("!isBusy")
    labels = "[...document.querySelectorAll('#strip button')].map(b => b.ariaLabel + b.ariaPressed).join()"
    check(page.run(labels) == "one.jpgtrue,two.jpgfalse,three.jpgfalse", "the strip is another one")
    page.click("#strip button:nth-child(3)")
    page.wait("open?.file.name === 'three.jpg' && !document.body.classList.contains('working')")
    check(page.run(labels) == "one.jpgfalse,two.jpgfalse,three.jpgtrue", "the strip marks another photo")
    check_look(page, "strip")
