// The files of an open photo that can be saved.

/** The interval between two files in milliseconds. Chromium drops files above ten a second. */
const saveInterval = 125;
let nextSave = 0;

function save(blob, name) {
  const link = document.createElement('a'), now = performance.now(), start = Math.max(now, nextSave);
  nextSave = start + saveInterval;
  link.href = URL.createObjectURL(blob);
  link.download = name;
  if (start > now) setTimeout(() => link.click(), start - now);
  else link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  $('saved').textContent = `Saved ${name}, ${bytesText(blob.size)}.`;
}

/** "812 kB", "4.2 MB". */
function bytesText(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A file's name without its extension. */
const stem = file => (file.name || 'photo').replace(/\.[^.]*$/, '');

/** Files that the program makes of a photo: group, title, detail, kind of request, parameters, type and ending. */
const files = [
  ['Depth map', '16-bit PNG', 'millimetres', 'depth', {}, 'image/png', '_depth.png'],
  ['Depth map', '32-bit PFM', 'metres', 'depth', {}, 'image/x-portable-floatmap', '_depth.pfm'],
  ['Depth map', 'OpenEXR', 'metres', 'depth', {}, 'image/x-exr', '_depth.exr'],
  ['Depth map', 'NumPy array', 'metres', 'depth', {}, 'application/x-npy', '_depth.npy'],
  ['Depth map', 'NumPy archive', 'metres, confidence, camera', 'depth', {}, 'application/x-npz', '_depth.npz'],
  ['Depth map', 'Facts', 'JSON', 'depth', {}, 'application/json', '_depth.json'],
  ['3D', 'Mesh', 'GLB with the photo as texture', 'export', { format: 'glb' }, '*/*', '.glb'],
  ['3D', 'Point cloud', 'PLY in colors', 'export', { format: 'ply' }, '*/*', '.ply'],
  ['3D', 'This page with the photo', 'HTML, opens without internet', 'export', { format: 'html' }, '*/*', '.html'],
  ['Stereo', 'Side by side', 'for VR headsets', 'stereo', { format: 'sbs' }, '*/*', '_LRF_Full_SBS.jpg'],
  ['Stereo', 'Side by side, half width', 'for 3D televisions', 'stereo', { format: 'sbs-half' }, '*/*', '_LR.jpg'],
  ['Stereo', 'Top and bottom', 'for VR headsets', 'stereo', { format: 'tb' }, '*/*', '_TBF_fulltb.jpg'],
  ['Stereo', 'MPO', 'for 3D cameras and viewers', 'stereo', { format: 'mpo' }, '*/*', '.mpo'],
  ['Stereo', 'GIF', 'moving, for messages', 'stereo', { format: 'gif' }, '*/*', '_wiggle.gif'],
  ['Stereo', 'Quilt', 'for light field displays', 'stereo', { format: 'quilt' }, '*/*', null],
].map(([group, title, detail, kind, parameters, type, ending]) => ({ group, title, detail, kind, parameters, type, ending }));

/** Requests a file of a photo from the program and saves the file. Returns false after a cancellation. */
async function saveMade(photo, made, note = '') {
  const { title, kind, type } = made, parameters = { ...made.parameters };
  if (kind === 'stereo') parameters.shift ??= `${chosen.shift}%`;
  else if (photo.factor && photo.factor !== 1) parameters['calibration-factor'] = photo.factor;
  const blob = await working(`${title}${note}`, (signal, onProgress) =>
    server.made(kind, parameters, photo.file, type, signal, (count, whole) =>
      // A compressing proxy does not report the total size.
      onProgress(whole ? count / whole : null, whole ? `${bytesText(count)} of ${bytesText(whole)}` : bytesText(count))));
  if (!blob) return false;
  // The name of a quilt contains the grid and the proportions of its views.
  const ending = made.ending ?? `_qs8x6a${Math.round(100 * photo.width / photo.height) / 100}.jpg`;
  save(blob, `${stem(photo.file)}${ending}`);
  return true;
}

/** The stored factor for a photo that is not open; null if the request was cancelled. */
async function factorOf(file, note) {
  if (!factors.knows(await cameraOf(file))) return 1;
  // The stored factor depends on the focal length, which the program reports.
  const known = await working(`Estimating depth${note}`, (signal, onProgress) => sent(file, signal, onProgress));
  return known && known.factor;
}

/** The displayed picture, at the photo's size if possible. */
function shownPicture(photo, mode) {
  const most = mode.maximum?.(photo) ?? Infinity, share = Math.min(1, Math.sqrt(most / (photo.width * photo.height)));
  const detail = share < 1
    ? `${Math.floor(photo.width * share)} × ${Math.floor(photo.height * share)}, the largest for this blur`
    : 'as large as the photo';
  const [kind, parameters] = mode.request();
  if (mode.hasFocus) Object.assign(parameters, focusParameter(photo));
  if (kind === 'stereo') {
    const type = mode.save ? '.png' : '.jpg';
    return { title: mode.name, detail, make: () => saveMade(photo, {
      title: mode.name, kind, parameters: { ...parameters, ...mode.save }, type: '*/*', ending: `_${chosen.mode}${type}`,
    }) };
  }
  return { title: mode.name, detail, make: async () => {
    const picture = await working(mode.name, (signal, onProgress) =>
      server.effect(parameters, photo.file, share < 1 ? most : null, signal, onProgress));
    if (picture) save(picture, `${stem(photo.file)}_${chosen.mode}.${picture.type === 'image/png' ? 'png' : 'jpg'}`);
  } };
}

/** The files that can be saved now, in the order of the menu. */
function saves(photo) {
  const entries = [], mode = modes[chosen.mode];
  if (mode.request) entries.push({ group: 'Picture', ...shownPicture(photo, mode) });
  const canvas = (id, ending) => () => $(id).toBlob(blob => save(blob, `${stem(photo.file)}${ending}`));
  if (chosen.mode === 'cloud') entries.push({ group: 'Picture', title: 'This view', detail: 'PNG', make: canvas('cloud', '_view.png') });
  entries.push({ group: 'Picture', title: 'Depth in colors', detail: 'PNG, as shown', make: canvas('depth', '_colors.png') });
  if (photo.isEmbedded) {
    entries.push({ group: 'Depth map', title: '16-bit PNG', detail: 'millimetres', make: async () =>
      save(photo.factor === 1 ? photo.depthFile : await photo.map.png(), `${stem(photo.file)}_depth.png`) });
    entries.push({ group: 'Picture', title: 'Photo', detail: 'JPEG', make: () => save(photo.file, `${stem(photo.file)}.jpg`) });
    return entries;
  }
  // Formats of the depth map that the program does not offer are omitted.
  const possible = files.filter(({ kind, type }) => kind !== 'depth' || photo.depthTypes.includes(type));
  for (const made of possible) entries.push({ ...made, make: () => saveMade(photo, made) });
  if (strip.entries.length > 1) {
    const [png] = files, count = strip.entries.length;
    entries.push({ group: 'All photos', title: `${count} depth maps`, detail: '16-bit PNG, one by one', make: async () => {
      for (const [index, { file }] of strip.entries.entries()) {
        const note = `, ${index + 1} of ${count}`, factor = file === photo.file ? photo.factor : await factorOf(file, note);
        if (factor === null || !await saveMade({ file, factor }, png, note)) return;
      }
    } });
  }
  return entries;
}

function showSaves() {
  if (!open) return;
  const photo = open, groups = new Map();
  for (const entry of saves(photo)) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  $('saves').replaceChildren(...[...groups].map(([name, entries]) => {
    const group = document.createElement('div'), title = document.createElement('p');
    title.textContent = name;
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', name);
    group.append(title, ...entries.map(({ title, detail, make }) => {
      const button = document.createElement('button'), small = document.createElement('small');
      button.type = 'button';
      button.textContent = title;
      small.textContent = detail;
      button.append(small);
      button.addEventListener('click', async () => {
        closeSaves();
        try { await make(); } catch (error) { notice(sentence(error, photo.file)); }
      });
      return button;
    }));
    return group;
  }));
}

/** Closes the menu; the focus goes back to its button if it was inside. */
function closeSaves() {
  const isInside = $('saving').contains(document.activeElement);
  $('saving').open = false;
  if (isInside) $('saving').firstElementChild.focus();
}
