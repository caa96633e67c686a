import process from 'node:process';

/** @typedef {{ write: (text: string) => unknown, isTTY?: boolean }} Stream */

const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] };

/** @typedef {keyof typeof STYLES} Style */

/**
 * @param {Stream} stream
 * @returns {boolean} whether to write colours to it. FORCE_COLOR decides first, as in Node, then NO_COLOR.
 */
function hasColour(stream) {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: term } = process.env;
  if (forced !== undefined) return !['0', 'false'].includes(forced);
  return Boolean(stream.isTTY) && !none && term !== 'dumb';
}

/** Where a command writes: results to one stream, what goes wrong and how it gets on to the other. */
export class Terminal {
  #out;
  #err;
  #outColour;
  #errColour;
  #progress = false;

  /**
   * @param {Stream} out
   * @param {Stream} err
   */
  constructor(out, err) {
    this.#out = out;
    this.#err = err;
    this.#outColour = hasColour(out);
    this.#errColour = hasColour(err);
  }

  /** @param {string} line of the result */
  print(line) {
    this.clearProgress();
    this.#out.write(`${line}\n`);
  }

  /** @param {unknown} value */
  printJson(value) {
    this.print(JSON.stringify(value, null, 2));
  }

  /** @param {string} line about what goes wrong */
  complain(line) {
    this.clearProgress();
    this.#err.write(`${line}\n`);
  }

  /**
   * Says how far things are, in one line that the next text takes the place of; nothing when nobody watches.
   * @param {string} line
   */
  progress(line) {
    if (!this.#err.isTTY) return;
    this.#err.write(`\r\x1b[2K${line.slice(0, 100)}`);
    this.#progress = true;
  }

  clearProgress() {
    if (this.#progress) this.#err.write('\r\x1b[2K');
    this.#progress = false;
  }

  /**
   * @param {Style} style
   * @param {string} text of the result
   */
  paint(style, text) {
    return this.#outColour ? paint(style, text) : text;
  }

  /**
   * @param {Style} style
   * @param {string} text about what goes wrong
   */
  paintError(style, text) {
    return this.#errColour ? paint(style, text) : text;
  }
}

/**
 * @param {Style} style
 * @param {string} text
 */
function paint(style, text) {
  const [on, off] = STYLES[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}
