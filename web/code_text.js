import { count } from './format_numbers.js';
import { numbersText } from './numbers_text.js';

/** @typedef {import('./session.js').Run} Run */
/** @typedef {import('./session.js').Numbers} Numbers */
/** @typedef {import('./minitensor.js').Attributes} Attributes */

/** Of more numbers only their count is written out. */
const MAX_NUMBERS = 12;

/**
 * A run as somebody would write it with the package.
 * @param {Run} run
 * @returns {string}
 */
export function codeText({ call, inputs }) {
  const names = inputs.map((input) => input.name).join(', ');
  const rest = objectText(call.attributes);
  const lines = [`await mt.plugins.loadPlugin(${quote(call.file)});`, ...inputs.map(inputLine)];
  if (call.kind === 'op') {
    lines.push(`const y = mt.customOps.execute(${quote(call.name)}, [${names}]${rest});`);
  } else {
    lines.push(
      `const layer = mt.plugins.createLayer(${quote(call.name)}${rest});`,
      `const y = layer.forward([${names}]);`,
    );
  }
  return lines.join('\n');
}

/** @param {Numbers} input */
function inputLine(input) {
  const { name, values, shape } = input;
  const text =
    values.length <= MAX_NUMBERS
      ? numbersText(input, ' ')
      : `/* ${count(values.length, 'number')}, shape [${shape.join(', ')}] */`;
  return `const ${name} = new mt.Tensor(${text});`;
}

/**
 * As one more argument.
 * @param {Attributes} attributes
 */
function objectText(attributes) {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  const text = entries.map(([key, value]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)}: ${literal(value)}`);
  return `, { ${text.join(', ')} }`;
}

/** @param {Attributes[string]} value */
function literal(value) {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
