import { element, newId } from './dom.js';

/** @typedef {import('./minitensor.js').Attributes} Attributes */

/** The configuration of a new layer, as JSON: what a layer type takes is not declared anywhere. */
export class ConfigField {
  #control = element('textarea', { rows: 2, spellcheck: false, id: 'config' });
  #problem = element('p', { className: 'field-error', id: newId('problem') });
  /** @readonly */
  element;

  constructor() {
    this.#problem.setAttribute('role', 'alert');
    this.#control.setAttribute('aria-describedby', this.#problem.id);
    this.#control.addEventListener('input', () => this.#setProblem(''));
    this.element = element('div', { hidden: true }, [
      element('label', { className: 'field' }, [
        element('span', { textContent: 'Configuration, a JSON object' }),
        this.#control,
      ]),
      this.#problem,
    ]);
  }

  /** @param {string} text */
  set value(text) {
    this.#control.value = text;
    this.#setProblem('');
  }

  /** @returns {Attributes | undefined} undefined when it is no JSON object; the field shows why and has the focus */
  read() {
    try {
      const config = parseObject(this.#control.value);
      this.#setProblem('');
      return config;
    } catch (error) {
      this.#setProblem(error instanceof Error ? error.message : String(error));
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

/**
 * @param {string} text
 * @returns {Attributes} the values are for the engine to judge
 */
function parseObject(text) {
  if (text.trim() === '') return {};
  /** @type {unknown} */
  const value = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('The configuration must be a JSON object such as { "size": 4 }.');
  }
  return /** @type {Attributes} */ (value);
}
