// The state of the page: the open photo, the selected effect, and the displayed pictures.

const $ = id => document.getElementById(id);
const server = new Server();
const tables = colorTables();
const colorNames = { spectral: 'Spectral', turbo: 'Turbo', viridis: 'Viridis', inferno: 'Inferno', magma: 'Magma', gray: 'Gray' };
/** The open photo: its file, id, bitmap, depth map and facts; null for none. */
let open = null;
/** The photo that was open before the photo whose depth is being estimated; null without such a photo. */
let previous = null;
/** The person's selections, which stay when another photo is opened. */
const chosen = {
  mode: 'photo', colors: 'spectral', focus: null, stop: 19, slope: 4, isRange: false, soft: 0.1, density: 0.3, shift: 1,
  glasses: 'anaglyph', isMoving: !matchMedia('(prefers-reduced-motion: reduce)').matches,
};

// The displayed pictures.

const panes = [
  new Pane($('photopane'), $('photo'), (pixel, isChosen) => point(panes[0], pixel, isChosen)),
  new Pane($('depthpane'), $('depth'), (pixel, isChosen) => point(panes[1], pixel, isChosen)),
];
const ruler = new Ruler($('ruler'), () => {
  paintDepth();
  if (chosen.isRange && modes[chosen.mode].settings === maskSettings) refresh();
});
const cloud = new Cloud($('cloud'));
const compare = new Compare(canvas => {
  [canvas.width, canvas.height] = [$('photo').width, $('photo').height];
  canvas.getContext('2d').drawImage(open.bitmap, 0, 0, canvas.width, canvas.height);
});

const measure = new Measure([...document.querySelectorAll('.frame')], correct);

/** Multiplies all metres of the open photo and of later photos of the camera; null removes the correction. */
function correct(factor) {
  if (factor !== null && !factors.isPossible(factor)) {
    return notice(`This would multiply all metres by ${factor > 1 ? 'more than 100' : 'less than 0.01'}. Tap other points, or check the number.`);
  }
  notice('');
  open.factor = factor ?? 1;
  open.map = open.estimated.scaled(open.factor);
  measure.draw();
  showMap();
  showSettings();
  factors.keep(open);
}

const live = new Live($('live'), $('zones'), showFrame, lostLive);
const tabs = new Tabs($('tabs'), $('stage'), panes.map(pane => pane.figure));
const strip = new Strip($('strip'), file => openFile(file));

/** Shows the distance of a pixel in both pictures and on the ruler. A selected pixel comes into focus. */
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
  if (modes[chosen.mode].onTap) return modes[chosen.mode].onTap(pixel);
  chosen.focus = pixel;
  if (modes[chosen.mode].hasFocus || open.isEmbedded) refresh();
  else choose('blur');
  showSettings();
}

function paintDepth() {
  if (!open) return;
  const context = $('depth').getContext('2d');
  const picture = context.createImageData(open.map.width, open.map.height);
  if (open.normals && $('normals').firstElementChild.checked) {
    context.clearRect(0, 0, open.map.width, open.map.height);
    return context.drawImage(open.normals, 0, 0);
  }
  open.map.paint(picture.data, tables[chosen.colors], ruler.range, ruler.isChosen);
  if (open.confidence && $('doubt').firstElementChild.checked) open.confidence.hatch(picture.data);
  context.putImageData(picture, 0, 0);
}

function drawPhoto(bitmap) {
  const canvas = $('photo');
  const context = canvas.getContext('2d');
  // A cut-out is transparent, so the previous picture would be visible through it.
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
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

// Only one request runs at a time. Slider values during a request are skipped, except the last value. For a large photo, a draft comes first, and the
// whole picture follows after a pause without changes.
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
  } while (isStale && open);
  isBusy = false;
  // Another photo was opened in the meantime, and its depth is not known yet.
  if (!open) return;
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
  measure.draw(chosen.mode === 'measure');
  compare.offer(mode.request !== undefined && chosen.mode !== 'wiggle');
  if (!mode.request) clearInterval(wiggle);
  if (isCloud) {
    if (cloud.works) return showCloud(photo);
    $('photo').hidden = false;
    notice('This browser has no WebGL, so it cannot show the point cloud.');
  }
  if (!mode.request) return drawPhoto(photo.bitmap);
  const [kind, parameters] = mode.request();
  if (isDraft) parameters.draft = true;
  if (mode.hasFocus) Object.assign(parameters, focusParameter(photo));
  const picture = await pictureOf(photo, kind, parameters, signal);
  const bitmap = await createImageBitmap(picture);
  if (photo !== open || signal?.aborted || mode !== modes[chosen.mode]) return;
  clearInterval(wiggle);
  if (chosen.mode === 'wiggle') startWiggle(bitmap);
  else drawPhoto(bitmap);
  document.body.dataset.drawn = `${kind} ${bitmap.width}`;
}

/** A picture that the program makes. If the program no longer has the photo, the photo is sent once more. */
async function pictureOf(photo, kind, parameters, signal) {
  try { return await server.picture(kind, { ...parameters, photo: photo.id }, signal); } catch (error) {
    if (error.status !== 404) throw error;
    await server.open(photo.file, signal, () => {});
    return server.picture(kind, { ...parameters, photo: photo.id }, signal);
  }
}

/** The point of focus in pixels of the photo's file. */
function focusParameter(photo) {
  if (!chosen.focus) return { focus: 'subject' };
  const place = (value, from, to) => Math.min(to - 1, Math.floor((value + 0.5) * to / from));
  const { width, height } = open.map;
  return { 'focus-at': `${place(chosen.focus.x, width, photo.width)},${place(chosen.focus.y, height, photo.height)}` };
}

function showCloud(photo) {
  const canvas = new OffscreenCanvas(photo.map.width, photo.map.height), context = canvas.getContext('2d');
  context.drawImage(photo.bitmap, 0, 0, canvas.width, canvas.height);
  cloud.show(photo.map, context.getImageData(0, 0, canvas.width, canvas.height).data, photo.focalLength);
}

function choose(mode) {
  chosen.mode = mode;
  for (const input of $('modes').querySelectorAll('input')) {
    input.checked = input.value === mode;
    const label = input.parentElement;
    if (input.checked) $('modes').scrollLeft = label.offsetLeft - ($('modes').clientWidth - label.offsetWidth) / 2;
  }
  if (modes[mode].hasFocus && open && !chosen.focus) chosen.focus = open.subject ?? null;
  showSettings();
  refresh();
}

function showSettings() { $('settings').replaceChildren(...modes[chosen.mode].settings()); }

function notice(text) {
  $('notice').hidden = !text;
  $('notice').firstElementChild.textContent = text || '';
}

/** Shows a photo and its depth. */
function start(photo) {
  open = photo;
  previous = null;
  strip.mark(photo.file, photo.bitmap);
  chosen.focus = null;
  document.body.dataset.state = 'open';
  $('welcome').hidden = true;
  for (const id of ['stage', 'controls', 'saving']) $(id).hidden = false;
  size(photo.map.width, photo.map.height);
  $('photo').setAttribute('aria-label', `Photo, ${photo.map.width} by ${photo.map.height} pixels`);
  $('normals').hidden = Boolean(photo.isEmbedded);
  $('normals').firstElementChild.checked = false;
  measure.clear();
  showMap();
  drawPhoto(photo.bitmap);
  choose(modes[chosen.mode].needsServer && photo.isEmbedded ? 'photo' : chosen.mode);
}

/** Shows the open photo's map, after a correction if any, and the facts about the map. */
function showMap() {
  const { map } = open;
  $('depth').setAttribute('aria-label', `Depth, ${metresText(map.near)} to ${metresText(map.far)}`);
  showFacts(open);
  $('doubt').hidden = !open.confidence;
  $('strange').hidden = !(open.confidence && open.facts.uncertainty >= doubtfulError);
  ruler.show(map, tables[chosen.colors]);
  paintDepth();
}

function showFacts(photo) {
  const parts = [
    `${photo.width} × ${photo.height}`, `${metresText(photo.map.near)} to ${metresText(photo.map.far)}`,
  ];
  const { focal_length_source: source } = photo.facts, error = Measure.error(photo);
  if (error) parts.push(`about ±${Math.round(error * 100)} %`);
  if (photo.factor !== 1) parts.push(`corrected × ${photo.factor.toFixed(2)}`);
  // If the focal length can be entered, the input field reports the assumption.
  if (source === 'assumed' && photo.isEmbedded) parts.push('focal length assumed');
  $('facts').textContent = parts.join(' · ');
  // A focal length that a person entered can be changed.
  $('lens').hidden = photo.isEmbedded || source !== 'assumed' && !photo.file.focalLength;
  $('lens').querySelector('input').value = parseFloat(photo.file.focalLength) || '';
}

// The page's controls.

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
  if (!open) return;
  ruler.show(open.map, tables[chosen.colors]);
  paintDepth();
});
$('normals').addEventListener('change', async () => {
  const photo = open;
  try { photo.normals ??= await createImageBitmap(await server.normals(photo.id)); } catch (error) { notice(sentence(error, photo.file)); }
  if (photo === open) paintDepth();
});
$('lens').addEventListener('change', event => {
  if (!open || !event.target.checkValidity()) return;
  open.file.focalLength = event.target.value && `${event.target.value}mm`;
  openFile(open.file);
});
$('doubt').addEventListener('change', () => paintDepth());
$('notice').querySelector('button').addEventListener('click', () => notice(''));
$('cancel').addEventListener('click', () => opening?.abort());
for (const id of ['open', 'choose']) $(id).addEventListener('click', () => $('file').click());
$('file').addEventListener('change', event => {
  openFiles(event.target.files);
  event.target.value = '';
});
let ownWanted = null;
async function openOwn(name) {
  ownWanted = name;
  try {
    const blob = await (await server.fetch(name)).blob();
    // Another photo was requested in the meantime.
    if (ownWanted !== name) return;
    await openFile(new File([blob], name, { type: 'image/jpeg' }));
  } catch (error) { notice(sentence(error)); }
}
$('example').addEventListener('click', () => openOwn('example.jpg'));
const tour = new Tour((name, mode) => {
  chosen.mode = mode;
  return openOwn(name);
});
$('tourstart').addEventListener('click', () => tour.go(0));
document.addEventListener('click', event => {
  if (!$('saving').contains(event.target)) $('saving').open = false;
});
// The files that can be saved depend on the settings at that moment.
$('saving').firstElementChild.addEventListener('click', showSaves);
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  closeSaves();
  notice('');
});
new ResizeObserver(() => {
  if (!open) return;
  const ringed = modes[chosen.mode].hasFocus ? chosen.focus : null;
  panes.forEach(pane => { pane.mark(pane.ring, ringed); pane.point(null); });
  if (chosen.mode === 'cloud') cloud.draw();
}).observe(document.querySelector('main'));

/** A page that contains a photo and its depth needs no server. */
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
    isEmbedded: true, file, depthFile, bitmap, map, estimated: map, factor: 1, camera: null, facts: embedded.facts, errorFactor: embedded.facts.error_factor,
    focalLength: embedded.focal_length_share, width: embedded.width, height: embedded.height,
  });
}

const embedded = JSON.parse($('embedded').textContent);
if (embedded) {
  openEmbedded(embedded).catch(error => notice(sentence(error)));
  $('welcome').hidden = true;
} else {
  for (const element of document.querySelectorAll('.serveronly')) element.hidden = false;
  $('example').firstElementChild.src = 'example.jpg';
  // Without a link, browsers request the icon outside of a proxy's path.
  document.head.append(Object.assign(document.createElement('link'), { rel: 'icon', href: 'favicon.ico' }));
  for (const button of document.querySelectorAll('button.camera')) {
    button.hidden = !Live.works;
    button.addEventListener('click', startLive);
  }
  $('take').addEventListener('click', async () => openFile(await live.photo()));
  $('stop').addEventListener('click', endLive);
  addEventListener('dragover', event => { event.preventDefault(); document.body.classList.add('dragging'); });
  addEventListener('dragleave', event => { if (!event.relatedTarget) document.body.classList.remove('dragging'); });
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    openFiles(event.dataTransfer.files);
  });
  addEventListener('paste', event => {
    openFiles(event.clipboardData.files);
  });
}
