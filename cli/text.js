import { stripVTControlCharacters } from 'node:util';

/**
 * Rows of text in columns, each as wide as its widest cell. Control characters of plugins do not reach the terminal.
 * @param {readonly (readonly string[])[]} rows
 * @returns {string[]} lines
 */
export function columns(rows) {
  const widths = rows.reduce(
    (/** @type {number[]} */ widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, widthOf(cell))),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, i) => cell + ' '.repeat(i + 1 < row.length ? (widths[i] ?? 0) - widthOf(cell) : 0))
      .join('  ')
      .trimEnd(),
  );
}

/** @param {string} cell */
function widthOf(cell) {
  return [...stripVTControlCharacters(cell)].length;
}

/** @param {number} bytes */
export function formatSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * What a file says, so that it cannot move the cursor or colour what follows.
 * @param {string} text
 */
export function plain(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
