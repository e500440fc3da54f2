// A picture on the page, with the pixel under the pointer and the pixel that a tap or key selects.

class Pane {
  /** @param onPoint Called with a pixel and whether it was selected; with null when the pointer leaves. */
  constructor(figure, canvas, onPoint) {
    this.figure = figure;
    this.canvas = canvas;
    this.cross = figure.querySelector('.cross');
    this.ring = figure.querySelector('.ring');
    this.cursor = null;
    let isDown = false;
    canvas.addEventListener('pointermove', event => onPoint(this.pixel(event), false));
    canvas.addEventListener('pointerleave', () => { isDown = false; onPoint(null, false); });
    canvas.addEventListener('pointerdown', () => { isDown = true; });
    canvas.addEventListener('pointerup', event => {
      if (isDown) onPoint(this.pixel(event), true);
      isDown = false;
    });
    canvas.addEventListener('keydown', event => {
      const step = event.shiftKey ? 0.1 : 0.01;
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      const { width, height } = canvas;
      const from = this.cursor || { x: width >> 1, y: height >> 1 };
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        onPoint(from, true);
      } else if (event.key in moves) {
        event.preventDefault();
        const [dx, dy] = moves[event.key];
        const held = (value, end) => Math.min(end - 1, Math.max(0, value));
        onPoint({
          x: held(from.x + Math.sign(dx) * Math.max(1, Math.round(Math.abs(dx) * width)), width),
          y: held(from.y + Math.sign(dy) * Math.max(1, Math.round(Math.abs(dy) * height)), height),
        }, false);
      }
    });
    canvas.addEventListener('blur', () => onPoint(null, false));
  }

  /** The pixel under a pointer. */
  pixel(event) {
    const box = this.canvas.getBoundingClientRect();
    const held = (value, end) => Math.min(end - 1, Math.max(0, Math.floor(value)));
    return {
      x: held((event.clientX - box.left) / box.width * this.canvas.width, this.canvas.width),
      y: held((event.clientY - box.top) / box.height * this.canvas.height, this.canvas.height),
    };
  }

  /** The position of a pixel in the window. */
  place(pixel) {
    const box = this.canvas.getBoundingClientRect();
    return {
      x: box.left + (pixel.x + 0.5) / this.canvas.width * box.width,
      y: box.top + (pixel.y + 0.5) / this.canvas.height * box.height,
    };
  }

  mark(element, pixel) {
    element.hidden = !pixel || this.canvas.hidden;
    if (element.hidden) return;
    const place = this.place(pixel), box = this.figure.getBoundingClientRect();
    element.style.transform = `translate(${place.x - box.left}px, ${place.y - box.top}px)`;
  }

  point(pixel) {
    this.cursor = pixel || this.cursor;
    this.mark(this.cross, pixel);
  }
}

/** A row with a name, a slider and the value in words. `ends` are pictures of the slider's ends. */
function slider(name, { min, max, step, value, text, ends = [], onInput }) {
  const row = document.createElement('label');
  row.className = 'setting';
  const title = document.createElement('span'), input = document.createElement('input');
  const output = document.createElement('output');
  title.textContent = name;
  Object.assign(input, { type: 'range', min, max, step, value });
  const show = () => {
    output.textContent = text(Number(input.value));
    input.setAttribute('aria-valuetext', output.textContent);
  };
  input.addEventListener('input', () => { show(); onInput(Number(input.value)); });
  show();
  const track = document.createElement('span');
  track.className = 'track';
  track.append(...ends.slice(0, 1), input, ...ends.slice(1));
  row.append(title, track, output);
  return row;
}

/** A row with a name and a choice. */
function choice(name, options, value, onChange) {
  const row = document.createElement('label');
  row.className = 'setting';
  const title = document.createElement('span'), select = document.createElement('select');
  title.textContent = name;
  select.append(...options.map(([key, text]) => new Option(text, key, false, key === value)));
  select.addEventListener('change', () => onChange(select.value));
  row.append(title, select);
  return row;
}

function paragraph(text) {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}
