// The effects that a person can select, with their settings and their requests to the program.

const percent = value => `${value < 1 ? value.toFixed(2) : value.toFixed(1)} %`;
/** Usual f-numbers, in thirds of a stop. */
const fNumbers = [16, 14, 13, 11, 10, 9, 8, 7.1, 6.3, 5.6, 5, 4.5, 4, 3.5, 3.2, 2.8, 2.5, 2.2, 2, 1.8, 1.6, 1.4, 1.2, 1.1, 1];
/** Focal length in metres of the blurring lens, a portrait lens of 85 mm on a 36 × 24 mm sensor. */
const lensLength = 0.085;

/**
 * The largest radius of blur by the lens in the open photo, as a share of the photo's width.
 *
 * With the photo's focal length F in widths and an aperture of A metres, the radius is F · A / 2 · |1/Z − 1/Zf|, as for
 * `depth effect blur --aperture f/N --lens 85mm`. The maximum is 8 %.
 */
function blurRadius() {
  if (!open) return 0;
  const { map } = open, metres = chosen.focus ? map.at(chosen.focus.x, chosen.focus.y) : null;
  const focus = 1 / (metres ?? map.near);
  const farthest = Math.max(map.highDisparity - focus, focus - map.lowDisparity);
  return Math.min(0.08, open.focalLength * lensLength / fNumbers[chosen.stop] / 2 * farthest);
}

/** A small picture of an aperture, whose diameter is a share of the lens's diameter. */
function iris(share) {
  const element = document.createElement('span');
  element.className = 'iris';
  element.setAttribute('aria-hidden', 'true');
  element.style.setProperty('--opening', share);
  return element;
}

const modes = {
  photo: { name: 'Photo', settings: () => [paragraph(`Point at anything to read its distance.${open?.isEmbedded ? '' : ' Tap it to focus there.'}`)] },
  measure: {
    name: 'Measure', settings: () => open ? measure.settings(open) : [],
    onTap: pixel => { measure.tap(open, pixel); showSettings(); },
  },
  blur: {
    name: 'Lens blur', needsServer: true, hasFocus: true,
    settings: () => [slider('Aperture', {
      min: 0, max: fNumbers.length - 1, step: 1, value: chosen.stop, text: value => `f/${fNumbers[value].toFixed(fNumbers[value] < 10 ? 1 : 0)}`,
      ends: [iris(0.22), iris(0.85)], onInput: value => { chosen.stop = value; refresh(); },
    }), focusHint()],
    request: () => ['effect', { effect: 'blur', radius: blurRadius().toFixed(5) }],
    // Time grows with pixels times radius in pixels. The limit takes half a minute on one processor.
    maximum: photo => Math.floor((1e9 / (Math.max(blurRadius(), 0.0001) * Math.sqrt(photo.width / photo.height))) ** (2 / 3)),
  },
  highlight: {
    name: 'Color pop', needsServer: true, get hasFocus() { return !chosen.isRange; }, settings: maskSettings,
    request: () => maskRequest('highlight'),
  },
  spotlight: {
    name: 'Spotlight', needsServer: true, get hasFocus() { return !chosen.isRange; }, settings: maskSettings,
    request: () => maskRequest('spotlight'),
  },
  cutout: {
    name: 'Cut-out', needsServer: true, get hasFocus() { return !chosen.isRange; }, settings: maskSettings,
    request: () => maskRequest('cutout'),
  },
  haze: {
    name: 'Haze', needsServer: true,
    settings: () => [slider('Density', {
      min: 0, max: 1, step: 0.01, value: chosen.density, text: value => `${value.toFixed(2)} / m`,
      onInput: value => { chosen.density = value; refresh(); },
    })],
    request: () => ['effect', { effect: 'haze', density: chosen.density * open.factor }],
  },
  wiggle: {
    name: 'Wiggle', needsServer: true,
    settings: () => [shiftSlider(), choice('Motion', [['true', 'Moving'], ['false', 'Still']], String(chosen.isMoving),
      value => { chosen.isMoving = value === 'true'; refresh(); })],
    request: () => ['stereo', { format: 'sbs', shift: `${chosen.shift}%` }],
    save: { format: 'wiggle' },
  },
  anaglyph: {
    name: '3D glasses', needsServer: true,
    settings: () => [shiftSlider(), choice('Glasses',
      [['anaglyph', 'Red and cyan'], ['anaglyph-green-magenta', 'Green and magenta'], ['anaglyph-amber-blue', 'Amber and blue']],
      chosen.glasses, value => { chosen.glasses = value; refresh(); })],
    request: () => ['stereo', { format: chosen.glasses, shift: `${chosen.shift}%` }],
  },
  cloud: { name: 'Point cloud', settings: () => [paragraph('Drag to turn, pinch or scroll to zoom, double-click to reset.')] },
};

/** The settings of a mask, which keeps the depth in focus or the range between the ruler's handles. */
function maskSettings() {
  const kept = choice('Keep', [['false', 'What is in focus'], ['true', 'The range on the ruler']], String(chosen.isRange), value => {
    chosen.isRange = value === 'true';
    choose(chosen.mode);
  });
  if (!chosen.isRange) return [kept, slopeSlider(), focusHint()];
  return [kept, slider('Soft edges', {
    min: 0, max: 1, step: 0.05, value: chosen.soft, text: metresText, onInput: value => { chosen.soft = value; refresh(); },
  }), paragraph('Move the two handles on the ruler.')];
}
/** An open end has no bound. The program does not know the page's correction of metres, which is divided out here. */
function maskRequest(effect) {
  if (!chosen.isRange) return ['effect', { effect, slope: chosen.slope }];
  const { near, far } = ruler.range, metres = value => `${(value / open.factor).toFixed(4)}m`;
  const bounds = { from: ruler.shares[0] <= 0 ? '0m' : metres(near), soft: metres(chosen.soft) };
  if (ruler.shares[1] < 1) bounds.to = metres(far);
  return ['effect', { effect, ...bounds }];
}
function focusHint() {
  const depth = open && chosen.focus ? open.map.at(chosen.focus.x, chosen.focus.y) : null;
  return paragraph(depth === null ? 'Tap the photo to focus.' : `In focus: ${metresText(depth)}. Tap the photo to focus elsewhere.`);
}
function slopeSlider() {
  return slider('Sharpness', {
    min: 1, max: 20, step: 0.5, value: chosen.slope, text: value => value.toFixed(1),
    onInput: value => { chosen.slope = value; refresh(); },
  });
}
function shiftSlider() {
  return slider('Depth', {
    min: 0.2, max: 3, step: 0.1, value: chosen.shift, text: percent,
    onInput: value => { chosen.shift = value; refresh(); },
  });
}
