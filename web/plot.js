import { rangeOf, stretchesOf, thin } from './curve.js';
import { ticksOf } from './ticks.js';

/** @typedef {import('./curve.js').Stretch} Stretch */

/**
 * @typedef {object} Curve
 * @property {ArrayLike<number>} ys
 * @property {ArrayLike<number>} [xs] default: the index
 * @property {number} [rowLength] the line is broken after so many
 * @property {string} xLabel
 * @property {string} yLabel
 * @property {string} title what it shows, for those who do not see it
 */

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 264;
const MARGIN = { top: 14, right: 14, bottom: 40, left: 58 };
/** Up to so many points are marked one by one. */
const MAX_MARKS = 80;

/**
 * Draws a curve with its axes. Colours and type are the style sheet's.
 * @param {Curve} curve
 * @param {number} width in pixels
 * @returns {SVGSVGElement}
 */
export function drawCurve(curve, width) {
  const stretches = stretchesOf(curve.ys, curve.xs, curve.rowLength).map(thin);
  const points = stretches.flat();
  const area = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom };
  const x = scale(rangeOf(points.map((point) => point.x)), area.left, area.right);
  const y = scale(padded(rangeOf(points.map((point) => point.y))), area.bottom, area.top);

  const svg = shape('svg', { class: 'plot', width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img' });
  svg.setAttribute('aria-label', curve.title);
  svg.append(
    ...xAxis(x, area),
    ...yAxis(y, area),
    label(curve.xLabel, { class: 'axis-name', x: area.right, y: HEIGHT - 6, 'text-anchor': 'end' }),
    label(curve.yLabel, { class: 'axis-name', x: area.left + 8, y: area.top + 10 }),
  );
  for (const stretch of stretches) {
    const places = stretch.map((point) => `${round(x.place(point.x))} ${round(y.place(point.y))}`);
    if (places.length > 1) svg.append(shape('path', { class: 'curve', d: `M${places.join('L')}` }));
    if (points.length > MAX_MARKS && places.length > 1) continue;
    for (const { x: px, y: py } of stretch) {
      svg.append(shape('circle', { class: 'mark', cx: round(x.place(px)), cy: round(y.place(py)), r: 3 }));
    }
  }
  return svg;
}

/** @typedef {ReturnType<typeof scale>} Scale */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Area */

/**
 * @param {[number, number]} range of values
 * @param {number} from pixels
 * @param {number} to pixels
 */
function scale([low, high], from, to) {
  return {
    low,
    high,
    /** @param {number} value */
    place: (value) => from + (value / 2 - low / 2) / (high / 2 - low / 2) * (to - from),
  };
}

/**
 * @param {[number, number]} range
 * @returns {[number, number]}
 */
function padded([low, high]) {
  const margin = 0.05 * (high - low);
  return Number.isFinite(margin) ? [low - margin, high + margin] : [low, high];
}

/**
 * @param {Scale} x
 * @param {Area} area
 */
function xAxis({ low, high, place }, { left, right, top, bottom }) {
  const ticks = ticksOf(low, high, Math.min(10, (right - left) / 52)).flatMap(({ value, label: text }) => [
    shape('line', { class: value === 0 ? 'zero' : 'grid', x1: place(value), x2: place(value), y1: top, y2: bottom }),
    label(text, { class: 'tick', x: place(value), y: bottom + 17, 'text-anchor': 'middle' }),
  ]);
  return [...ticks, shape('line', { class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom })];
}

/**
 * @param {Scale} y
 * @param {Area} area
 */
function yAxis({ low, high, place }, { left, right, top, bottom }) {
  const ticks = ticksOf(low, high, 6).flatMap(({ value, label: text }) => [
    shape('line', { class: value === 0 ? 'zero' : 'grid', x1: left, x2: right, y1: place(value), y2: place(value) }),
    label(text, { class: 'tick', x: left - 8, y: place(value) + 4, 'text-anchor': 'end' }),
  ]);
  return [...ticks, shape('line', { class: 'axis', x1: left, x2: left, y1: top, y2: bottom })];
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} attributes
 */
function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return /** @type {SVGElementTagNameMap[K]} */ (made);
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} attributes
 */
function label(text, attributes) {
  const made = shape('text', attributes);
  made.textContent = text;
  return made;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
