// The name of the camera that took a photo, from the Exif block.

/** Maker and model of the camera, such as "Apple iPhone 13"; null if the file does not contain them. */
async function cameraName(file) {
  const view = new DataView(await file.slice(0, 1 << 17).arrayBuffer());
  try {
    if (view.getUint16(0) !== 0xFFD8) return null;
    for (let at = 2; view.getUint8(at) === 0xFF; at += 2 + view.getUint16(at + 2)) {
      // An APP1 segment that begins with "Exif" and two zeros.
      if (view.getUint16(at) === 0xFFE1 && view.getUint32(at + 4) === 0x45786966) return modelIn(view, at + 10);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

/** The name of a photo's camera, from Exif or from the live camera that took the photo; null without a name. */
const cameraOf = async file => await cameraName(file) ?? file.camera ?? null;

/** Reads tags 0x010F and 0x0110 in the first directory of a TIFF file that begins at `start`. */
function modelIn(view, start) {
  const isLittle = view.getUint16(start) === 0x4949;
  const short = at => view.getUint16(start + at, isLittle), long = at => view.getUint32(start + at, isLittle);
  const directory = long(4), names = [];
  for (let entry = 0; entry < short(directory); entry++) {
    const at = directory + 2 + 12 * entry;
    if (short(at) !== 0x010F && short(at) !== 0x0110) continue;
    const count = long(at + 4), text = count > 4 ? long(at + 8) : at + 8;
    let name = '';
    for (let i = 0; i < Math.min(count, 80); i++) {
      const code = view.getUint8(start + text + i);
      if (code === 0) break;
      name += String.fromCharCode(code);
    }
    names.push(name.trim());
  }
  return names.filter(Boolean).join(' ') || null;
}
