"""Checks of the live camera, for which the browser has a film."""

import time
import base64
import re

import numpy
from PIL import Image

from checking import check, check_quiet, depth, expect, folder, read_pfm
from reading import check_look

clip_rate = 5
# From one frame of the clip to the next, in 255ths of what the browser shows of luma 16 to 235.
frame_step = 5 * 255 / 219


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


def check_zones(page):
    for metres, wanted in [
        ([0.5, 1.2, 3], [[0.5, "near"], [1.2, "close"], [3, "clear"]]), ([2, 0, 0.79], [[2, "clear"], [None, "blind"], [0.79, "near"]]),
    ]:
        values = numpy.repeat(numpy.float32(metres), 20)[None].repeat(40, 0).ravel().tolist()
        found = page.run(f"zonesOf(new DepthMap(40, 60, new Float32Array({values}))).map(z => [z.nearest, z.state])")
        right = all(a[1] == b[1] and (a[0] == b[0] or abs(a[0] - b[0]) < 1e-6) for a, b in zip(found, wanted))
        check(right, f"zones at {metres} m are {found}")
    # A speck of a hundredth is neither near nor the nearest thing.
    values = [0.3] * 8 + [2.0] * 2392
    expect(page, f"zonesOf(new DepthMap(40, 60, new Float32Array({values}))).map(z => z.state)", ["clear"] * 3, "a speck makes the zones")


def check_relative(page):
    """Maps of relative disparity are refused: they are not metres."""
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), } # unit: relative-disparity".ljust(117) + "\n"
    data = b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header.encode() + numpy.float32(1.5).tobytes()
    said = page.run(f"(() => {{ const bytes = Uint8Array.from(atob({base64.b64encode(data).decode()!r}), c => c.charCodeAt(0));"
                    " try { return String(DepthMap.fromNPY(bytes.buffer).at(0, 0)); } catch (error) { return error.message; } })()")
    check("no metres" in said, f"a NumPy file of relative disparity gives {said}")


def check_order(page):
    """While an estimate takes long no other begins; the next frame is newer than the end of the one before."""
    page.run("""(() => {
      const frameDepth = server.frameDepth.bind(server);
      Object.assign(window, { frames: [], underWay: 0, most: 0, hold: null, whole: frameDepth });
      server.frameDepth = async (file, signal) => {
        frames.push(file);
        most = Math.max(most, ++underWay);
        try { await hold; return await frameDepth(file, signal); } finally { underWay--; }
      };
      hold = new Promise(go => { window.letGo = go; });
      frames.length = 0;
    })()""")
    page.wait("frames.length === 1")
    # Six frames of the clip, however long the browser takes for them, during which the age grows.
    first, level = page.run("[live.run.age, square(live.run.video)]")
    page.wait(f"Math.round((square(live.run.video) - {level}) / {frame_step} + 40) % 40 >= 6")
    check(page.run("live.run.age") > first, f"a frame that was {first:.0f} ms old is no older six frames later")
    # Late zones look unlike new ones.
    page.wait("document.getElementById('zones').classList.contains('late')")
    released = page.run("(() => { hold = null; const now = square(live.run.video); letGo(); return now; })()")
    page.wait("frames.length >= 3")
    levels = page.run("Promise.all(frames.slice(0, 3).map(async file => square(await createImageBitmap(file))))")
    newer = (round((levels[1] - released) / frame_step) + 20) % 40 - 20
    check(newer >= 0, f"after a long estimate the frame sent is {-newer} frames older than its end")
    waited = round((levels[1] - levels[0]) / frame_step) % 40
    check(waited >= 4, f"six frames later the next frame sent is {waited} newer")
    check(page.run("most") == 1, "more than one frame is under way")
    page.run("server.frameDepth = whole")


def check_lost(page):
    """A camera that goes, that is not allowed yet, and that is stopped while it starts."""
    page.click("header .camera")
    page.wait("document.body.dataset.state === 'live'")
    page.run("live.run.stream.getVideoTracks()[0].dispatchEvent(new Event('ended'))")
    found = page.run("[document.body.dataset.state, live.isOn, document.getElementById('notice').textContent]")
    check(found[:2] == ["open", False] and "camera has stopped" in found[2], f"without its camera the page is {found}")
    page.hold("navigator.mediaDevices", "getUserMedia", "allow")
    page.click("header .camera")
    expect(page, "[document.querySelector('#live p').textContent, document.getElementById('take').checkVisibility(), document.getElementById('notice').hidden]",
           ["Waiting for the camera", False, True], "before the camera is allowed:")
    page.hold("factors", "ofCamera", "tell")
    page.run("allow()")
    page.wait("!!window.tell && !!(window.run = live.run)")
    page.click("#stop")
    page.run("tell()")
    time.sleep(0.3)
    expect(page, "[run.clock === undefined, run.stream.getVideoTracks()[0].readyState, live.isOn, document.getElementById('live').hidden]",
           [True, "ended", False, True], "stopped while it starts, the camera is")


def check_live(page, photo, address):
    """The browser's camera: depth of fresh frames, the nearest thing, a photo of it, and back."""
    page.driver.get(address)
    check_zones(page)
    check_relative(page)
    page.run("""(() => { window.count = 0; window.square = source => { const c = new OffscreenCanvas(1, 1), x = c.getContext('2d');
      x.drawImage(source, 16, 16, 16, 16, 0, 0, 1, 1); return x.getImageData(0, 0, 1, 1).data[0]; };
      const show = live.show; live.show = (...all) => { show(...all); count++; }; })()""")
    page.click("#welcome .camera")
    page.wait("count >= 12")
    check_look(page, "live")
    check_order(page)
    said = page.run("document.querySelector('#live p').textContent")
    check(re.search(r"Nearest [\d.]+ m · frame [\d.]+ s old · [\d.]+ maps", said), f"the camera's words are {said}")
    depth("predict", photo, "-o", folder / "d.pfm", "--overwrite")
    wanted = min(numpy.quantile(third, 0.05) for third in numpy.array_split(read_pfm(folder / "d.pfm"), 3, axis=1))
    found = page.run("Math.min(...live.run.zones.map(zone => zone.nearest))")
    check(abs(found - wanted) < 0.1 * wanted, f"the nearest thing is at {found:.2f} m, expected {wanted:.2f} m")
    expect(page, "[...document.querySelectorAll('#zones span')].map(zone => zone.dataset.state).join()",
           "clear,clear,clear", "the zones of a room are")
    page.click("#take")
    page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working')")
    expect(page, "[open.file.name, open.width, open.height, open.camera !== null, live.isOn, document.getElementById('live').hidden]",
           ["camera.jpg", 640, 480, True, False, True], "the photo of the camera is")
    page.click("header .camera")
    page.wait("document.body.dataset.state === 'live'")
    expect(page, "(window.track = live.run.stream.getVideoTracks()[0]).readyState", "live", "the track is")
    page.click("#stop")
    page.wait("document.body.dataset.state === 'open'")
    expect(page, "[track.readyState, open.file.name]", ["ended", "camera.jpg"], "after the camera:")
    check_lost(page)
    check_quiet(page, "camera", address)
