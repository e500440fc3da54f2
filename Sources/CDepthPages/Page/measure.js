// Measuring: the distance between two points, and a known distance that corrects all metres.

/**
 * The error that remains after one factor corrects all metres: the mean relative error of the `default` weights after each map is scaled to the
 * median of its truth (Documentation/Accuracy.md, protocol `median`, refinement `joint`).
 */
const correctedError = 0.13;

/** The share of an expected error that remains with the correct factor for a photo: .126 of .150 for `default`. Both parts add in squares. */
const ownShare = 0.84;

/** The correlation of two points' own errors, by distance in widths of the photo; from every eighth training frame. */
const alike = distance => Math.exp(-10 * distance);

class Measure {
  /** @param onFactor Called with the factor that follows from a known distance; with null to remove the factor. */
  constructor(frames, onFactor) {
    this.onFactor = onFactor;
    this.points = [];
    this.overlays = frames.map(frame => ({ lines: frame.querySelector('.lines'), label: frame.querySelector('.span') }));
  }

  /** Adds a second point to a first point. A further point begins a new measurement. */
  tap(photo, pixel) {
    this.photo = photo;
    this.points = this.points.length === 1 ? [...this.points, pixel] : [pixel];
    this.draw();
  }

  clear() {
    this.points = [];
    this.draw();
  }

  /** The position of a pixel in metres: right, down and along the optical axis; null if the map has no value. */
  static place({ map, focalLength }, { x, y }) {
    const z = map.at(x, y), f = focalLength * map.width;
    return z === null ? null : [(x + 0.5 - map.width / 2) * z / f, (y + 0.5 - map.height / 2) * z / f, z];
  }

  /** Metres along the optical axis for one point, or the straight distance between two points; null without points. */
  static metres(photo, points) {
    const [a, b] = points.map(point => Measure.place(photo, point));
    if (!a || b === null) return null;
    return b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : a[2];
  }

  /** The expected relative error of a point's depth, or without a point, of the whole map; null if unknown. */
  static error(photo, point = null) {
    if (photo.factor !== 1) return correctedError;
    const error = photo.confidence && point ? 1 - photo.confidence.at(point.x, point.y) : photo.facts.uncertainty ?? null;
    // The error is larger for cameras other than the training camera.
    return error === null ? null : error * (photo.errorFactor ?? 1);
  }

  /**
   * The expected error of a measurement in metres; null if unknown.
   *
   * A point's error moves the point along its ray. One part of the error is common to all points, like a wrong scale. The other part is the point's
   * own, and is more similar for adjacent points. Equal movements of both ends along the connecting line do not change the length.
   */
  static expected(photo, points) {
    const errors = points.map(point => Measure.error(photo, point)), places = points.map(point => Measure.place(photo, point));
    if (errors.includes(null) || places.includes(null)) return null;
    if (points.length === 1) return errors[0] * places[0][2];
    const line = places[0].map((value, axis) => value - places[1][axis]), length = Math.hypot(...line);
    if (length === 0) return null;
    // The movement of each end along the line for an error of 1.
    const moves = places.map(place => place.reduce((sum, value, axis) => sum + value * line[axis] / length, 0));
    const own = photo.factor === 1 ? ownShare : 1, [a, b] = moves.map((move, end) => errors[end] * move);
    const apart = Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) / photo.map.width;
    const both = own ** 2 * alike(apart) + 1 - own ** 2;
    return Math.sqrt(Math.max(0, a * a + b * b - 2 * both * a * b));
  }

  get metres() { return this.points.length ? Measure.metres(this.photo, this.points) : null; }

  /** Draws the lines over the pictures. */
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

  /** The measurement in words, and an input for a known distance. */
  settings(photo) {
    const { metres } = this, rows = [];
    if (metres === null) {
      rows.push(paragraph('Tap two points to measure between them. Tap one whose distance you know to correct all metres.'));
    } else {
      const error = Measure.expected(photo, this.points), text = metresText(metres);
      const expected = error === null ? '' : `, give or take ${metresText(error)}`;
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
    const where = photo.camera ? `for ${photo.camera}` : 'for this photo, which does not record its camera';
    undo.type = 'button';
    undo.id = 'uncorrect';
    undo.textContent = 'Undo';
    undo.addEventListener('click', () => this.onFactor(null));
    row.append(`All metres are corrected by ${photo.factor.toFixed(2)} ${where}. `, undo);
    return row;
  }
}

/** The factors from known distances, by camera and weights, in the browser's storage. */
const factors = {
  /** Frames of a live camera have no focal length, and neither have photos without Exif. */
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
    return this.isPossible(factor) ? factor : 1;
  },
  /** The factors that the program also accepts. */
  isPossible(factor) { return factor >= 0.01 && factor <= 100; },
  /** Whether a factor is stored for a camera. */
  knows(camera) {
    return camera !== null && Object.keys(this.storage() ?? {}).some(key => key.startsWith('depth.factor ') && key.includes(` ${camera} `));
  },
  keep(photo) {
    if (!photo.camera) return;
    if (photo.factor === 1) this.storage()?.removeItem(this.key(photo));
    // If the browser's storage is full or disabled, only this photo is corrected.
    else try { this.storage()?.setItem(this.key(photo), photo.factor); } catch { /* Nothing is kept. */ }
  },
  /** The browser's storage; null if the browser stores nothing, as for local files. */
  storage() { try { return localStorage; } catch { return null; } },
};
