// A tour of three photos, one sentence each.

class Tour {
  static steps = [
    { photo: 'example.jpg', mode: 'photo', text: 'Point at anything to read how far away it is. The colors show it for the whole room: warm is near.' },
    { photo: 'armchair.jpg', mode: 'blur', text: 'The subject, the nearest large thing, is in focus, as through a large lens. Tap something else, change the aperture, or press Compare.' },
    { photo: 'doorway.jpg', mode: 'cloud', text: 'Every pixel is at its distance. Drag to look around in the photo.' },
  ];

  /** @param show Opens a photo of the program in a mode. */
  constructor(show) {
    [this.section, this.text, this.next, this.end] = ['tour', 'tourtext', 'tournext', 'tourend'].map(id => document.getElementById(id));
    this.show = show;
    this.next.addEventListener('click', () => this.go(this.step + 1));
    this.end.addEventListener('click', () => this.close());
  }

  async go(step) {
    if (step >= Tour.steps.length) return this.close();
    this.step = step;
    const { photo, mode, text } = Tour.steps[step];
    this.section.hidden = false;
    this.text.textContent = `${step + 1} of ${Tour.steps.length}. ${text}`;
    this.end.hidden = step + 1 === Tour.steps.length;
    this.next.textContent = step + 1 < Tour.steps.length ? 'Next' : 'Done';
    this.next.focus({ preventScroll: true });
    await this.show(photo, mode);
  }

  /** Ends the tour. The photo stays open. */
  close() { this.section.hidden = true; }
}
