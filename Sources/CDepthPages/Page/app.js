// The page: what is open, which effect is chosen, and what is shown for it.

const $ = id => document.getElementById(id);
const server = new Server();
const tables = colorTables();
const colorNames = { inferno: 'Inferno', turbo: 'Turbo', viridis: 'Viridis', magma: 'Magma', spectral: 'Spectral', gray: 'Gray' };
/** The open photo: its file, id, bitmap, depth map and facts; null for none. */
let open = null;
/** What the person chose; stays when another photo is opened. */
const chosen = {
  mode: 'photo', colors: 'inferno', focus: null, radius: 45, slope: 4, density: 0.3, shift: 1,
  glasses: 'anaglyph', isMoving: !matchMedia('(prefers-reduced-motion: reduce)').matches,
};

const isPercent = value => `${value < 1 ? value.toFixed(2) : value.toFixed(1)} %`;
/** A share of the width, from a slider that is finer where blur is small. */
const radius = () => 3 * (chosen.radius / 100) ** 2;

const modes = {
  photo: { name: 'Photo', settings: () => [paragraph('Point at anything to read its distance. Tap it to focus there.')] },
  blur: {
    name: 'Lens blur', needsServer: true, hasFocus: true,
    settings: () => [slider('Aperture', {
      min: 0, max: 100, step: 1, value: chosen.radius, text: () => isPercent(radius()),
      onInput: value => { chosen.radius = value; refresh(); },
    }), focusHint()],
    request: () => ['effect', { effect: 'blur', radius: (radius() / 100).toFixed(5) }],
    // Its time grows with pixels times radius in pixels: half a minute on one processor is the most that is offered.
    maximum: photo => Math.floor((1e9 / (Math.max(radius(), 0.01) / 100 * Math.sqrt(photo.width / photo.height))) ** (2 / 3)),
  },
  highlight: {
    name: 'Color pop', needsServer: true, hasFocus: true, settings: () => [slopeSlider(), focusHint()],
    request: () => ['effect', { effect: 'highlight', slope: chosen.slope }],
  },
  spotlight: {
    name: 'Spotlight', needsServer: true, hasFocus: true, settings: () => [slopeSlider(), focusHint()],
    request: () => ['effect', { effect: 'spotlight', slope: chosen.slope }],
  },
  haze: {
    name: 'Haze', needsServer: true,
    settings: () => [slider('Density', {
      min: 0, max: 1, step: 0.01, value: chosen.density, text: value => `${value.toFixed(2)} / m`,
      onInput: value => { chosen.density = value; refresh(); },
    })],
    request: () => ['effect', { effect: 'haze', density: chosen.density }],
  },
  wiggle: {
    name: 'Wiggle', needsServer: true,
    settings: () => [shiftSlider(), choice('Motion', [['true', 'Moving'], ['false', 'Still']], String(chosen.isMoving),
      value => { chosen.isMoving = value === 'true'; refresh(); })],
    request: () => ['stereo', { format: 'sbs', shift: `${chosen.shift}%` }],
    save: { format: 'wiggle' },
  },
  anaglyph: {
    name: '3D glasses', needsServer: true,
    settings: () => [shiftSlider(), choice('Glasses',
      [['anaglyph', 'Red and cyan'], ['anaglyph-green-magenta', 'Green and magenta'], ['anaglyph-amber-blue', 'Amber and blue']],
      chosen.glasses, value => { chosen.glasses = value; refresh(); })],
    request: () => ['stereo', { format: chosen.glasses, shift: `${chosen.shift}%` }],
  },
  cloud: { name: 'Point cloud', settings: () => [paragraph('Drag to turn, pinch or scroll to come closer, double-click to start again.')] },
};

function focusHint() {
  const depth = open && chosen.focus ? open.map.at(chosen.focus.x, chosen.focus.y) : null;
  return paragraph(depth === null ? 'Tap the photo to focus.' : `In focus: ${metresText(depth)}. Tap the photo to focus elsewhere.`);
}
function slopeSlider() {
  return slider('Sharpness', {
    min: 1, max: 20, step: 0.5, value: chosen.slope, text: value => value.toFixed(1),
    onInput: value => { chosen.slope = value; refresh(); },
  });
}
function shiftSlider() {
  return slider('Depth', {
    min: 0.2, max: 3, step: 0.1, value: chosen.shift, text: isPercent,
    onInput: value => { chosen.shift = value; refresh(); },
  });
}

// What is shown.

const panes = [
  new Pane($('photopane'), $('photo'), (pixel, isChosen) => point(panes[0], pixel, isChosen)),
  new Pane($('depthpane'), $('depth'), (pixel, isChosen) => point(panes[1], pixel, isChosen)),
];
const ruler = new Ruler($('ruler'), () => paintDepth());
const cloud = new Cloud($('cloud'));

/** Shows the distance of a pixel in both pictures and on the ruler; a chosen one comes into focus. */
function point(pane, pixel, isChosen) {
  if (!open) return;
  const metres = pixel ? open.map.at(pixel.x, pixel.y) : null;
  panes.forEach(other => other.point(pixel));
  ruler.point(metres);
  $('metres').hidden = !pixel;
  if (pixel) {
    const place = pane.place(pixel), box = document.querySelector('main').getBoundingClientRect();
    $('metres').textContent = metresText(metres);
    const left = Math.min(place.x - box.left + 14, box.width - 80);
    $('metres').style.transform = `translate(${left}px, ${Math.max(0, place.y - box.top - 40)}px)`;
  }
  if (!isChosen || metres === null || chosen.mode === 'cloud') return;
  chosen.focus = pixel;
  if (modes[chosen.mode].hasFocus || open.isEmbedded) refresh();
  else choose('blur');
  showSettings();
}

function paintDepth() {
  const context = $('depth').getContext('2d');
  const picture = context.createImageData(open.map.width, open.map.height);
  open.map.paint(picture.data, tables[chosen.colors], ruler.range);
  context.putImageData(picture, 0, 0);
}

function drawPhoto(bitmap) {
  const canvas = $('photo');
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
}

let wiggle = 0;
function startWiggle(pair) {
  let side = 0;
  const show = () => {
    const half = pair.width / 2, canvas = $('photo');
    canvas.getContext('2d').drawImage(pair, side * half, 0, half, pair.height, 0, 0, canvas.width, canvas.height);
    side = 1 - side;
  };
  show();
  if (chosen.isMoving) wiggle = setInterval(show, 130);
}

// One request at a time: while a slider moves, what it passed meanwhile is left out. Where the photo is large,
// a draft comes first and the whole picture when nothing has changed for a moment.
let isBusy = false, isStale = false, finishing = null, rest = 0;
async function refresh() {
  if (!open) return;
  clearTimeout(rest);
  finishing?.abort();
  if (isBusy) { isStale = true; return; }
  isBusy = true;
  do {
    isStale = false;
    await attempt(open, modes[chosen.mode], true);
  } while (isStale);
  isBusy = false;
  document.body.dataset.shown = chosen.mode;
  const photo = open, mode = modes[chosen.mode];
  if (!mode.request || photo.isEmbedded || photo.draft.width >= photo.map.width) return;
  rest = setTimeout(async () => {
    finishing = new AbortController();
    await attempt(photo, mode, false, finishing.signal);
  }, 200);
}

async function attempt(photo, mode, isDraft, signal) {
  try { await show(photo, mode, isDraft, signal); } catch (error) {
    if (photo === open && error.name !== 'AbortError') notice(sentence(error, photo.file));
  }
}

async function show(photo, mode, isDraft, signal) {
  const isCloud = chosen.mode === 'cloud';
  $('photo').hidden = isCloud;
  $('cloud').hidden = !isCloud || !cloud.works;
  $('photocaption').textContent = mode.name;
  const ringed = mode.hasFocus ? chosen.focus : null;
  panes.forEach(pane => pane.mark(pane.ring, ringed));
  if (!mode.request) clearInterval(wiggle);
  if (isCloud) {
    if (cloud.works) return showCloud(photo);
    $('photo').hidden = false;
    notice('This browser has no WebGL, so it cannot show the point cloud.');
  }
  if (!mode.request) return drawPhoto(photo.bitmap);
  const [kind, parameters] = mode.request();
  if (isDraft) parameters.draft = 1;
  if (mode.hasFocus) Object.assign(parameters, focusParameter(isDraft ? photo.draft : photo.map));
  const picture = await pictureOf(photo, kind, parameters, signal);
  const bitmap = await createImageBitmap(picture);
  if (photo !== open || signal?.aborted || mode !== modes[chosen.mode]) return;
  clearInterval(wiggle);
  if (chosen.mode === 'wiggle') startWiggle(bitmap);
  else drawPhoto(bitmap);
  document.body.dataset.drawn = `${kind} ${bitmap.width}`;
}

/** A picture made by the program; a photo that it has forgotten is sent once more. */
async function pictureOf(photo, kind, parameters, signal) {
  try { return await server.picture(kind, { ...parameters, photo: photo.id }, { signal }); } catch (error) {
    if (error.status !== 404) throw error;
    await server.open(photo.file, signal, () => {});
    return server.picture(kind, { ...parameters, photo: photo.id }, { signal });
  }
}

/** The point of focus in a picture of another size. */
function focusParameter(size) {
  if (!chosen.focus) return { focus: 0.8 };
  const place = (value, from, to) => Math.min(to - 1, Math.floor((value + 0.5) * to / from));
  const { width, height } = open.map;
  return { 'focus-at': `${place(chosen.focus.x, width, size.width)},${place(chosen.focus.y, height, size.height)}` };
}

function showCloud(photo) {
  const canvas = new OffscreenCanvas(photo.map.width, photo.map.height), context = canvas.getContext('2d');
  context.drawImage(photo.bitmap, 0, 0, canvas.width, canvas.height);
  cloud.show(photo.map, context.getImageData(0, 0, canvas.width, canvas.height).data, photo.focalLength);
}

function choose(mode) {
  chosen.mode = mode;
  for (const input of $('modes').querySelectorAll('input')) input.checked = input.value === mode;
  if (modes[mode].hasFocus && open && !chosen.focus) chosen.focus = nearestSubject(open.map);
  showSettings();
  showSaves();
  refresh();
}

/** The middle of the photo, or the pixel nearest to it that has a depth. */
function nearestSubject(map) {
  const [x, y] = [map.width >> 1, map.height >> 1];
  for (let away = 0; away < Math.max(x, y); away += 2) {
    for (const [dx, dy] of [[0, away], [0, -away], [away, 0], [-away, 0]]) {
      if (map.at(x + dx, y + dy) !== null) return { x: x + dx, y: y + dy };
    }
  }
  return null;
}

function showSettings() { $('settings').replaceChildren(...modes[chosen.mode].settings()); }

function notice(text) {
  $('notice').hidden = !text;
  $('notice').firstElementChild.textContent = text || '';
}

// Opening.

let opening = null;
async function openFile(file) {
  opening?.abort();
  const controller = opening = new AbortController();
  notice('');
  progress('Sending the photo', null);
  try {
    const facts = await server.open(file, controller.signal, share => progress('Estimating depth', share));
    progress('Fetching the depth map', 0.98);
    const map = await server.depth(facts.id, controller.signal);
    const bitmap = await createImageBitmap(file, {
      resizeWidth: map.width, resizeHeight: map.height, resizeQuality: 'high',
    });
    if (controller.signal.aborted) return;
    start({
      file, bitmap, map, id: facts.id, facts: facts.map, focalLength: facts.focal_length_share,
      width: facts.photo_width, height: facts.photo_height,
      draft: { width: facts.draft_width, height: facts.draft_height },
    });
  } catch (error) {
    if (error.name !== 'AbortError') notice(sentence(error, file));
  } finally {
    if (opening === controller) {
      opening = null;
      progress(null);
    }
  }
}

/** Shows the progress of work that can be cancelled; null when it was. */
async function working(name, work) {
  opening?.abort();
  const controller = opening = new AbortController();
  progress(name, null);
  try {
    return await work(controller.signal, share => progress(name, share));
  } catch (error) {
    if (error.name === 'AbortError') return null;
    throw error;
  } finally {
    if (opening === controller) {
      opening = null;
      progress(null);
    }
  }
}

function progress(text, share) {
  const isWorking = text !== null;
  $('progress').hidden = !isWorking;
  document.body.classList.toggle('working', isWorking);
  if (isWorking && !open) {
    $('welcome').hidden = true;
    $('stage').hidden = false;
  } else if (!isWorking && !open) {
    $('welcome').hidden = false;
    $('stage').hidden = true;
  }
  if (!isWorking) return;
  $('progresstext').textContent = text;
  const bar = $('progress').querySelector('progress');
  if (share === null) bar.removeAttribute('value');
  else bar.value = share;
}

/** Shows a photo and its depth. */
function start(photo) {
  open = photo;
  chosen.focus = null;
  document.body.dataset.state = 'open';
  $('welcome').hidden = true;
  for (const id of ['stage', 'controls', 'saving']) $(id).hidden = false;
  const ratio = photo.map.width / photo.map.height;
  $('stage').style.setProperty('--ratio', ratio);
  for (const canvas of [$('photo'), $('depth')]) [canvas.width, canvas.height] = [photo.map.width, photo.map.height];
  $('photo').setAttribute('aria-label', `Photo, ${photo.map.width} by ${photo.map.height} pixels`);
  $('depth').setAttribute('aria-label', `Depth, ${metresText(photo.map.near)} to ${metresText(photo.map.far)}`);
  showFacts(photo);
  ruler.show(photo.map, tables[chosen.colors]);
  paintDepth();
  drawPhoto(photo.bitmap);
  choose(modes[chosen.mode].needsServer && photo.isEmbedded ? 'photo' : chosen.mode);
}

function showFacts(photo) {
  const parts = [
    `${photo.width} × ${photo.height}`, `${metresText(photo.map.near)} to ${metresText(photo.map.far)}`,
  ];
  const { uncertainty, focal_length_source: source } = photo.facts;
  if (uncertainty) parts.push(`about ±${Math.round(uncertainty * 100)} %`);
  if (source === 'assumed') parts.push('focal length assumed');
  $('facts').textContent = parts.join(' · ');
}

// Saving.

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function showSaves() {
  if (!open) return;
  const photo = open, name = (photo.file.name || 'photo').replace(/\.[^.]*$/, '');
  const entries = [];
  const add = (title, detail, make) => entries.push([title, detail, make]);
  const mode = modes[chosen.mode];
  if (mode.request) {
    const most = mode.maximum?.(photo) ?? Infinity, share = Math.min(1, Math.sqrt(most / (photo.width * photo.height)));
    const size = share < 1
      ? `${Math.floor(photo.width * share)} × ${Math.floor(photo.height * share)}, the largest for this blur`
      : 'as large as the photo';
    add(`${mode.name}`, size, async () => {
      const [kind, parameters] = mode.request();
      if (mode.hasFocus) Object.assign(parameters, focusParameter(photo));
      const picture = kind === 'effect'
        ? await working(mode.name, (signal, onProgress) =>
          server.effect(parameters, photo.file, share < 1 ? most : null, signal, onProgress))
        : await server.picture(kind, { ...parameters, ...mode.save }, { file: photo.file });
      if (!picture) return;
      save(picture, `${name}_${chosen.mode}.${picture.type === 'image/png' ? 'png' : 'jpg'}`);
    });
  }
  if (chosen.mode === 'cloud') {
    add('This view', 'PNG', () => $('cloud').toBlob(blob => save(blob, `${name}_view.png`)));
  }
  add('Depth in colors', 'PNG, as shown', () => $('depth').toBlob(blob => save(blob, `${name}_colors.png`)));
  if (photo.isEmbedded) {
    add('Depth map', '16-bit PNG, millimetres', () => save(photo.depthFile, `${name}_depth.png`));
    add('Photo', 'JPEG', () => save(photo.file, `${name}.jpg`));
  } else {
    for (const [title, detail, type, ending] of [
      ['Depth map', '16-bit PNG, millimetres', 'image/png', 'png'],
      ['Depth map', '32-bit PFM, metres', 'image/x-portable-floatmap', 'pfm'],
      ['Depth map', 'NumPy array, metres', 'application/x-npy', 'npy'],
      ['Facts', 'JSON', 'application/json', 'json'],
    ]) {
      add(title, detail, async () => save(await server.depthFile(photo.file, type), `${name}_depth.${ending}`));
    }
  }
  $('saves').replaceChildren(...entries.map(([title, detail, make]) => {
    const button = document.createElement('button'), small = document.createElement('small');
    button.type = 'button';
    button.textContent = title;
    small.textContent = detail;
    button.append(small);
    button.addEventListener('click', async () => {
      $('saving').open = false;
      try { await make(); } catch (error) { notice(sentence(error, photo.file)); }
    });
    return button;
  }));
}

// The page's own parts.

for (const [key, mode] of Object.entries(modes)) {
  const label = document.createElement('label'), input = document.createElement('input'), text = document.createElement('span');
  Object.assign(input, { type: 'radio', name: 'mode', value: key, checked: key === chosen.mode });
  input.addEventListener('change', () => choose(key));
  text.textContent = mode.name;
  label.append(input, text);
  $('modes').append(label);
}
$('colormap').append(...Object.entries(colorNames).map(([key, name]) => new Option(name, key)));
$('colormap').addEventListener('change', event => {
  chosen.colors = event.target.value;
  ruler.show(open.map, tables[chosen.colors]);
  paintDepth();
});
$('notice').querySelector('button').addEventListener('click', () => notice(''));
$('cancel').addEventListener('click', () => { opening?.abort(); opening = null; progress(null); });
for (const id of ['open', 'choose']) $(id).addEventListener('click', () => $('file').click());
$('file').addEventListener('change', event => {
  if (event.target.files[0]) openFile(event.target.files[0]);
  event.target.value = '';
});
$('example').addEventListener('click', async () => {
  try {
    const blob = await (await server.fetch('/example.jpg')).blob();
    openFile(new File([blob], 'example.jpg', { type: 'image/jpeg' }));
  } catch (error) { notice(sentence(error)); }
});
document.addEventListener('click', event => {
  if (!$('saving').contains(event.target)) $('saving').open = false;
});
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  $('saving').open = false;
  notice('');
});
new ResizeObserver(() => {
  if (!open) return;
  const ringed = modes[chosen.mode].hasFocus ? chosen.focus : null;
  panes.forEach(pane => { pane.mark(pane.ring, ringed); pane.point(null); });
  if (chosen.mode === 'cloud') cloud.draw();
}).observe(document.querySelector('main'));

/** A page with a photo and its depth inside needs no server. */
async function openEmbedded(embedded) {
  for (const [key, mode] of Object.entries(modes)) {
    if (mode.needsServer) $('modes').querySelector(`[value=${key}]`).parentElement.remove();
  }
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const file = new Blob([bytes(embedded.photo)], { type: 'image/jpeg' });
  const depthFile = new Blob([bytes(embedded.depth)], { type: 'image/png' });
  const map = await DepthMap.fromPNG(await depthFile.arrayBuffer());
  const bitmap = await createImageBitmap(file, { resizeWidth: map.width, resizeHeight: map.height, resizeQuality: 'high' });
  file.name = embedded.name;
  start({
    isEmbedded: true, file, depthFile, bitmap, map, facts: {}, focalLength: embedded.focal_length_share,
    width: embedded.width, height: embedded.height,
  });
}

const embedded = JSON.parse($('embedded').textContent);
if (embedded) {
  openEmbedded(embedded).catch(error => notice(sentence(error)));
  $('welcome').hidden = true;
} else {
  for (const element of document.querySelectorAll('.serveronly')) element.hidden = false;
  $('example').firstElementChild.src = '/example.jpg';
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('dragging'); });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('dragging'); });
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
  });
  addEventListener('paste', event => {
    if (event.clipboardData.files[0]) openFile(event.clipboardData.files[0]);
  });
}
