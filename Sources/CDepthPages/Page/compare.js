// A line across the picture, with the photo to the left of the line and the effect to the right.

class Compare {
  /** @param drawBefore Draws the photo into a canvas of the picture's size. */
  constructor(drawBefore) {
    [this.button, this.divider, this.before] = ['compare', 'divider', 'before'].map(id => document.getElementById(id));
    this.drawBefore = drawBefore;
    this.isPossible = false;
    this.share = 0.5;
    this.button.addEventListener('click', () => this.show(this.divider.hidden));
    this.divider.addEventListener('pointerdown', event => {
      event.preventDefault();
      this.divider.focus();
      this.divider.setPointerCapture(event.pointerId);
    });
    this.divider.addEventListener('pointermove', event => {
      if (!this.divider.hasPointerCapture(event.pointerId)) return;
      const box = this.divider.parentElement.getBoundingClientRect();
      this.move((event.clientX - box.left) / box.width);
    });
    this.divider.addEventListener('keydown', event => {
      const shares = { ArrowLeft: this.share - 0.02, ArrowRight: this.share + 0.02, PageDown: this.share - 0.2, PageUp: this.share + 0.2, Home: 0, End: 1 };
      if (!(event.key in shares)) return;
      event.preventDefault();
      this.move(shares[event.key]);
    });
  }

  /** Offers the line for a picture with an effect. The line stays when the effect changes. */
  offer(isPossible) {
    this.isPossible = isPossible;
    this.button.hidden = !isPossible;
    // The person's selection returns with the next effect.
    this.show(isPossible && this.button.ariaPressed === 'true');
  }

  show(isShown) {
    if (this.isPossible) this.button.ariaPressed = String(isShown);
    this.divider.hidden = this.before.hidden = !isShown;
    if (!isShown) return;
    this.drawBefore(this.before);
    this.move(this.share);
  }

  /** @param share The share of the width that shows the photo, 0…1. */
  move(share) {
    this.share = Math.min(1, Math.max(0, share));
    this.before.style.clipPath = `inset(0 ${100 * (1 - this.share)}% 0 0)`;
    this.divider.style.left = `${100 * this.share}%`;
    const percent = Math.round(100 * this.share);
    this.divider.setAttribute('aria-valuenow', percent);
    this.divider.setAttribute('aria-valuetext', `photo ${percent} %, effect ${100 - percent} %`);
  }
}
