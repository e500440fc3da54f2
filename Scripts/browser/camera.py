"""Checks of the live camera, for which the browser has a film."""

import re
import statistics

import numpy
from PIL import Image

from checking import check, check_quiet, depth, folder, read_pfm, screenshot

clip_rate = 5


def write_clip(photo, path):
    """A film of a photo whose top left square gets brighter with each frame, for the browser's camera."""
    plain = Image.open(photo).convert("YCbCr")
    chroma = [band.resize((320, 240)).tobytes() for band in plain.split()[1:]]
    light = numpy.asarray(plain)[..., 0].copy()
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W640 H480 F{clip_rate}:1 Ip A1:1 C420jpeg\n".encode())
        for frame in range(40):
            light[:64, :64] = 30 + 5 * frame
            file.write(b"FRAME\n" + light.tobytes() + b"".join(chroma))


async def check_zones(page):
    for metres, wanted in [
        ([0.5, 1.2, 3], [[0.5, "near"], [1.2, "close"], [3, "clear"]]), ([2, 0, 0.79], [[2, "clear"], [None, "blind"], [0.79, "near"]]),
    ]:
        values = numpy.repeat(numpy.float32(metres), 20)[None].repeat(40, 0).ravel().tolist()
        found = await page.run(f"zonesOf(new DepthMap(40, 60, new Float32Array({values}))).map(z => [z.nearest, z.state])")
        right = all(a[1] == b[1] and (a[0] == b[0] or abs(a[0] - b[0]) < 1e-6) for a, b in zip(found, wanted))
        check(right, f"zones at {metres} m are {found}")
    # A speck of a hundredth is neither near nor the nearest thing.
    values = [0.3] * 8 + [2.0] * 2392
    found = await page.run(f"zonesOf(new DepthMap(40, 60, new Float32Array({values}))).map(z => z.state)")
    check(found == ["clear"] * 3, f"a speck makes the zones {found}")


async def check_live(page, photo, address):
    """The browser's camera: depth of fresh frames, the nearest thing, a photo of it, and back."""
    await page.open(address)
    await check_zones(page)
    await page.run("""(() => { window.lags = []; const square = source => { const c = new OffscreenCanvas(1, 1), x = c.getContext('2d');
      x.drawImage(source, 16, 16, 16, 16, 0, 0, 1, 1); return x.getImageData(0, 0, 1, 1).data[0]; };
      const show = live.show; live.show = (picture, map) => { show(picture, map); const run = live.run;
        lags.push([square(picture), square(run.video), run.duration]); }; })()""")
    await page.click("#welcome .camera")
    await page.wait("lags.length >= 12")
    await screenshot(page, "live")
    lags = await page.run("lags")
    # The middle one of all frames: a busy machine stops the browser's own clip for a while.
    late = statistics.median((round((now - shown) / 5) % 40) / clip_rate for shown, now, _ in lags[1:])
    duration = statistics.median(duration for _, _, duration in lags[1:]) / 1000
    check(late <= 2 * duration + 1 / clip_rate, f"frames are shown {late:.1f} s late, an estimate takes {duration:.2f} s")
    said = await page.run("document.querySelector('#live p').textContent")
    check(re.search(r"Nearest [\d.]+ m · frame [\d.]+ s old · [\d.]+ maps", said), f"the camera's words are {said}")
    depth("predict", photo, "-o", folder / "d.pfm", "--overwrite")
    wanted = min(numpy.quantile(third, 0.05) for third in numpy.array_split(read_pfm(folder / "d.pfm"), 3, axis=1))
    found = await page.run("Math.min(...live.run.zones.map(zone => zone.nearest))")
    check(abs(found - wanted) < 0.1 * wanted, f"the nearest thing is at {found:.2f} m, expected {wanted:.2f} m")
    states = await page.run("[...document.querySelectorAll('#zones span')].map(zone => zone.dataset.state).join()")
    check(states == "clear,clear,clear", f"the zones of a room are {states}")
    await page.click("#take")
    await page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working')")
    found = await page.run("[open.file.name, open.width, open.height, open.camera !== null, live.isOn, document.getElementById('live').hidden]")
    check(found == ["camera.jpg", 640, 480, True, False, True], f"the photo of the camera is {found}")
    await page.click("header .camera")
    await page.wait("document.body.dataset.state === 'live'")
    track = await page.run("(window.track = live.run.stream.getVideoTracks()[0]).readyState")
    await page.click("#stop")
    await page.wait("document.body.dataset.state === 'open'")
    found = [track, await page.run("track.readyState"), await page.run("open.file.name")]
    check(found == ["live", "ended", "camera.jpg"], f"after the camera: {found}")
    await check_quiet(page, "camera", address)
