import { element, newId } from './dom.js';
import { requireNumber } from './parse_numbers.js';

/** @typedef {import('./minitensor.js').AttributeSpec} AttributeSpec */
/** @typedef {import('./minitensor.js').Attributes} Attributes */

/** A control for each attribute that an op declares. */
export class AttributeFields {
  /** @readonly */
  element = element('div', { className: 'attributes' });
  /** @type {readonly AttributeField[]} */
  #fields = [];

  /** @param {readonly AttributeSpec[]} specs */
  show(specs) {
    this.#fields = specs.map((spec) => new AttributeField(spec));
    this.element.hidden = specs.length === 0;
    this.element.replaceChildren(...this.#fields.map((field) => field.element));
  }

  /**
   * @returns {Attributes | undefined} undefined when a field cannot be read; that field shows why and has the focus
   */
  read() {
    /** @type {Attributes} */
    const attributes = {};
    for (const field of this.#fields) {
      const read = field.read();
      if (!read) return undefined;
      attributes[field.name] = read.value;
    }
    return attributes;
  }
}

class AttributeField {
  #spec;
  #control;
  #problem = element('span', { className: 'field-error', id: newId('problem') });
  /** @readonly */
  element;

  /** @param {AttributeSpec} spec */
  constructor(spec) {
    this.#spec = spec;
    this.#control = controlFor(spec);
    this.#control.setAttribute('aria-describedby', this.#problem.id);
    this.#control.dataset.attribute = spec.name;
    this.#problem.setAttribute('role', 'alert');
    this.#control.addEventListener('input', () => this.#setProblem(''));
    const name = element('span', {}, [element('code', { textContent: spec.name }), ` ${TYPES[spec.type]}`]);
    // The message is outside of the label, whose text is the control's name.
    this.element = element('div', {}, [
      element('label', { className: 'field' }, [name, this.#control]),
      this.#problem,
    ]);
  }

  get name() {
    return this.#spec.name;
  }

  /** @returns {{ value: Attributes[string] } | undefined} */
  read() {
    try {
      const value = valueOf(this.#control, this.#spec);
      this.#setProblem('');
      return { value };
    } catch (error) {
      this.#setProblem(`${error instanceof Error ? error.message : error}.`);
      this.#control.focus();
      return undefined;
    }
  }

  /** @param {string} message */
  #setProblem(message) {
    this.#problem.textContent = message;
    if (message === '') this.#control.removeAttribute('aria-invalid');
    else this.#control.setAttribute('aria-invalid', 'true');
  }
}

/** @type {Record<AttributeSpec['type'], string>} */
const TYPES = {
  number: '(number)',
  string: '(text)',
  boolean: '(yes or no)',
  integers: '(integers)',
  integer: '(integer)',
  dtype: '(dtype)',
};

/** @param {AttributeSpec} spec */
function controlFor({ type, default: value }) {
  if (type === 'boolean') return element('input', { type: 'checkbox', checked: value === true });
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  return element('input', { type: 'text', value: text, spellcheck: false, autocomplete: 'off' });
}

/**
 * @param {HTMLInputElement} control
 * @param {AttributeSpec} spec
 * @returns {Attributes[string]} undefined leaves it to the default
 */
function valueOf(control, { name, type, default: fallback }) {
  if (type === 'boolean') return control.checked;
  if (type === 'string' || type === 'dtype') return control.value;
  const text = control.value.trim();
  if (text === '' && fallback !== undefined) return undefined;
  if (type === 'number' || type === 'integer') return requireNumber(text, name);
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => requireInteger(part, name));
}

/**
 * @param {string} text
 * @param {string} name
 */
function requireInteger(text, name) {
  const value = requireNumber(text, name);
  if (!Number.isSafeInteger(value)) throw new Error(`${name}: ${text} is not an integer`);
  return value;
}
