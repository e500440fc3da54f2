"""Checks of the Save menu, whose files are opened again, and of several photos."""

import io
import json
import pathlib
import re
import shutil
import struct

import numpy
from PIL import Image

from checking import arrived, check, choose, depth, folder, open_photo, read_pfm, root
from reading import check_look


def read_glb(path):
    """The number of vertices and the size of the texture of a binary glTF file whose parts are where it says they are."""
    data = path.read_bytes()
    magic, version, length, size, kind = struct.unpack("<4sIII4s", data[:20])
    scene = json.loads(data[20:20 + size])
    check((magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON"), f"{path.name} is not a binary glTF file")
    part = scene["meshes"][0]["primitives"][0]
    picture = scene["bufferViews"][scene["images"][0]["bufferView"]]
    start = 20 + size + 8 + picture.get("byteOffset", 0)
    texture = Image.open(io.BytesIO(data[start:start + picture["byteLength"]]))
    return scene["accessors"][part["attributes"]["POSITION"]]["count"], texture.size


def read_ply(path):
    header = path.read_bytes().split(b"end_header")[0].decode()
    return int(re.search(r"element vertex (\d+)", header)[1])


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
        ("blur", "One above the other", "photo_TBF_fulltb.jpg", (640, 960)), ("blur", "MPO", "photo.mpo", whole),
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
    same_map = {"png": lambda path: numpy.asarray(Image.open(path)).tolist(), "pfm": lambda path: read_pfm(path).tolist(), "exr": pathlib.Path.read_bytes}
    for title, kind in [("16-bit PNG", "png"), ("32-bit PFM", "pfm"), ("OpenEXR", "exr")]:
        depth("predict", photo, "-o", folder / f"d.{kind}", "--overwrite")
        found = saved(page, title, f"photo_depth.{kind}")
        check(same_map[kind](found) == same_map[kind](folder / f"d.{kind}"), f"{found.name} is not the map of the command line")
    found = numpy.load(saved(page, "NumPy array", "photo_depth.npy"))
    check((found == read_pfm(folder / "d.pfm")).all(), "photo_depth.npy is not the map of the command line")
    facts = json.loads((saved(page, "Facts", "photo_depth.json")).read_text())
    check([facts["width"], facts["height"]] == [640, 480] and abs(facts["near_m"] - found.min()) < 1e-4, f"photo_depth.json says {facts}")
    vertices, size = read_glb(saved(page, "Mesh", "photo.glb"))
    check(vertices > 1000 and size == (640, 480), f"the mesh has {vertices} vertices and a texture of {size}")
    points = read_ply(saved(page, "Point cloud", "photo.ply"))
    check(points > 100_000, f"the point cloud has {points} points")
    check(b"</html>" in saved(page, "This page with the photo", "photo.html").read_bytes(), "the page that was saved has no end")
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
    saved(page, "3 depth maps", "three_depth.png")
    for name in ["one", "two", "three"]:
        depth("predict", folder / f"{name}.jpg", "-o", folder / "d.png", "--overwrite")
        found = folder / "saved" / f"{name}_depth.png"
        check(found.exists() and (numpy.asarray(Image.open(found)) == numpy.asarray(Image.open(folder / "d.png"))).all(),
              f"{name}_depth.png is missing or another map")
