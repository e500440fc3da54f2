// Measuring: the distance between two points, and a known distance that corrects all metres.

/**
 * What one factor for all metres leaves: the mean relative error of the `default` weights once every map has the
 * median of its truth (Weights/README.md, protocol `median`, refinement `joint`).
 */
const correctedError = 0.13;

class Measure {
  /** @param onFactor Called with the factor that the person's known distance gives; with null to undo it. */
  constructor(frames, onFactor) {
    this.onFactor = onFactor;
    this.points = [];
    this.overlays = frames.map(frame => ({ lines: frame.querySelector('.lines'), label: frame.querySelector('.span') }));
  }

  /** A first point, a second one, and then a first one again. */
  tap(photo, pixel) {
    this.photo = photo;
    this.points = this.points.length === 1 ? [...this.points, pixel] : [pixel];
    this.draw();
  }

  clear() {
    this.points = [];
    this.draw();
  }

  /** Metres: of one point along the optical axis, of two the straight line between them; null for none. */
  static metres(photo, points) {
    const { map } = photo, f = photo.focalLength * map.width;
    const [a, b] = points.map(({ x, y }) => {
      const z = map.at(x, y);
      return z === null ? null : [(x + 0.5 - map.width / 2) * z / f, (y + 0.5 - map.height / 2) * z / f, z];
    });
    if (!a || b === null) return null;
    return b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : a[2];
  }

  /** The share that a distance between points is expected to be off, without points the whole map; null where that is not known. */
  static error(photo, points = []) {
    if (photo.factor !== 1) return correctedError;
    if (!photo.confidence || !points.length) return photo.facts.uncertainty ?? null;
    return points.reduce((sum, { x, y }) => sum + 1 - photo.confidence.at(x, y), 0) / points.length;
  }

  get metres() { return this.points.length ? Measure.metres(this.photo, this.points) : null; }

  /** The lines over the pictures. */
  draw(isShown = true) {
    const points = isShown ? this.points : [];
    for (const { lines, label } of this.overlays) {
      lines.toggleAttribute('hidden', !points.length);
      label.hidden = points.length < 2;
      if (!points.length) continue;
      const { width, height } = this.photo.map;
      lines.setAttribute('viewBox', `0 0 ${width} ${height}`);
      const places = points.map(({ x, y }) => `${x + 0.5} ${y + 0.5}`);
      for (const path of lines.children) {
        path.setAttribute('d', path.classList.contains('ends') ? places.map(place => `M${place}h0`).join('') : `M${places.join('L')}`);
      }
      if (points.length < 2) continue;
      label.textContent = metresText(this.metres);
      label.style.left = `${50 * (points[0].x + points[1].x + 1) / width}%`;
      label.style.top = `${50 * (points[0].y + points[1].y + 1) / height}%`;
    }
  }

  /** What is measured in words, and a known distance to correct by. */
  settings(photo) {
    const { metres } = this, rows = [];
    if (metres === null) {
      rows.push(paragraph('Tap two points to measure between them. Tap one whose distance you know to correct all metres.'));
    } else {
      const error = Measure.error(photo, this.points), text = metresText(metres);
      const expected = error === null ? '' : `, give or take ${metresText(error * metres)}`;
      rows.push(paragraph(this.points.length === 2 ? `${text} between the points${expected}.` : `${text} away${expected}. Tap a second point to measure to it.`));
      rows.push(this.knownDistance(metres));
    }
    if (photo.factor !== 1) rows.push(this.correction(photo));
    return rows;
  }

  knownDistance(metres) {
    const row = document.createElement('form'), label = document.createElement('label'), input = document.createElement('input');
    const button = document.createElement('button');
    row.className = 'known';
    Object.assign(input, { type: 'number', min: 0.01, max: 1000, step: 'any', required: true, inputMode: 'decimal', id: 'known' });
    label.append(this.points.length === 2 ? 'Known length ' : 'Known distance ', input, ' m');
    button.textContent = 'Correct all metres';
    row.append(label, button);
    row.addEventListener('submit', event => {
      event.preventDefault();
      this.onFactor(this.photo.factor * Number(input.value) / metres);
    });
    return row;
  }

  correction(photo) {
    const row = document.createElement('p'), undo = document.createElement('button');
    const where = photo.camera ? `for ${photo.camera}` : 'for this photo, which does not tell its camera';
    undo.type = 'button';
    undo.id = 'uncorrect';
    undo.textContent = 'Undo';
    undo.addEventListener('click', () => this.onFactor(null));
    row.append(`All metres are corrected by ${photo.factor.toFixed(2)} ${where}. `, undo);
    return row;
  }
}

/** Factors that a person's known distances gave, by camera and weights, in the browser's storage. */
const factors = {
  /** Frames of a live camera do not tell their focal length, and neither do photos without Exif. */
  key(photo) {
    const isAssumed = photo.facts.focal_length_source === 'assumed';
    return `depth.factor ${photo.facts.weights_id} ${photo.camera} ${isAssumed ? 'assumed' : photo.focalLength.toFixed(2)}`;
  },
  /** The factor of a live camera. */
  async ofCamera(camera) {
    return this.of({ camera, facts: { weights_id: await server.weights(), focal_length_source: 'assumed' } });
  },
  of(photo) {
    const factor = photo.camera ? Number(this.storage()?.getItem(this.key(photo))) : 0;
    return factor > 0.01 && factor < 100 ? factor : 1;
  },
  keep(photo) {
    if (!photo.camera) return;
    if (photo.factor === 1) this.storage()?.removeItem(this.key(photo));
    else this.storage()?.setItem(this.key(photo), photo.factor);
  },
  /** Null where the browser keeps nothing, as for files. */
  storage() { try { return localStorage; } catch { return null; } },
};
