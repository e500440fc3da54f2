// What can be saved of an open photo.

function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function showSaves() {
  if (!open) return;
  const photo = open, name = (photo.file.name || 'photo').replace(/\.[^.]*$/, '');
  const entries = [];
  const add = (title, detail, make) => entries.push([title, detail, make]);
  const mode = modes[chosen.mode];
  if (mode.request) {
    const most = mode.maximum?.(photo) ?? Infinity, share = Math.min(1, Math.sqrt(most / (photo.width * photo.height)));
    const size = share < 1
      ? `${Math.floor(photo.width * share)} × ${Math.floor(photo.height * share)}, the largest for this blur`
      : 'as large as the photo';
    add(`${mode.name}`, size, async () => {
      const [kind, parameters] = mode.request();
      if (mode.hasFocus) Object.assign(parameters, focusParameter(photo));
      const picture = kind === 'effect'
        ? await working(mode.name, (signal, onProgress) =>
          server.effect(parameters, photo.file, share < 1 ? most : null, signal, onProgress))
        : await server.picture(kind, { ...parameters, ...mode.save }, { file: photo.file });
      if (!picture) return;
      save(picture, `${name}_${chosen.mode}.${picture.type === 'image/png' ? 'png' : 'jpg'}`);
    });
  }
  if (chosen.mode === 'cloud') {
    add('This view', 'PNG', () => $('cloud').toBlob(blob => save(blob, `${name}_view.png`)));
  }
  add('Depth in colors', 'PNG, as shown', () => $('depth').toBlob(blob => save(blob, `${name}_colors.png`)));
  if (photo.isEmbedded) {
    add('Depth map', '16-bit PNG, millimetres', () => save(photo.depthFile, `${name}_depth.png`));
    add('Photo', 'JPEG', () => save(photo.file, `${name}.jpg`));
  } else {
    for (const [title, detail, type, ending] of [
      ['Depth map', '16-bit PNG, millimetres', 'image/png', 'png'],
      ['Depth map', '32-bit PFM, metres', 'image/x-portable-floatmap', 'pfm'],
      ['Depth map', 'NumPy array, metres', 'application/x-npy', 'npy'],
      ['Facts', 'JSON', 'application/json', 'json'],
    ]) {
      add(title, detail, async () => save(await server.depthFile(photo.file, type, photo.factor), `${name}_depth.${ending}`));
    }
  }
  $('saves').replaceChildren(...entries.map(([title, detail, make]) => {
    const button = document.createElement('button'), small = document.createElement('small');
    button.type = 'button';
    button.textContent = title;
    small.textContent = detail;
    button.append(small);
    button.addEventListener('click', async () => {
      $('saving').open = false;
      try { await make(); } catch (error) { notice(sentence(error, photo.file)); }
    });
    return button;
  }));
}
