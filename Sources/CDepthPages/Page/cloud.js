// The point cloud, with every pixel at its depth. The person can turn the cloud.

class Cloud {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext('webgl', { antialias: true, preserveDrawingBuffer: true });
    this.reset();
    const pointers = new Map();
    canvas.addEventListener('pointerdown', event => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, event);
    });
    const forget = event => pointers.delete(event.pointerId);
    canvas.addEventListener('pointerup', forget);
    canvas.addEventListener('pointercancel', forget);
    canvas.addEventListener('pointermove', event => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const other = [...pointers.values()].find(pointer => pointer.pointerId !== event.pointerId);
      if (other) {
        const distance = pointer => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
        this.zoom *= distance(before) / Math.max(1, distance(event));
        this.turn(0, 0);
      } else {
        this.turn((event.clientX - before.clientX) / 220, (event.clientY - before.clientY) / 220);
      }
      pointers.set(event.pointerId, event);
    });
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom *= Math.exp(event.deltaY / 600);
      this.turn(0, 0);
    }, { passive: false });
    canvas.addEventListener('dblclick', () => { this.reset(); this.draw(); });
    canvas.addEventListener('keydown', event => {
      const turns = { ArrowLeft: [-0.08, 0], ArrowRight: [0.08, 0], ArrowUp: [0, -0.08], ArrowDown: [0, 0.08] };
      if (event.key in turns) this.turn(...turns[event.key]);
      else if (event.key === '+' || event.key === '=') { this.zoom *= 0.9; this.turn(0, 0); }
      else if (event.key === '-') { this.zoom /= 0.9; this.turn(0, 0); }
      else if (event.key === '0') { this.reset(); this.draw(); }
      else return;
      event.preventDefault();
    });
  }

  get works() { return this.gl !== null; }

  reset() { [this.yaw, this.pitch, this.zoom] = [-0.32, 0.12, 1]; }

  turn(yaw, pitch) {
    this.yaw = Math.min(1.5, Math.max(-1.5, this.yaw + yaw));
    this.pitch = Math.min(1.2, Math.max(-1.2, this.pitch + pitch));
    this.zoom = Math.min(3, Math.max(0.15, this.zoom));
    this.draw();
  }

  /**
   * @param map Depth.
   * @param pixels RGBA bytes of the photo at the map's size.
   * @param focalLength In widths of the photo.
   */
  show(map, pixels, focalLength) {
    const gl = this.gl, { width, height } = map;
    const step = Math.max(1, Math.ceil(Math.sqrt(width * height / 400000)));
    const f = focalLength * width, points = [], colors = [], depths = [];
    for (let y = 0; y < height; y += step) {
      for (let x = 0; x < width; x += step) {
        const z = map.at(x, y);
        if (z === null) continue;
        // Pixels on an outline are between front and back, and are omitted.
        const [right, below] = [map.at(Math.min(x + step, width - 1), y), map.at(x, Math.min(y + step, height - 1))];
        if (right === null || below === null || Math.abs(right - z) > 0.05 * z * step || Math.abs(below - z) > 0.05 * z * step) continue;
        points.push((x + 0.5 - width / 2) * z / f, (height / 2 - y - 0.5) * z / f, -z);
        const at = 4 * (y * width + x);
        colors.push(pixels[at], pixels[at + 1], pixels[at + 2]);
        depths.push(z);
      }
    }
    depths.sort((a, b) => a - b);
    this.count = depths.length;
    this.center = depths[depths.length >> 1] || 1;
    this.focalLength = focalLength;
    this.pointSize = step / width;
    if (!this.program) this.program = this.compiled();
    this.fill('place', new Float32Array(points), gl.FLOAT, false);
    this.fill('color', new Uint8Array(colors), gl.UNSIGNED_BYTE, true);
    this.aspect = width / height;
    this.draw();
  }

  compiled() {
    const gl = this.gl, program = gl.createProgram();
    const shader = (type, text) => {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    };
    shader(gl.VERTEX_SHADER, `
      attribute vec3 place; attribute vec3 color; varying vec3 tint;
      uniform mat3 turn; uniform vec3 scale; uniform float center, away, size;
      void main() {
        vec3 p = turn * (place + vec3(0, 0, center));
        float depth = away - p.z;
        gl_Position = vec4(p.x * scale.x, p.y * scale.y, depth - 0.02 * center, depth);
        gl_PointSize = max(1.0, size * -place.z * scale.z / depth);
        tint = color;
      }`);
    shader(gl.FRAGMENT_SHADER, `
      precision mediump float; varying vec3 tint;
      void main() { gl_FragColor = vec4(tint, 1); }`);
    gl.linkProgram(program);
    return program;
  }

  fill(name, values, type, isNormalized) {
    const gl = this.gl, place = gl.getAttribLocation(this.program, name);
    this.buffers = this.buffers || {};
    this.buffers[name] = this.buffers[name] || gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, type, isNormalized, 0, 0);
  }

  draw() {
    const gl = this.gl;
    if (!gl || !this.count || this.canvas.hidden) return;
    const ratio = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.max(1, this.canvas.clientWidth * ratio);
    this.canvas.height = Math.max(1, this.canvas.clientHeight * ratio);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0.063, 0.063, 0.07, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(this.program);
    const [a, b] = [Math.cos(this.yaw), Math.sin(this.yaw)], [c, d] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    const uniform = name => gl.getUniformLocation(this.program, name);
    // Columns of "pitch after yaw".
    gl.uniformMatrix3fv(uniform('turn'), false, [a, b * d, -b * c, 0, c, d, b, -a * d, a * c]);
    const scale = 2 * this.focalLength;
    gl.uniform3f(uniform('scale'), scale, scale * this.canvas.width / this.canvas.height, this.focalLength * this.canvas.width);
    gl.uniform1f(uniform('center'), this.center);
    gl.uniform1f(uniform('away'), this.center * this.zoom);
    gl.uniform1f(uniform('size'), 1.9 * this.pointSize / this.focalLength);
    gl.drawArrays(gl.POINTS, 0, this.count);
  }
}
