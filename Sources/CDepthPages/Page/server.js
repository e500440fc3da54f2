// Requests to the program that serves the page.

/** A response that reports a failure. */
class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

class Server {
  constructor() {
    // Browsers send no server the part of an address after '#', which contains the secret.
    const token = new URLSearchParams(location.hash.slice(1)).get('token');
    this.headers = token ? { Authorization: `Bearer ${token}` } : {};
  }

  async fetch(address, options = {}) {
    let response;
    try {
      response = await fetch(address, { ...options, headers: { ...this.headers, ...options.headers } });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new ServerError(0, 'The program does not answer. Is "depth serve" still running?');
    }
    if (!response.ok) {
      const text = await response.text();
      let message = `The program answered with status ${response.status}.`;
      try { message = JSON.parse(text).error || message; } catch { /* The status has to do. */ }
      throw new ServerError(response.status, message);
    }
    return response;
  }

  /** Parameters for a file, with the focal length if a person has entered one. */
  query(file, parameters = {}) {
    return new URLSearchParams(file.focalLength ? { ...parameters, 'focal-length': file.focalLength } : parameters);
  }

  /** Sends a photo, and returns the facts about it. `onProgress` is called with the completed share. */
  async open(file, signal, onProgress) {
    return this.lines(await this.fetch(`v1/photos?${this.query(file)}`, { method: 'POST', body: file, signal }), onProgress);
  }

  /** The last line of a response whose earlier lines report progress. */
  async lines(response, onProgress) {
    const reader = response.body.getReader(), decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      text += done ? '' : decoder.decode(value, { stream: true });
      const lines = text.split('\n');
      text = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const news = JSON.parse(line);
        if (news.error) throw new ServerError(422, news.error);
        if (news.progress === undefined) return news;
        onProgress(news.progress);
      }
      if (done) throw new ServerError(0, 'The answer of the program is incomplete.');
    }
  }

  async depth(id, signal) {
    const response = await this.fetch(`v1/photos/${id}/depth`, { signal });
    return DepthMap.fromNPY(await response.arrayBuffer());
  }

  /** A picture of an open photo: 'effect' or 'stereo' with its parameters. */
  async picture(kind, parameters, signal) {
    const response = await this.fetch(`v1/${kind}?${new URLSearchParams(parameters)}`, {
      method: 'POST', signal, headers: { Accept: 'image/*' },
    });
    return response.blob();
  }

  /** An effect of a file with at most `maximum` pixels. `onProgress` is called with the completed share. */
  async effect(parameters, file, maximum, signal, onProgress) {
    const query = this.query(file, maximum ? { ...parameters, 'max-pixels': maximum } : parameters);
    const news = await this.lines(await this.fetch(`v1/effect?${query}`, {
      method: 'POST', body: file, signal, headers: { Accept: 'application/x-ndjson' },
    }), onProgress);
    return new Blob([Uint8Array.from(atob(news.data), c => c.charCodeAt(0))], { type: news.type });
  }

  /** The picture of an open photo's surface normals. */
  async normals(id) { return (await this.fetch(`v1/photos/${id}/normals`)).blob(); }

  /** The PFM file of an open photo's confidence. */
  async confidence(id, signal) { return (await this.fetch(`v1/photos/${id}/confidence`, { signal })).arrayBuffer(); }

  /** The depth map of a frame, with the filter's usual edges. */
  async frameDepth(file, signal) {
    const response = await this.fetch('v1/depth', { method: 'POST', body: file, signal, headers: { Accept: 'application/x-npy' } });
    return DepthMap.fromNPY(await response.arrayBuffer());
  }

  /** The identity of the program's weights. */
  async weights() { return (await (await this.fetch('healthz')).json()).weights_id; }

  /** A file that the program makes of a photo. `onBytes` is called with the received bytes and the total bytes. */
  async made(kind, parameters, file, type, signal, onBytes) {
    const response = await this.fetch(`v1/${kind}?${this.query(file, parameters)}`, {
      method: 'POST', body: file, signal, headers: { Accept: type },
    });
    const whole = Number(response.headers.get('Content-Length')), reader = response.body.getReader(), parts = [];
    let count = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts, { type: response.headers.get('Content-Type') });
      parts.push(value);
      count += value.length;
      onBytes(count, whole);
    }
  }
}

/** The sentence for the person. If the program rejects a photo, the sentence begins with the photo's name. */
function sentence(error, file) {
  const text = (error.message || String(error)).replace(/^the photo: /, '');
  if (file && [400, 413, 415, 422].includes(error.status)) return `${file.name || 'The photo'}: ${ended(text)}`;
  return ended(text.charAt(0).toUpperCase() + text.slice(1));
}

function ended(text) { return /[.?!]$/.test(text) ? text : `${text}.`; }
