/** @typedef {{ x: number, y: number }} Point */

/** @typedef {readonly Point[]} Stretch Points that belong to one line. */

/** How many points a stretch may have before it is thinned out. */
const MAX_POINTS = 2000;

/**
 * The points of a curve, in stretches: it is broken where a number is not finite and after each `rowLength` values.
 * @param {ArrayLike<number>} ys
 * @param {ArrayLike<number> | undefined} xs their index when left out
 * @param {number} [rowLength]
 * @returns {Stretch[]}
 */
export function stretchesOf(ys, xs, rowLength = Infinity) {
  /** @type {Point[][]} */
  const stretches = [];
  /** @type {Point[]} */
  let current = [];
  const end = () => {
    if (current.length > 0) stretches.push(current);
    current = [];
  };
  for (const index of orderOf(ys.length, xs)) {
    const point = { x: xs ? Number(xs[index]) : index, y: Number(ys[index]) };
    if (!xs && index % rowLength === 0) end();
    if (Number.isFinite(point.x) && Number.isFinite(point.y)) current.push(point);
    else end();
  }
  end();
  return stretches;
}

/**
 * @param {number} length
 * @param {ArrayLike<number> | undefined} xs
 */
function orderOf(length, xs) {
  const order = Array.from({ length }, (_, index) => index);
  return xs ? order.sort((a, b) => Number(xs[a]) - Number(xs[b])) : order;
}

/**
 * Thins a stretch out for drawing: of each run of points the lowest and the highest stay.
 * @param {Stretch} points
 * @returns {Stretch}
 */
export function thin(points) {
  if (points.length <= MAX_POINTS) return points;
  const run = Math.ceil((2 * points.length) / MAX_POINTS);
  /** @type {Point[]} */
  const kept = [];
  for (let start = 0; start < points.length; start += run) {
    const part = points.slice(start, start + run);
    const lowest = part.reduce((a, b) => (b.y < a.y ? b : a));
    const highest = part.reduce((a, b) => (b.y > a.y ? b : a));
    kept.push(...(lowest.x <= highest.x ? [lowest, highest] : [highest, lowest]));
  }
  return kept;
}

/**
 * The smallest range that holds these numbers, widened when they are all the same.
 * @param {Iterable<number>} values finite
 * @returns {[number, number]}
 */
export function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  if (low < high) return [low, high];
  const margin = Math.abs(low) / 2 || 1;
  return [low - margin, high + margin];
}
