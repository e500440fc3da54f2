// The depth ruler: how many pixels are how far away, and two handles that choose a range. Until somebody moves one, the
// range leaves out two hundredths of the pixels at either end, which take the colors of the ends.

class Ruler {
  constructor(element, onRange) {
    this.element = element;
    this.canvas = element.querySelector('canvas');
    this.handles = [...element.querySelectorAll('.handle')];
    this.onRange = onRange;
    this.handles.forEach((handle, index) => {
      handle.addEventListener('pointerdown', event => {
        event.preventDefault();
        handle.focus();
        handle.setPointerCapture(event.pointerId);
      });
      handle.addEventListener('pointermove', event => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const box = this.canvas.getBoundingClientRect();
        this.move(index, (event.clientX - box.left) / box.width);
      });
      handle.addEventListener('dblclick', () => this.move(index, index));
      handle.addEventListener('keydown', event => {
        const steps = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01, PageDown: -0.1, PageUp: 0.1 };
        if (event.key in steps) this.move(index, this.shares[index] + steps[event.key]);
        else if (event.key === 'Home') this.move(index, index === 0 ? 0 : this.shares[0]);
        else if (event.key === 'End') this.move(index, index === 0 ? this.shares[1] : 1);
        else return;
        event.preventDefault();
      });
    });
    new ResizeObserver(() => this.draw()).observe(element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }

  show(map, table) {
    if (this.map !== map) {
      this.map = map;
      this.isChosen = false;
      this.shares = [this.share(map.quantile(0.02)), this.share(map.quantile(0.98))];
      if (!(this.shares[1] - this.shares[0] >= 0.02)) this.shares = [0, 1];
      this.bins = map.histogram(160);
    }
    this.table = table;
    this.draw();
  }

  /** Metres at a share of the ruler's width. */
  metres(share) {
    const [near, far] = [Math.log(this.map.near), Math.log(this.map.far)];
    return Math.exp(near + share * (far - near));
  }

  share(metres) {
    const [near, far] = [Math.log(this.map.near), Math.log(this.map.far)];
    return far > near ? (Math.log(metres) - near) / (far - near) : 0.5;
  }

  /** The whole range is equal to the map's own range, bit by bit. */
  get range() {
    return {
      near: this.shares[0] <= 0 ? this.map.near : this.metres(this.shares[0]),
      far: this.shares[1] >= 1 ? this.map.far : this.metres(this.shares[1]),
    };
  }

  move(index, share) {
    const gap = 0.02;
    this.isChosen = true;
    this.shares[index] = index === 0
      ? Math.min(Math.max(share, 0), this.shares[1] - gap) : Math.max(Math.min(share, 1), this.shares[0] + gap);
    this.draw();
    this.onRange(this.range);
  }

  /** Marks a depth on the ruler; null removes the mark. */
  point(metres) {
    this.pointed = metres;
    this.draw();
  }

  draw() {
    if (!this.map || !this.canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext('2d');
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement), soft = style.getPropertyValue('--soft');
    const floor = height - 20, top = 22, step = width / this.bins.length;
    const { near, far } = this.range;
    this.bins.forEach((bin, index) => {
      const share = (index + 0.5) / this.bins.length, metres = this.metres(share);
      const isInside = share >= this.shares[0] && share <= this.shares[1];
      const level = (1 / metres - 1 / far) / (1 / near - 1 / far || 1);
      const color = 3 * Math.round(255 * Math.min(1, Math.max(0, level)));
      context.fillStyle = isInside ? `rgb(${this.table[color]} ${this.table[color + 1]} ${this.table[color + 2]})` : soft;
      context.globalAlpha = isInside ? 1 : 0.25;
      const tall = Math.max(1.5, (floor - top) * Math.sqrt(bin));
      context.fillRect(index * step, floor - tall, Math.max(1, step - 0.5), tall);
      // The darkest colors need an edge on a dark background.
      context.fillStyle = soft;
      context.fillRect(index * step, floor - tall, step, 1);
    });
    context.globalAlpha = 1;
    context.fillStyle = soft;
    context.fillRect(0, floor, width, 1);
    this.drawTicks(context, floor, width);
    if (this.pointed) {
      context.fillStyle = style.getPropertyValue('--accent');
      context.fillRect(this.share(this.pointed) * width - 1, top - 4, 2, floor - top + 4);
    }
    this.handles.forEach((handle, index) => {
      const share = this.shares[index], metres = index === 0 ? near : far, text = metresText(metres);
      handle.style.left = `${share * width}px`;
      handle.style.setProperty('--share', share);
      handle.firstElementChild.textContent = text;
      handle.setAttribute('aria-valuenow', metres.toFixed(2));
      handle.setAttribute('aria-valuemin', this.map.near.toFixed(2));
      handle.setAttribute('aria-valuemax', this.map.far.toFixed(2));
      handle.setAttribute('aria-valuetext', text);
    });
  }

  drawTicks(context, floor, width) {
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'center';
    let last = -Infinity;
    for (const power of [0.01, 0.1, 1, 10, 100, 1000]) {
      for (const digit of [1, 1.5, 2, 3, 4, 5, 6, 8]) {
        const metres = digit * power, x = this.share(metres) * width;
        if (x < 14 || x > width - 14 || x - last < 44) continue;
        last = x;
        context.fillRect(x, floor, 1, 4);
        context.fillText(metres < 1 ? `${+(metres * 100).toPrecision(3)} cm` : `${+metres.toPrecision(3)} m`, x, floor + 16);
      }
    }
  }
}
