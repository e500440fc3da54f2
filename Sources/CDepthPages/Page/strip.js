// A strip of thumbnails for several photos, one of which is open.

class Strip {
  /** @param onChoose Called with the file of a thumbnail. */
  constructor(element, onChoose) {
    this.element = element;
    this.onChoose = onChoose;
    /** Files with their buttons, in the order of arrival. */
    this.entries = [];
  }

  /** Shows these files. A single file has no strip. */
  set(files) {
    this.entries = files.map((file, index) => {
      // Photos that a phone passes on may have no name.
      const name = file.name || `Photo ${index + 1}`;
      const button = document.createElement('button'), picture = document.createElement('canvas');
      button.type = 'button';
      button.title = name;
      button.setAttribute('aria-label', name);
      [picture.width, picture.height] = [160, 120];
      button.append(picture);
      button.addEventListener('click', () => this.onChoose(file));
      return { file, name, button, picture };
    });
    if (files.length > 1) this.drawAll(this.entries);
    this.element.replaceChildren(...this.entries.map(entry => entry.button));
    this.element.hidden = files.length < 2;
  }

  /** Draws the thumbnails one after the other, because decoded photos are large. */
  async drawAll(entries) {
    for (const entry of entries) {
      if (entries !== this.entries) return;
      await this.draw(entry.file, entry.picture);
      // The program may have rejected the file already.
      if (entry.isRefused) this.write('Not read', entry.picture);
    }
  }

  /** Draws the middle of a photo. If the browser cannot read the file, the extension is shown until the program has read it. */
  async draw(file, picture) {
    let bitmap;
    try { bitmap = await createImageBitmap(file, { resizeWidth: 160, resizeQuality: 'medium' }); } catch {
      return this.write((file.name.match(/\.([^.]{1,5})$/)?.[1] ?? 'Photo').toUpperCase(), picture);
    }
    this.paint(bitmap, picture);
    bitmap.close();
  }

  paint(bitmap, picture) {
    const scale = Math.max(picture.width / bitmap.width, picture.height / bitmap.height);
    const [width, height] = [bitmap.width * scale, bitmap.height * scale];
    picture.getContext('2d').drawImage(bitmap, (picture.width - width) / 2, (picture.height - height) / 2, width, height);
  }

  write(text, picture) {
    const context = picture.getContext('2d'), style = getComputedStyle(document.body);
    context.fillStyle = style.getPropertyValue('--surface');
    context.fillRect(0, 0, picture.width, picture.height);
    context.fillStyle = style.getPropertyValue('--ink');
    Object.assign(context, { font: '28px sans-serif', textAlign: 'center', textBaseline: 'middle' });
    context.fillText(text, picture.width / 2, picture.height / 2);
  }

  /** Marks a file as unreadable. */
  refuse(file) {
    const entry = this.entries.find(entry => entry.file === file);
    if (!entry) return;
    entry.isRefused = true;
    this.write('Not read', entry.picture);
    entry.button.title = `${entry.name}, not read`;
    entry.button.setAttribute('aria-label', entry.button.title);
  }

  /** Marks the open file and shows its thumbnail. A file outside of the strip begins a new strip. */
  mark(file, bitmap) {
    if (!this.entries.some(entry => entry.file === file)) this.set([file]);
    for (const entry of this.entries) {
      entry.button.setAttribute('aria-pressed', entry.file === file);
      if (entry.file === file) this.paint(bitmap, entry.picture);
    }
  }
}
