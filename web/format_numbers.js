const DIGITS = 7;

/**
 * A function that writes numbers like these for one column: with one count of decimals, so that they line up.
 * @param {ArrayLike<number>} values
 * @returns {(value: number) => string}
 */
export function columnFormat(values) {
  let largest = 0;
  let allIntegers = true;
  for (let i = 0; i < values.length; i++) {
    const value = /** @type {number} */ (values[i]);
    if (!Number.isFinite(value)) continue;
    largest = Math.max(largest, Math.abs(value));
    allIntegers &&= Number.isInteger(value);
  }
  const magnitude = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  const decimals = allIntegers ? 0 : Math.min(Math.max(DIGITS - 1 - magnitude, 0), 7);
  const shown = usedDecimals(values, decimals);
  return (value) => {
    if (!Number.isFinite(value)) return String(value);
    const size = Math.abs(value);
    if (size >= 1e9) return value.toExponential(5);
    const losesDigits = !allIntegers && size !== 0 && size < 10 ** (2 - decimals);
    if (losesDigits) return size < 1e-4 ? value.toExponential(5) : String(Number(value.toPrecision(6)));
    return value.toFixed(shown);
  };
}

/**
 * How many of the decimals are not zeros in every one of the values.
 * @param {ArrayLike<number>} values
 * @param {number} decimals
 */
function usedDecimals(values, decimals) {
  let used = 0;
  for (let i = 0; i < values.length && used < decimals; i++) {
    const value = Number(values[i]);
    if (!Number.isFinite(value)) continue;
    const digits = value.toFixed(decimals).split('.')[1] ?? '';
    used = Math.max(used, digits.replace(/0+$/, '').length);
  }
  return used;
}

/**
 * A number within a sentence.
 * @param {number} value
 */
export function briefly(value) {
  return String(Number(value.toPrecision(4)));
}

/**
 * @param {number} number
 * @param {string} noun
 */
export function count(number, noun) {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
