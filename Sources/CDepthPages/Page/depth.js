// Depth maps: reading files, and colors. The arithmetic is in 32-bit floats, like the program's.

/** Metres for every pixel, row 0 at the top. 0, infinity and NaN mean no value. */
class DepthMap {
  constructor(height, width, values) {
    this.height = height;
    this.width = width;
    this.values = values;
    // 1 / metres; 0 is no value.
    this.disparity = new Float32Array(values.length);
    let low = Infinity, high = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      const disparity = value > 0 && value < Infinity ? Math.fround(1 / value) : 0;
      if (!(disparity > 0 && disparity < Infinity)) continue;
      this.disparity[i] = disparity;
      if (disparity < low) low = disparity;
      if (disparity > high) high = disparity;
    }
    this.lowDisparity = low;
    this.highDisparity = high;
  }

  get near() { return 1 / this.highDisparity; }
  get far() { return 1 / this.lowDisparity; }

  /** Metres at a pixel; null without a value. */
  at(x, y) {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return null;
    const value = this.values[y * this.width + x];
    return value > 0 && value < Infinity ? value : null;
  }

  /** The map with all metres multiplied. */
  scaled(factor) {
    return factor === 1 ? this : new DepthMap(this.height, this.width, this.values.map(value => value * factor));
  }

  /** A NumPy file of little-endian 32-bit floats. */
  static fromNPY(buffer) {
    const bytes = new Uint8Array(buffer);
    const start = 10 + bytes[8] + bytes[9] * 256;
    const header = new TextDecoder('latin1').decode(bytes.subarray(10, start));
    const shape = /\((\d+), (\d+)\)/.exec(header);
    if (!shape || !header.includes("'<f4'")) throw new Error('The depth map cannot be read.');
    if (header.includes('# unit: ')) throw new Error('The weights of this program give no metres, which the page needs.');
    const [height, width] = [Number(shape[1]), Number(shape[2])];
    return new DepthMap(height, width, new Float32Array(buffer.slice(start, start + 4 * height * width)));
  }

  /** A 16-bit gray PNG of millimetres, without interlacing. */
  static async fromPNG(buffer) {
    const bytes = new Uint8Array(buffer), view = new DataView(buffer);
    let at = 8, width = 0, height = 0;
    const parts = [];
    while (at + 8 <= bytes.length) {
      const length = view.getUint32(at), type = view.getUint32(at + 4);
      if (type === 0x49484452) {
        [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
        if (bytes[at + 16] !== 16 || bytes[at + 17] !== 0) throw new Error('The depth map cannot be read.');
      } else if (type === 0x49444154) {
        parts.push(bytes.subarray(at + 8, at + 8 + length));
      }
      at += length + 12;
    }
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream('deflate'));
    const rows = new Uint8Array(await new Response(stream).arrayBuffer());
    return new DepthMap(height, width, DepthMap.unfiltered(rows, height, width));
  }

  /** A 16-bit gray PNG of millimetres. 0 means no value. Distances above 65.535 m become 65.535 m. */
  async png() {
    const stride = 2 * this.width + 1, rows = new DataView(new ArrayBuffer(stride * this.height));
    this.values.forEach((_, i) => {
      const x = i % this.width, y = (i - x) / this.width, metres = this.at(x, y);
      rows.setUint16(y * stride + 1 + 2 * x, metres === null ? 0 : Math.min(65535, Math.max(1, Math.round(metres * 1000))));
    });
    const stream = new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'));
    const head = new DataView(new ArrayBuffer(13));
    head.setUint32(0, this.width);
    head.setUint32(4, this.height);
    // 16 bits, gray.
    head.setUint8(8, 16);
    const parts = [['IHDR', head.buffer], ['IDAT', await new Response(stream).arrayBuffer()], ['IEND', new ArrayBuffer(0)]];
    const signature = Uint8Array.of(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A);
    return new Blob([signature, ...parts.map(([name, bytes]) => DepthMap.pngPart(name, bytes))], { type: 'image/png' });
  }

  /** A chunk: length, name, bytes, and the checksum of name and bytes. */
  static pngPart(name, bytes) {
    const part = new Uint8Array(bytes.byteLength + 12), view = new DataView(part.buffer);
    view.setUint32(0, bytes.byteLength);
    part.set([...name].map(letter => letter.charCodeAt(0)), 4);
    part.set(new Uint8Array(bytes), 8);
    let sum = 0xFFFFFFFF;
    for (let at = 4; at < part.length - 4; at++) {
      sum ^= part[at];
      for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ 0xEDB88320 : sum >>> 1;
    }
    view.setUint32(part.length - 4, ~sum >>> 0);
    return part;
  }

  /** Undoes the five filters of PNG; samples of two bytes, high byte first. */
  static unfiltered(rows, height, width) {
    const stride = width * 2, values = new Float32Array(height * width);
    let above = new Uint8Array(stride);
    for (let y = 0; y < height; y++) {
      const filter = rows[y * (stride + 1)];
      const row = rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
      for (let i = 0; i < stride; i++) {
        const left = i > 1 ? row[i - 2] : 0, up = above[i], corner = i > 1 ? above[i - 2] : 0;
        let guess = 0;
        if (filter === 1) guess = left;
        else if (filter === 2) guess = up;
        else if (filter === 3) guess = (left + up) >> 1;
        else if (filter === 4) {
          const p = left + up - corner;
          const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
          guess = a <= b && a <= c ? left : b <= c ? up : corner;
        }
        row[i] = row[i] + guess;
      }
      for (let x = 0; x < width; x++) values[y * width + x] = (row[2 * x] * 256 + row[2 * x + 1]) / 1000;
      above = row;
    }
    return values;
  }

  /**
   * Colors of the map, the nearest point last in the table, in equal steps of disparity.
   * Values outside of the range are dimmed, or have the colors of the range's ends.
   */
  paint(pixels, table, range, dims) {
    const f = Math.fround;
    const whole = range.near <= this.near && range.far >= this.far;
    const low = whole ? this.lowDisparity : f(Math.max(1 / range.far, this.lowDisparity));
    const high = whole ? this.highDisparity : f(Math.min(1 / range.near, this.highDisparity));
    const span = f(high - low);
    const isConstant = !(span > 1e-6 * Math.abs(high));
    for (let i = 0, to = 0; i < this.disparity.length; i++, to += 4) {
      const disparity = this.disparity[i];
      pixels[to + 3] = 255;
      if (disparity === 0) {
        pixels[to] = pixels[to + 1] = pixels[to + 2] = 128;
        continue;
      }
      const share = isConstant ? 0.5 : f(f(disparity - low) / span);
      const color = 3 * Math.floor(f(f(Math.min(Math.max(share, 0), 1) * 255) + 0.5));
      const isOutside = dims && (share < 0 || share > 1);
      pixels[to] = isOutside ? (table[color] >> 2) + 30 : table[color];
      pixels[to + 1] = isOutside ? (table[color + 1] >> 2) + 30 : table[color + 1];
      pixels[to + 2] = isOutside ? (table[color + 2] >> 2) + 30 : table[color + 2];
    }
  }

  /** The distance in metres below which this share of the pixels lies, to a two-thousandth of the range's logarithm. */
  quantile(share) {
    const count = 2000, start = Math.log(this.near), step = (Math.log(this.far) - start) / count;
    if (!this.sums) {
      this.sums = this.counts(count);
      for (let i = 1; i < count; i++) this.sums[i] += this.sums[i - 1];
    }
    const bin = this.sums.findIndex(sum => sum >= share * this.sums[count - 1]);
    return Math.exp(start + (Math.max(0, bin) + 0.5) * step);
  }

  /** Shares of pixels over equal steps of the logarithm of metres, relative to the largest share. */
  histogram(count) {
    const bins = this.counts(count), top = bins.reduce((a, b) => Math.max(a, b), 1);
    return bins.map(bin => bin / top);
  }

  /** Numbers of pixels over equal steps of the logarithm of metres. */
  counts(count) {
    const bins = new Float64Array(count);
    const start = Math.log(this.near), scale = count / (Math.log(this.far) - start || 1);
    for (const disparity of this.disparity) {
      if (disparity > 0) bins[Math.min(count - 1, Math.max(0, Math.floor((-Math.log(disparity) - start) * scale)))]++;
    }
    return bins;
  }
}

/** The color tables of the program, 256 colors each. */
function colorTables() {
  const texts = JSON.parse(document.getElementById('colors').textContent);
  return Object.fromEntries(Object.entries(texts).map(([name, text]) =>
    [name, Uint8Array.from(atob(text), c => c.charCodeAt(0))]));
}

/** "2.41 m", "85 cm". */
function metresText(metres) {
  if (metres === null) return 'no value';
  if (metres < 1) return `${Math.round(metres * 100)} cm`;
  return `${metres.toFixed(metres < 10 ? 2 : 1)} m`;
}
