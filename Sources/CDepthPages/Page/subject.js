// The subject of a photo: what an effect focuses on before anybody has tapped.

/**
 * A pixel of the nearest large thing; null for a map without a value.
 *
 * Cells of a coarse grid whose depth changes little from top to bottom are upright, which leaves out floors and tables.
 * Upright cells of about the same depth beside one another are a thing, and one that fills two hundredths of the
 * photo is large. Of the large things the nearest counts. Without one it is the depth that a fiftieth of the photo
 * does not reach, as with `--focus nearest`.
 */
function nearestThing(map) {
  const columns = Math.min(64, map.width), rows = Math.min(Math.max(1, Math.round(columns * map.height / map.width)), map.height);
  const x = column => Math.floor((column + 0.5) * map.width / columns), y = row => Math.floor((row + 0.5) * map.height / rows);
  const disparity = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      disparity[row * columns + column] = map.disparity[y(row) * map.width + x(column)];
    }
  }
  const things = thingsOf(disparity, columns, rows).filter(cells => cells.length >= 0.02 * columns * rows);
  const middle = cells => disparity[cells.toSorted((a, b) => disparity[a] - disparity[b])[cells.length >> 1]];
  let cells = things.reduce((best, cells) => !best || middle(cells) > middle(best) ? cells : best, null);
  if (!cells) {
    const known = [...disparity.keys()].filter(cell => disparity[cell] > 0).sort((a, b) => disparity[b] - disparity[a]);
    if (!known.length) return null;
    const level = disparity[known[Math.floor(known.length * 0.02)]];
    cells = known.filter(cell => Math.abs(disparity[cell] - level) <= 0.02 * level);
  }
  // The cell of the thing nearest to its middle: the middle itself may lie beside a bent thing.
  const center = axis => cells.reduce((sum, cell) => sum + axis(cell), 0) / cells.length;
  const [across, down] = [center(cell => cell % columns), center(cell => Math.floor(cell / columns))];
  const away = cell => Math.hypot(cell % columns - across, Math.floor(cell / columns) - down);
  const cell = cells.reduce((best, cell) => away(cell) < away(best) ? cell : best);
  return { x: x(cell % columns), y: y(Math.floor(cell / columns)) };
}

/** The things of a grid of disparities, as lists of cells. */
function thingsOf(disparity, columns, rows) {
  const isUpright = disparity.map((value, cell) => {
    const row = Math.floor(cell / columns), top = Math.max(0, row - 1), bottom = Math.min(rows - 1, row + 1);
    const column = cell % columns, above = disparity[top * columns + column], below = disparity[bottom * columns + column];
    // A level floor changes by its own disparity in half a photo's height or less.
    const change = bottom > top ? Math.abs(below - above) * rows / (bottom - top) : 0;
    return value > 0 && above > 0 && below > 0 && change < 0.8 * value ? 1 : 0;
  });
  const isSeen = new Uint8Array(disparity.length), things = [];
  for (let start = 0; start < disparity.length; start++) {
    if (isSeen[start] || !isUpright[start]) continue;
    const cells = [start];
    isSeen[start] = 1;
    for (let next = 0; next < cells.length; next++) {
      const cell = cells[next], column = cell % columns;
      const beside = [cell - columns, cell + columns];
      if (column > 0) beside.push(cell - 1);
      if (column < columns - 1) beside.push(cell + 1);
      for (const other of beside) {
        if (!isUpright[other] || isSeen[other]) continue;
        // Compared with the start, too, so that a wall seen from the side does not reach from near to far.
        if (Math.abs(disparity[other] - disparity[cell]) > 0.06 * disparity[cell]) continue;
        if (Math.abs(disparity[other] - disparity[start]) > 0.25 * disparity[start]) continue;
        isSeen[other] = 1;
        cells.push(other);
      }
    }
    things.push(cells);
  }
  return things;
}
