// Opening of photos: the display until depth is known, and the return to the previous photo after a failure.

let opening = null;
async function openFile(file) {
  if (live.isOn) endLive();
  ownWanted = null;
  opening?.abort();
  const controller = opening = new AbortController();
  notice('');
  progress('Sending the photo', null);
  preview(file, controller);
  try {
    const known = await sent(file, controller.signal, share => progress('Estimating depth', share));
    progress('Fetching the depth map', 0.98);
    const map = await server.depth(known.id, controller.signal);
    const bitmap = await bitmapOf(file, known.id, map, controller.signal);
    const photo = { ...known, bitmap, estimated: map, map: map.scaled(known.factor) };
    if (known.tellsErrors) photo.confidence = new Confidence(await server.confidence(known.id, controller.signal), map);
    if (!controller.signal.aborted) start(photo);
  } catch (error) {
    if (error.name !== 'AbortError') {
      notice(sentence(error, file));
      if ([415, 422].includes(error.status)) strip.refuse(file);
    }
  } finally {
    if (opening === controller) {
      opening = null;
      progress(null);
      if (document.body.dataset.state === 'estimating') goBack();
    }
  }
}

/** A photo at the size of its map. If the browser cannot read the photo, the program makes the picture, as haze of strength 0. */
async function bitmapOf(file, id, map, signal) {
  const size = { resizeWidth: map.width, resizeHeight: map.height, resizeQuality: 'high' };
  try { return await createImageBitmap(file, size); } catch {
    return createImageBitmap(await server.picture('effect', { effect: 'haze', strength: 0, photo: id }, signal), size);
  }
}

/** Sends a photo to the program, which estimates the depth. Returns the facts about the photo. */
async function sent(file, signal, onProgress) {
  const facts = await server.open(file, signal, onProgress);
  const photo = {
    file, camera: await cameraOf(file), id: facts.id, facts: facts.map, focalLength: facts.focal_length_share,
    width: facts.photo_width, height: facts.photo_height, tellsErrors: facts.tells_errors, errorFactor: facts.error_factor, depthTypes: facts.depth_types,
    draft: { width: facts.draft_width, height: facts.draft_height }, subject: facts.subject,
  };
  photo.factor = factors.of(photo);
  return photo;
}

/** Opens the first of some files. All files are added to the strip. */
function openFiles(list) {
  const files = [...list];
  if (files.length > 1) strip.set(files);
  if (files.length) openFile(files[0]);
}

/** Shows a photo while its depth is estimated, if the browser can read the photo. */
async function preview(file, controller) {
  let bitmap;
  try { bitmap = await createImageBitmap(file); } catch { return; }
  if (opening !== controller) return;
  hideOpen('estimating');
  for (const id of ['stage', 'controls']) $(id).hidden = false;
  const scale = Math.min(1, 1280 / Math.max(bitmap.width, bitmap.height));
  size(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  drawPhoto(bitmap);
  // In place of the depth, the photo is shown as a few large spots, which the style makes gray.
  const spots = new OffscreenCanvas(16, 12), depth = $('depth');
  spots.getContext('2d').drawImage(bitmap, 0, 0, 16, 12);
  depth.getContext('2d').drawImage(spots, 0, 0, depth.width, depth.height);
}

/** Makes room for a photo that is not open yet. The open photo is kept as the previous photo. */
function hideOpen(state) {
  if (open) previous = open;
  open = null;
  clearInterval(wiggle);
  clearTimeout(rest);
  finishing?.abort();
  document.body.dataset.state = state;
  $('welcome').hidden = true;
  $('stage').hidden = false;
  for (const pane of panes) { pane.mark(pane.ring, null); pane.point(null); }
  $('metres').hidden = true;
  ruler.pointed = null;
  measure.draw(false);
  compare.offer(false);
  $('cloud').hidden = true;
  $('photo').hidden = false;
  $('photocaption').textContent = 'Photo';
  for (const [id, name] of [['photo', 'Photo'], ['depth', 'Depth']]) $(id).setAttribute('aria-label', name);
  $('facts').textContent = '';
  $('lens').hidden = true;
}

/** Shows the previously open photo again after a photo was rejected or cancelled. */
function goBack() {
  if (previous) return start(previous);
  document.body.dataset.state = 'empty';
  $('welcome').hidden = false;
  for (const id of ['stage', 'controls']) $(id).hidden = true;
}

function size(width, height) {
  $('stage').style.setProperty('--ratio', width / height);
  for (const canvas of [$('photo'), $('depth')]) [canvas.width, canvas.height] = [width, height];
}

/** Shows the progress of work that can be cancelled. Returns null after a cancellation. */
async function working(name, work) {
  opening?.abort();
  const controller = opening = new AbortController();
  progress(name, null);
  try {
    return await work(controller.signal, (share, detail) => progress(detail ? `${name}, ${detail}` : name, share));
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
  const isWorking = text !== null, isEmpty = document.body.dataset.state === 'empty';
  $('progress').hidden = !isWorking;
  document.body.classList.toggle('working', isWorking);
  if (isEmpty) {
    $('welcome').hidden = isWorking;
    $('stage').hidden = !isWorking;
  }
  if (!isWorking) return;
  $('progresstext').textContent = text;
  const bar = $('progress').querySelector('progress');
  if (share === null) bar.removeAttribute('value');
  else bar.value = share;
}
