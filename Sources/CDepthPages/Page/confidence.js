// The confidence of each pixel, for weights that estimate errors.

// The program defines `doubtfulError`, the smallest relative error of doubtful depth, before the scripts.

class Confidence {
  /**
   * @param buffer A PFM file: three lines of text, then 32-bit floats, the lowest row first.
   * @param map The photo's depth map, which may have another size.
   */
  constructor(buffer, map) {
    const head = new TextDecoder('latin1').decode(buffer.slice(0, 64)).split('\n', 3);
    [this.width, this.height] = head[1].split(' ').map(Number);
    this.values = new Float32Array(buffer.slice(head.join('\n').length + 1));
    this.map = map;
  }

  /** 1 minus the expected relative error of a pixel of the depth map. */
  at(x, y) {
    const column = Math.floor((x + 0.5) * this.width / this.map.width), row = Math.floor((y + 0.5) * this.height / this.map.height);
    return this.values[(this.height - 1 - row) * this.width + column];
  }

  /** Draws light stripes over doubtful pixels. */
  hatch(pixels) {
    const { width, height } = this.map, period = Math.max(8, Math.round(width / 64));
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if ((x + y) % period >= period / 4 || 1 - this.at(x, y) < doubtfulError) continue;
        const at = 4 * (y * width + x);
        pixels[at] = pixels[at + 1] = pixels[at + 2] = 245;
      }
    }
  }
}
