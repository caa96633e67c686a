import { show } from './check.js';
import { ShapeError, ValueError } from './errors.js';

/** Reads the text of a file's header from its beginning to its end. What is not as expected is a ValueError. */
export class HeaderReader {
  #text;
  #what;
  #at = 0;

  /**
   * @param {string} text
   * @param {string} what for messages
   */
  constructor(text, what) {
    this.#text = text;
    this.#what = what;
  }

  /**
   * @param {string} expected
   * @returns {never}
   */
  fail(expected) {
    const rest = this.#text.slice(this.#at, this.#at + 60);
    const found = rest ? show(rest) : 'its end';
    throw new ValueError(`${this.#what}: at character ${this.#at} of the header must be ${expected}, not ${found}`);
  }

  #skipSpace() {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '-')) this.#at++;
  }

  /**
   * Steps over a token, if it is what comes next.
   * @param {string} token
   */
  take(token) {
    this.#skipSpace();
    const isNext = this.#text.startsWith(token, this.#at);
    if (isNext) this.#at += token.length;
    return isNext;
  }

  /** @param {string} token */
  expect(token) {
    if (!this.take(token)) this.fail(`'${token}'`);
  }

  expectEnd() {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.fail('its end');
  }

  /**
   * Text with its quotes and escapes as they are.
   * @param {string} quotes one of them stands on both sides
   */
  quoted(quotes) {
    this.#skipSpace();
    const quote = this.#text[this.#at] ?? '';
    if (quote === '' || !quotes.includes(quote)) this.fail('text in quotes');
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== quote) end += this.#text[end] === '\\' ? 2 : 1;
    if (end >= this.#text.length) this.fail('text in quotes, which end');
    const quoted = this.#text.slice(this.#at, end + 1);
    this.#at = end + 1;
    return quoted;
  }

  /** An integer from 0 up that a number holds exactly. */
  size() {
    this.#skipSpace();
    const [digits] = /^-?(?:0|[1-9]\d*)/.exec(this.#text.slice(this.#at, this.#at + 400)) ?? [];
    if (digits === undefined) this.fail('an integer');
    const value = Number(digits);
    if (digits.startsWith('-') || !Number.isSafeInteger(value)) {
      throw new ShapeError(`${this.#what}: sizes and offsets must be from 0 to 2^53 - 1, not ${digits.slice(0, 60)}`);
    }
    this.#at += digits.length;
    return value;
  }
}
