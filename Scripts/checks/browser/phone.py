"""Checks of the page on a phone, and under a path of a proxy."""

import shutil

from checking import box, check, check_quiet, choose, expect, folder, open_photo, root, serve
from reading import check_look, check_order_of_focus


def check_phone(browser, address, photo):
    """390 × 844 points by touch: nothing to drop, a focal length with its label, and names for photos that fail."""
    page = browser.page(width=390, height=844, touch=True, scale=3)
    page.driver.get(address)
    seen = page.run("document.querySelector('#welcome p').innerText")
    check(seen.startswith("Choose photos") and "Drop" not in seen, f"on a phone the page says {seen!r}")
    check_look(page, "phone-welcome")
    check_order_of_focus(page, "phone-welcome")
    # Without Exif, so that the field is there; the browser's own word for a photo without a name.
    open_photo(page, photo)
    label = page.run("document.getElementById('lens').innerText.trim()")
    check("Focal length" in label and "mm" in label, f"the field of the focal length is called {label!r}")
    left, top, right, bottom = box(page, "#lens")
    check(0 <= left and right <= 390 and bottom - top < 60, f"the field of the focal length is at {left, top, right, bottom}")
    choose(page, "blur")
    page.wait("!isBusy")
    check_look(page, "phone-open")
    check_quiet(page, "phone", address)
    (folder / "half.jpg").write_bytes((root / "Examples/living-room.jpg").read_bytes()[:9000])
    shutil.copy(photo, folder / "whole.jpg")
    page.drop([str(folder / name) for name in ["half.jpg", "whole.jpg"]])
    page.wait("document.querySelector('#strip button')?.ariaLabel === 'half.jpg, not read'")
    said = page.run("document.getElementById('notice').textContent")
    check(said.startswith("half.jpg: "), f"of a photo that fails the page says {said!r}")
    check_look(page, "phone-failed")
    page.run("(strip.set([new File([], ''), new File([], '')]), 0)")
    expect(page, "[...document.querySelectorAll('#strip button')].map(b => b.ariaLabel)", ["Photo 1", "Photo 2"], "photos without names are called")
    page.complaints()


def check_under_path(browser, photo):
    """Behind a proxy that has other services at its name: all requests go to the path, which the address may end without."""
    with serve("--base-path", "/tools/depth") as address:
        check(address.endswith("/tools/depth/"), f"the server of a path says {address}")
        page = browser.page()
        page.driver.get(address.rstrip("/"))
        check(page.driver.current_url == address, f"{address} without its slash leads to {page.driver.current_url}")
        page.click("#example")
        page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working') && !isBusy")
        for mode in ["blur", "anaglyph"]:
            choose(page, mode)
            page.wait("!isBusy")
        check(page.run("document.querySelector('#example img').naturalWidth > 0"), "the example has no picture under a path")
        check_quiet(page, "under a path", address, address.rstrip("/"))
