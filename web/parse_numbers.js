/** @typedef {Exclude<import('./minitensor.js').ArraySource, ArrayBufferView>} Nested Numbers, or arrays of them. */

/** Deeper than any tensor, and shallow enough for the stack. */
const MAX_DEPTH = 20;

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const SPECIAL = /^([+-]?)(nan|inf|infinity)$/i;

/**
 * Reads `-2, -1, 0` or `[[1, 2], [3, 4]]`. Commas may be left out between numbers. Whether nested arrays are of equal
 * length is for the engine to say.
 * @param {string} text
 * @param {number} limit on the count of numbers
 * @returns {Nested}
 */
export function parseNumbers(text, limit) {
  const items = new Parser(text, limit).items(0, undefined);
  if (items.length === 0) throw new Error('type some numbers, such as -2, -1, 0');
  const [first] = items;
  const only = items.length === 1 && Array.isArray(first) ? first : items;
  // How deep arrays are nested is for the engine to judge, too.
  return /** @type {Nested} */ (only);
}

class Parser {
  #text;
  #position = 0;
  #count = 0;
  #limit;

  /**
   * @param {string} text
   * @param {number} limit
   */
  constructor(text, limit) {
    this.#text = text;
    this.#limit = limit;
  }

  /**
   * The items up to the bracket that closes them, or up to the end.
   * @param {number} depth
   * @param {number | undefined} opened where their bracket is
   * @returns {Nested[]}
   */
  items(depth, opened) {
    if (depth > MAX_DEPTH) throw new Error(`brackets are nested more than ${MAX_DEPTH} deep`);
    /** @type {Nested[]} */
    const items = [];
    let needsItem = false;
    for (;;) {
      const { text, start } = this.#next();
      if (text === '' || text === ']') {
        if (text === '' && opened !== undefined) throw new Error(`the bracket ${at(opened)} is not closed`);
        if (text === ']' && opened === undefined) throw new Error(`the bracket ${at(start)} closes nothing`);
        return items;
      }
      if (text === ',') {
        if (items.length === 0 || needsItem) throw new Error(`a number is missing before the comma ${at(start)}`);
        needsItem = true;
        continue;
      }
      const item = text === '[' ? this.items(depth + 1, start) : this.#number(text, start);
      items.push(/** @type {Nested} */ (item));
      needsItem = false;
    }
  }

  /** The next bracket, comma or word; empty at the end. */
  #next() {
    const token = /[[\],]|[^[\],\s]+/g;
    token.lastIndex = this.#position;
    const match = token.exec(this.#text);
    this.#position = match ? token.lastIndex : this.#text.length;
    return { text: match?.[0] ?? '', start: match?.index ?? this.#text.length };
  }

  /**
   * @param {string} word
   * @param {number} start
   */
  #number(word, start) {
    if (++this.#count > this.#limit) throw new Error(`more than ${this.#limit.toLocaleString('en')} numbers`);
    const value = parseNumber(word);
    if (value === undefined) throw new Error(`“${shorten(word)}” ${at(start)} is not a number`);
    return value;
  }
}

/**
 * @param {string} text one number, without spaces
 * @returns {number | undefined} undefined when it is none
 */
export function parseNumber(text) {
  const ascii = text.replace('\u2212', '-');
  if (NUMBER.test(ascii)) return Number(ascii);
  const special = SPECIAL.exec(ascii);
  if (!special) return undefined;
  if (special[2]?.toLowerCase() === 'nan') return NaN;
  return special[1] === '-' ? -Infinity : Infinity;
}

/**
 * @param {string} text one finite number, or a word for another
 * @param {string} what for the message
 */
export function requireNumber(text, what) {
  const trimmed = text.trim();
  if (trimmed === '') throw new Error(`${what} is empty`);
  const value = parseNumber(trimmed);
  if (value === undefined) throw new Error(`${what}: “${shorten(trimmed)}” is not a number`);
  return value;
}

/** @param {number} offset */
function at(offset) {
  return `at character ${offset + 1}`;
}

/** @param {string} word */
function shorten(word) {
  return word.length > 24 ? `${word.slice(0, 24)}…` : word;
}
