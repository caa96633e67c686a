import { element, newId } from './dom.js';
import { count } from './format_numbers.js';
import { linspace, randomNormal } from './generate.js';
import { parseNumbers, requireNumber } from './parse_numbers.js';

/** @typedef {import('./session.js').Input} Input */

/** More would make the page slow to type in. The engine itself takes more. */
export const MAX_NUMBERS = 100_000;

/** @typedef {'typed' | 'line' | 'random'} Mode */

/**
 * What a field begins with.
 * @typedef {object} Preset
 * @property {Mode} [mode]
 * @property {string} [numbers]
 * @property {string} [from]
 * @property {string} [to]
 * @property {string} [count]
 * @property {string} [shape]
 */

/** @type {Record<Mode, string>} */
const MODES = { typed: 'Type', line: 'Even steps', random: 'Random' };

/** Where the numbers of one input come from: typed, in equal steps, or random. */
export class TensorField {
  /** @readonly */
  element;
  #name;
  /** @type {Mode} */
  #mode = 'typed';
  #numbers;
  #from;
  #to;
  #count;
  #shape;
  #seed;
  #problem;
  /** @type {Record<Mode, HTMLElement>} */
  #panels;

  /**
   * @param {string} name of the input
   * @param {Preset} [preset]
   */
  constructor(name, preset = {}) {
    this.#name = name;
    this.#problem = element('p', { className: 'field-error', id: newId('problem') });
    this.#problem.setAttribute('role', 'alert');
    this.#numbers = element('textarea', { rows: 3, spellcheck: false, value: preset.numbers ?? '-2, -1, 0, 1, 2' });
    this.#from = textInput('from', preset.from ?? '-6');
    this.#to = textInput('to', preset.to ?? '6');
    this.#count = textInput('count', preset.count ?? '121');
    this.#shape = textInput('shape', preset.shape ?? '100');
    this.#seed = textInput('seed', '1');
    this.#panels = {
      typed: labelled('Numbers, or nested arrays for more axes', this.#numbers),
      line: row([labelled('From', this.#from), labelled('To', this.#to), labelled('Count', this.#count)]),
      random: row([labelled('Normal, of shape', this.#shape), labelled('Seed', this.#seed)]),
    };
    for (const control of this.#controls()) {
      control.setAttribute('aria-describedby', this.#problem.id);
      control.addEventListener('input', () => this.#setProblem(undefined, ''));
    }
    this.element = element('fieldset', { className: 'tensor-field' }, [
      element('legend', {}, ['Input ', element('code', { textContent: name })]),
      this.#modeChoice(),
      ...Object.values(this.#panels),
      this.#problem,
    ]);
    this.element.dataset.input = name;
    this.#setMode(preset.mode ?? 'typed');
  }

  get name() {
    return this.#name;
  }

  #controls() {
    return [this.#numbers, this.#from, this.#to, this.#count, this.#shape, this.#seed];
  }

  #modeChoice() {
    const group = newId('mode');
    const choices = /** @type {Mode[]} */ (Object.keys(MODES)).map((mode) => {
      const radio = element('input', { type: 'radio', name: group, value: mode });
      radio.addEventListener('change', () => this.#setMode(mode));
      return element('label', {}, [radio, element('span', { textContent: MODES[mode] })]);
    });
    const choice = element('div', { className: 'segments' }, choices);
    choice.setAttribute('role', 'radiogroup');
    choice.setAttribute('aria-label', `Where the numbers of ${this.#name} come from`);
    return choice;
  }

  /** @param {Mode} mode */
  #setMode(mode) {
    this.#mode = mode;
    for (const [name, panel] of Object.entries(this.#panels)) panel.hidden = name !== mode;
    for (const radio of this.element.querySelectorAll('input')) {
      if (radio.type === 'radio') radio.checked = radio.value === mode;
    }
    this.#setProblem(undefined, '');
  }

  /**
   * What the field says. When that cannot be read, the field shows why and takes the focus.
   * @returns {Input | undefined}
   */
  read() {
    /** @type {HTMLElement} */
    let control = this.#numbers;
    /** @type {<T>(field: HTMLElement, use: () => T) => T} */
    const from = (field, use) => {
      control = field;
      return use();
    };
    try {
      const input = { name: this.#name, ...this.#read(from) };
      this.#setProblem(undefined, '');
      return input;
    } catch (error) {
      this.#setProblem(control, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /**
   * Shows that the engine does not take these numbers.
   * @param {string} message
   */
  reject(message) {
    this.#setProblem({ typed: this.#numbers, line: this.#from, random: this.#shape }[this.#mode], message);
  }

  /**
   * @param {<T>(field: HTMLElement, use: () => T) => T} from notes which control is read
   * @returns {Omit<Input, 'name'>}
   */
  #read(from) {
    if (this.#mode === 'typed') {
      return { values: from(this.#numbers, () => parseNumbers(this.#numbers.value, MAX_NUMBERS)) };
    }
    if (this.#mode === 'line') {
      const first = from(this.#from, () => requireFinite(this.#from.value, 'From'));
      const last = from(this.#to, () => requireFinite(this.#to.value, 'To'));
      return { values: linspace(first, last, from(this.#count, () => requireCount(this.#count.value, 'Count'))) };
    }
    const shape = from(this.#shape, () => requireShape(this.#shape.value));
    const seed = from(this.#seed, () => requireFinite(this.#seed.value, 'Seed'));
    return { values: randomNormal(sizeOf(shape), seed), shape };
  }

  /**
   * @param {HTMLElement | undefined} control
   * @param {string} message
   */
  #setProblem(control, message) {
    this.#problem.textContent = message === '' ? '' : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
    for (const each of this.#controls()) {
      if (each === control) each.setAttribute('aria-invalid', 'true');
      else each.removeAttribute('aria-invalid');
    }
    control?.focus();
  }
}

/**
 * @param {string} field
 * @param {string} value
 */
function textInput(field, value) {
  const input = element('input', { type: 'text', value, spellcheck: false, autocomplete: 'off' });
  input.dataset.field = field;
  return input;
}

/**
 * @param {string} text
 * @param {HTMLElement} control
 */
function labelled(text, control) {
  return element('label', { className: 'field' }, [element('span', { textContent: text }), control]);
}

/** @param {readonly HTMLElement[]} fields */
function row(fields) {
  return element('div', { className: 'field-row' }, fields);
}

/**
 * @param {string} text
 * @param {string} what
 */
function requireFinite(text, what) {
  const value = requireNumber(text, what);
  if (!Number.isFinite(value)) throw new Error(`${what} must be finite`);
  return value;
}

/**
 * @param {string} text
 * @param {string} what
 */
function requireCount(text, what) {
  const value = requireNumber(text, what);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${what} must be a whole number from 1 up`);
  if (value > MAX_NUMBERS) throw new Error(`${what}: this page takes up to ${count(MAX_NUMBERS, 'number')}`);
  return value;
}

/** @param {string} text such as `2, 3` */
function requireShape(text) {
  const sizes = text.split(/[\s,×x[\]]+/).filter((part) => part !== '');
  if (sizes.length === 0) throw new Error('shape is empty');
  const shape = sizes.map((size) => requireCount(size, 'Shape'));
  requireCount(String(sizeOf(shape)), 'Shape');
  return shape;
}

/** @param {readonly number[]} shape */
function sizeOf(shape) {
  return shape.reduce((product, size) => product * size, 1);
}
