// Live depth of the device's camera, with the nearest distance in each third of the picture.

/** The rule of `depth watch`: an object is near if a tenth of a zone is nearer than this distance in metres. */
const nearMetres = 0.8;

/** The nearest distance in the left, middle and right third of a map, with the state of each third. */
function zonesOf(map) {
  const zones = [[], [], []];
  for (let y = 0; y < map.height; y += 2) {
    for (let x = 0; x < map.width; x += 2) {
      const metres = map.at(x, y);
      if (metres !== null) zones[Math.floor(3 * x / map.width)].push(metres);
    }
  }
  const seen = map.height * map.width / 12;
  return zones.map(zone => {
    // So few values do not show what is in front.
    if (zone.length < 0.3 * seen) return { nearest: null, state: 'blind' };
    const sorted = Float64Array.from(zone).sort(), share = limit => sorted.findLastIndex(metres => metres < limit) + 1;
    const state = share(nearMetres) > zone.length / 10 ? 'near' : share(2 * nearMetres) > zone.length / 10 ? 'close' : 'clear';
    return { nearest: sorted[Math.floor(zone.length / 20)], state };
  });
}

class Live {
  /**
   * @param element The bar with the words and buttons.
   * @param zones The element with one child for each zone.
   * @param show Called with a frame and its depth map.
   * @param lost Called when the camera stops.
   */
  constructor(element, zones, show, lost) {
    [this.element, this.zones, this.show, this.lost] = [element, zones, show, lost];
    this.text = element.querySelector('p');
    this.run = null;
  }

  static get works() { return isSecureContext && !!navigator.mediaDevices?.getUserMedia; }

  get isOn() { return this.run !== null; }

  /** Asks for the camera and shows its depth until `stop()`. */
  async start() {
    this.stop();
    const run = this.run = { controller: new AbortController(), count: 0 };
    try {
      run.stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: 'environment', width: { ideal: 1280 } } });
      if (this.run !== run) return this.end(run);
      const [track] = run.stream.getVideoTracks();
      run.name = track.label || 'camera';
      // The camera was unplugged, or the person withdrew the permission.
      track.addEventListener('ended', () => this.run === run && this.lost());
      run.video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: run.stream });
      this.follow(run);
      await run.video.play();
      run.factor = await factors.ofCamera(run.name);
      if (this.run !== run) return;
      run.clock = setInterval(() => this.tell(run), 100);
      while (this.run === run) await this.frame(run);
    } catch (error) {
      if (this.run === run) throw error;
    } finally {
      if (this.run === run) this.stop();
    }
  }

  /** Stores the time of the newest frame if the browser reports frames. The stored time of a stopped camera does not advance. */
  follow(run) {
    if (!run.video.requestVideoFrameCallback) return;
    const note = (now, { captureTime }) => {
      run.captured = captureTime ?? now;
      if (this.run === run) run.video.requestVideoFrameCallback(note);
    };
    run.video.requestVideoFrameCallback(note);
  }

  /** Processes the newest frame of the camera, after the depth of the previous frame was shown. */
  async frame(run) {
    const sent = performance.now(), taken = run.captured ?? sent, { video } = run, scale = Math.min(1, 640 / Math.max(video.videoWidth, video.videoHeight));
    const picture = new OffscreenCanvas(Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale));
    picture.getContext('2d').drawImage(video, 0, 0, picture.width, picture.height);
    const file = await picture.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    const map = (await server.frameDepth(file, run.controller.signal)).scaled(run.factor);
    if (this.run !== run) return;
    Object.assign(run, { taken, count: run.count + 1, duration: performance.now() - sent, zones: zonesOf(map) });
    this.show(picture, map);
    run.zones.forEach(({ nearest, state }, index) => {
      const zone = this.zones.children[index];
      zone.dataset.state = state;
      zone.firstElementChild.textContent = nearest === null ? '?' : metresText(nearest);
    });
    this.tell(run);
  }

  /** Shows the nearest distance, and the age of the frame. */
  tell(run) {
    if (!run.taken) return;
    const nearest = Math.min(...run.zones.map(zone => zone.nearest ?? Infinity));
    run.age = performance.now() - run.taken;
    this.text.textContent = `${nearest === Infinity ? 'No depth in front' : `Nearest ${metresText(nearest)}`}`
      + ` · frame ${(run.age / 1000).toFixed(1)} s old · ${(1000 / run.duration).toFixed(1)} maps per second`;
    // Late frames do not show what is in front now. In the dark, a camera delivers five frames a second.
    this.zones.classList.toggle('late', run.age > 2 * run.duration + 300);
  }

  /** The newest picture of the camera at its full size, as a file. */
  async photo() {
    const { video, name } = this.run, picture = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    picture.getContext('2d').drawImage(video, 0, 0);
    const blob = await picture.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
    return Object.assign(new File([blob], 'camera.jpg', { type: 'image/jpeg' }), { camera: name });
  }

  stop() {
    const { run } = this;
    this.run = null;
    if (run) this.end(run);
  }

  end(run) {
    run.controller.abort();
    clearInterval(run.clock);
    run.stream?.getTracks().forEach(track => track.stop());
  }
}

// The camera's pictures on the page.

/** Shows a frame of the camera and its depth. */
function showFrame(picture, map) {
  if (document.body.dataset.state !== 'live') beginLive();
  $('take').hidden = false;
  size(map.width, map.height);
  drawPhoto(picture);
  const context = $('depth').getContext('2d'), pixels = context.createImageData(map.width, map.height);
  map.paint(pixels.data, tables[chosen.colors], { near: map.quantile(0.02), far: map.quantile(0.98) }, false);
  context.putImageData(pixels, 0, 0);
}

function beginLive() {
  hideOpen('live');
  for (const id of ['live', 'zones']) $(id).hidden = false;
}

async function startLive() {
  opening?.abort();
  notice('');
  $('live').hidden = false;
  $('take').hidden = true;
  live.text.textContent = 'Waiting for the camera';
  try { await live.start(); } catch (error) {
    notice(error.name === 'NotAllowedError' ? 'The browser was not allowed to use the camera.' : sentence(error));
  }
  // The camera continues if it was started again in the meantime.
  if (!live.isOn) endLive();
}

/** Reports that the camera was unplugged or the permission withdrawn. */
function lostLive() {
  endLive();
  notice('The camera has stopped.');
}

/** Shows the previously open photo again, unless another photo has been opened since. */
function endLive() {
  live.stop();
  for (const id of ['live', 'zones']) $(id).hidden = true;
  if (document.body.dataset.state === 'live') goBack();
}
