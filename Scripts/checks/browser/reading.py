"""Checks of what people read and hear: contrast of all text, names and roles, the order of focus, and the keyboard alone."""

from checking import arrived, check, screenshot

# Every text that is seen: its color over the grounds below it, lightest and darkest where a picture is below.
faint = """(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = color => { context.clearRect(0, 0, 1, 1); context.fillStyle = color; context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
  const light = color => { const [r, g, b] = color.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const contrast = (a, b) => { const [x, y] = [light(a), light(b)]; return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const grounds = element => {
    const layers = [];
    let bottom = [rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3)];
    for (let e = element; e && e !== document.body; e = e.parentElement) {
      const layer = rgba(getComputedStyle(e).backgroundColor);
      if (layer[3] === 0) {
        // Over a picture anything may be below.
        if (e.parentElement?.classList.contains('frame')) { bottom = [[0, 0, 0], [255, 255, 255]]; break; }
        continue;
      }
      layers.push(layer);
      if (layer[3] === 1) break;
      if (e.matches('.frame > *, #metres')) { bottom = [[0, 0, 0], [255, 255, 255]]; break; }
    }
    return bottom.map(ground => layers.reduceRight((below, layer) => over(layer, below), ground));
  };
  let count = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = new Map();
  const elements = [...document.querySelectorAll('select, input[type=number]')];
  while (texts.nextNode()) if (texts.currentNode.data.trim()) elements.push(texts.currentNode.parentElement);
  for (const element of elements) {
    if (element.closest('script, style, option, .unseen') || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const wanted = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
    for (const ground of grounds(element)) {
      const value = contrast(over(rgba(style.color), ground), ground);
      if (value < wanted) found.set(`${element.id || element.className || element.tagName} "${element.textContent.trim().slice(0, 30)}" ${value.toFixed(2)}`, 1);
    }
    count++;
  }
  // Numbers that the ruler draws.
  const style = getComputedStyle(document.documentElement), ruler = contrast(...['--soft', '--surface'].map(name => rgba(style.getPropertyValue(name)).slice(0, 3)));
  if (ruler < 4.5) found.set(`the ruler's numbers ${ruler.toFixed(2)}`, 1);
  return [[...found.keys()], count];
})()"""


def check_text(page, name):
    """4.5 : 1, and 3 : 1 for large text, in both schemes (WCAG 2.2, 1.4.3)."""
    for scheme in ["light", "dark"]:
        page.emulate(scheme=scheme)
        found, count = page.run(faint)
        check(not found, f"{name}, {scheme}: text without contrast: {found}")
        check(count > 3, f"{name}, {scheme}: only {count} texts are compared")
    page.emulate()


def check_tree(page, name):
    """What a screen reader is told: a name and a role for all that takes the focus or is a picture; no name twice, sliders with values."""
    nodes = (page.call("Accessibility.getFullAXTree"))["nodes"]
    faults = []
    for node in nodes:
        if node.get("ignored"):
            continue
        role = node["role"]["value"]
        own = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
        label = node.get("name", {}).get("value", "").strip()
        isPart = role in ("button", "link", "combobox", "checkbox", "radio", "slider", "textbox", "spinbutton", "img", "image", "radiogroup",
                          "progressbar", "navigation", "region", "dialog", "alertdialog")
        if role not in ("RootWebArea", "Iframe") and (isPart or own.get("focusable")) and not label and role != "region":
            faults.append(f"{role} without a name")
        if own.get("focusable") and role in ("generic", "none", "GenericContainer"):
            faults.append(f"{label!r} takes the focus and has no role")
        if role == "slider" and not (node.get("value", {}).get("value") is not None or own.get("valuetext")):
            faults.append(f"slider {label!r} without a value")
    faults += page.run("""(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id), faults = [];
      for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) faults.push(`two elements are called ${id}`);
      for (const e of document.querySelectorAll('[aria-labelledby], [aria-describedby]')) {
        for (const id of `${e.getAttribute('aria-labelledby') ?? ''} ${e.getAttribute('aria-describedby') ?? ''}`.split(' ').filter(Boolean)) {
          if (!document.getElementById(id)) faults.push(`${id} is named and does not exist`);
        }
      }
      for (const e of document.querySelectorAll('[tabindex]')) if (e.tabIndex > 0) faults.push(`${e.id} jumps the order`);
      for (const e of document.querySelectorAll('[aria-hidden=true] button, [aria-hidden=true] input')) faults.push(`${e.id} is hidden and takes the focus`);
      for (const e of document.querySelectorAll('img:not([alt])')) faults.push('a picture without a text');
      if (!document.documentElement.lang || !document.title) faults.push('the page has no language or title');
      if (document.querySelectorAll('h1').length !== 1 || !document.querySelector('main')) faults.push('the page has no heading or main part');
      return faults; })()""")
    check(not faults, f"{name}: {sorted(set(faults))}")


def check_order_of_focus(page, name):
    """Tab goes through everything once, in the order of the page, to what is in sight and shows that it has the focus."""
    page.run("(document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex'), window.scrollTo(0, 0), window.steps = [])")
    for _ in range(60):
        page.key("Tab")
        step = page.run("""(() => { const e = document.activeElement;
          if (e === document.body || steps.includes(e)) return null;
          const b = e.getBoundingClientRect(), x = b.left + b.width / 2, y = b.top + b.height / 2, top = document.elementFromPoint(x, y);
          const isAfter = !steps.length || !!(steps.at(-1).compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING);
          const shown = [e, e.nextElementSibling, e.closest('.frame')].some(o => o && getComputedStyle(o).outlineStyle !== 'none')
            || getComputedStyle(e, '::after').outlineStyle !== 'none';
          const isSeen = x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight && !!top && (e.contains(top) || top.contains(e) || e.parentElement.contains(top));
          steps.push(e);
          return [e.id || e.value || e.ariaLabel || e.textContent.trim(), isAfter, shown, isSeen]; })()""")
        if step is None:
            break
        check(step[1], f"{name}: the focus goes back to {step[0]}")
        check(step[2], f"{name}: {step[0]} does not show that it has the focus")
        check(step[3], f"{name}: {step[0]} has the focus out of sight")
    missed = page.run("""[...document.querySelectorAll('button, summary, select, canvas[tabindex], input:not([type=radio]), input[type=radio]:checked')]
      .filter(e => e.checkVisibility({ visibilityProperty: true }) && !steps.includes(e)).map(e => e.id || e.value || e.textContent.trim())""")
    check(not missed, f"{name}: Tab does not reach {missed}")
    page.run("document.activeElement.blur()")


def check_look(page, name):
    """A picture of a state and all that can be said of its texts and names."""
    screenshot(page, name)
    check_text(page, name)
    check_tree(page, name)


def tab_to(page, script, back=False):
    """Presses Tab until an expression of the focused element `e` is true."""
    for _ in range(60):
        page.key("Tab", shift=back)
        if page.run(f"(e => {script})(document.activeElement)"):
            return
    check(False, f"Tab does not reach {script}")


def check_keyboard(page, address, saved):
    """The example opened, focused, blurred, measured and saved by the keyboard alone."""
    page.driver.get(address)
    tab_to(page, "e.id === 'example'")
    page.key("Enter")
    page.wait("document.body.dataset.state === 'open' && !document.body.classList.contains('working') && !isBusy")
    tab_to(page, "e.id === 'photo'")
    page.key("ArrowDown", 5)
    page.key("Enter")
    page.wait("document.body.dataset.shown === 'blur' && !isBusy")
    check(page.run("chosen.focus.y > open.map.height / 2"), "the keys do not move the focus")
    tab_to(page, "e.name === 'mode'")
    check(page.run("document.activeElement.value") == "blur", "Tab comes to another effect than the one that is chosen")
    tab_to(page, "e.type === 'range'")
    stop = page.run("chosen.stop")
    page.key("ArrowRight")
    page.wait("!isBusy")
    check(page.run("chosen.stop") == stop + 1, "the arrow keys do not move the aperture")
    tab_to(page, "e.name === 'mode'", back=True)
    page.key("ArrowLeft")
    page.wait("document.body.dataset.shown === 'measure'")
    tab_to(page, "e.id === 'photo'", back=True)
    page.key("Enter")
    page.key("ArrowRight", 20)
    page.key("Enter")
    check(page.run("measure.points.length") == 2, "the keys do not measure")
    tab_to(page, "e.tagName === 'SUMMARY'", back=True)
    page.key("Enter")
    page.wait("document.getElementById('saving').open && !!document.querySelector('#saves button')")
    tab_to(page, "e.firstChild?.textContent === '16-bit PNG'")
    page.key("Enter")
    arrived(page, saved / "example_depth.png")
    check(page.run("document.activeElement.tagName") == "SUMMARY", "after a save the focus is lost")
