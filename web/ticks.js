/**
 * Round numbers within a range, about so many of them.
 * @param {number} low
 * @param {number} high greater than low
 * @param {number} wanted
 * @returns {{ value: number, label: string }[]}
 */
export function ticksOf(low, high, wanted) {
  // Half of each, so that the difference does not overflow.
  const rough = (2 * (high / 2 - low / 2)) / Math.max(wanted, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const format = labelFormat(Math.max(Math.abs(low), Math.abs(high)), step);
  const ticks = [];
  for (let index = Math.ceil(low / step); index <= Math.floor(high / step); index++) {
    const value = index * step;
    ticks.push({ value, label: index === 0 ? '0' : format(value) });
    // A range far from 0 and narrower than its numbers are precise would never end.
    if (ticks.length > 50) return [];
  }
  return ticks;
}

/**
 * @param {number} largest
 * @param {number} step
 * @returns {(value: number) => string}
 */
function labelFormat(largest, step) {
  if (largest >= 1e6 || step < 1e-5) {
    // As many digits as tell two ticks apart.
    const digits = Math.min(Math.max(Math.floor(Math.log10(largest)) - Math.floor(Math.log10(step)), 0), 15);
    return (value) => value.toExponential(digits).replace(/\.?0+e/, 'e').replace('e+', 'e');
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return (value) => value.toFixed(decimals);
}
