// Narrow windows show one picture at a time. Two buttons or a swipe switch between photo and depth.

class Tabs {
  constructor(element, stage, panes) {
    [this.buttons, this.stage, this.panes] = [[...element.children], stage, panes];
    this.buttons.forEach((button, index) => button.addEventListener('click', () => this.show(index)));
    stage.addEventListener('scroll', () => this.mark());
    new ResizeObserver(() => this.mark()).observe(stage);
  }

  show(index) {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const left = this.panes[index].offsetLeft - this.panes[0].offsetLeft;
    this.stage.scrollTo({ left, behavior: isCalm ? 'auto' : 'smooth' });
  }

  /** Marks the button of the visible picture. */
  mark() {
    const isSecond = this.stage.scrollLeft > this.stage.clientWidth / 2;
    this.buttons.forEach((button, index) => button.setAttribute('aria-pressed', (index === 1) === isSecond));
  }
}
