import { element } from './dom.js';
import { columnFormat } from './format_numbers.js';

/** @typedef {import('./session.js').Numbers} Numbers */

/** Of more rows or columns the middle is left out. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 12;

/**
 * The result as a table. With up to one axis: a row for each element, beside the inputs of the same shape. With more:
 * a row for all but the last axis, a column for each place of the last.
 * @param {Numbers} output
 * @param {readonly Numbers[]} inputs
 */
export function numbersTable(output, inputs) {
  return output.shape.length <= 1 ? listTable(output, inputs) : gridTable(output);
}

/**
 * @param {Numbers} output
 * @param {readonly Numbers[]} inputs
 */
function listTable(output, inputs) {
  const beside = inputs.filter((input) => String(input.shape) === String(output.shape));
  const columns = [...beside, output].map((numbers) => ({ numbers, format: columnFormat(numbers.values) }));
  const rows = abbreviated(output.values.length, MAX_ROWS).map((index) => {
    if (index === undefined) return gapRow(columns.length + 1);
    return element('tr', {}, [
      rowHeader(String(index)),
      ...columns.map(({ numbers, format }) =>
        numberCell(Number(numbers.values[index]), format, numbers === output),
      ),
    ]);
  });
  return table('index', columns.map(({ numbers }) => numbers.name), rows);
}

/** @param {Numbers} output with two axes or more */
function gridTable({ shape, values }) {
  const width = shape.at(-1) ?? 1;
  const height = shape.slice(0, -1).reduce((product, size) => product * size, 1);
  const columns = abbreviated(width, MAX_COLUMNS);
  const format = columnFormat(values);
  const rows = abbreviated(height, MAX_ROWS).map((row) => {
    if (row === undefined) return gapRow(columns.length + 1);
    const cells = columns.map((column) =>
      column === undefined
        ? element('td', { textContent: '…' })
        : numberCell(Number(values[row * width + column]), format, true),
    );
    return element('tr', {}, [rowHeader(indexText(row, shape.slice(0, -1))), ...cells]);
  });
  return table('row', columns.map((column) => (column === undefined ? '…' : String(column))), rows);
}

/**
 * @param {string} corner
 * @param {readonly string[]} headings
 * @param {readonly HTMLTableRowElement[]} rows
 */
function table(corner, headings, rows) {
  const head = [corner, ...headings].map((textContent) => element('th', { textContent, scope: 'col' }));
  return element('table', { className: 'numbers' }, [
    element('thead', {}, [element('tr', {}, head)]),
    element('tbody', {}, rows),
  ]);
}

/** @param {string} textContent */
function rowHeader(textContent) {
  return element('th', { textContent, scope: 'row' });
}

/**
 * @param {number} value
 * @param {(value: number) => string} format
 * @param {boolean} isResult
 */
function numberCell(value, format, isResult) {
  return element('td', { textContent: format(value), className: isResult ? 'result' : '' });
}

/** @param {number} span */
function gapRow(span) {
  return element('tr', { className: 'gap' }, [element('td', { colSpan: span, textContent: '…' })]);
}

/**
 * Indices up to `length`, with undefined in the place of those in the middle when there are more than `most`.
 * @param {number} length
 * @param {number} most
 * @returns {(number | undefined)[]}
 */
function abbreviated(length, most) {
  if (length <= most) return Array.from({ length }, (_, index) => index);
  const half = Math.floor(most / 2);
  const ends = Array.from({ length: half }, (_, index) => index);
  return [...ends, undefined, ...ends.map((index) => length - half + index)];
}

/**
 * @param {number} flat
 * @param {readonly number[]} shape
 */
function indexText(flat, shape) {
  const indices = [];
  let rest = flat;
  for (const size of shape.toReversed()) {
    indices.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return indices.join(', ');
}
