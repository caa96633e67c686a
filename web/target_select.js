import { element } from './dom.js';

/** @typedef {import('./session.js').Target} Target */
/** @typedef {import('./session.js').LoadedPlugin} LoadedPlugin */
/** @typedef {import('./session.js').LiveLayer} LiveLayer */

/** The control that says what to run. */
export class TargetSelect {
  #select;
  #onChange;
  /** @type {Map<string, Target>} */
  #targets = new Map();
  /** What was chosen when `onChange` was called last. */
  #shown = '';

  /**
   * @param {HTMLSelectElement} select
   * @param {() => void} onChange called when another target is chosen, or the chosen one has gone
   */
  constructor(select, onChange) {
    this.#select = select;
    this.#onChange = onChange;
    select.addEventListener('change', () => this.#notice());
  }

  get target() {
    return this.#targets.get(this.#select.value);
  }

  /** How the chosen target is called. */
  get label() {
    return this.#select.selectedOptions[0]?.textContent ?? '';
  }

  /** @param {Target} target one that there is */
  choose(target) {
    this.#select.value = keyOf(target);
    this.#notice();
  }

  /**
   * @param {readonly LoadedPlugin[]} plugins
   * @param {readonly LiveLayer[]} layers
   */
  show(plugins, layers) {
    const chosen = this.#select.value;
    this.#targets.clear();
    this.#select.replaceChildren(
      ...plugins.map(({ info, ops, layerTypes }) =>
        element('optgroup', { label: info.name }, [
          ...ops.map((name) => this.#option({ kind: 'op', name }, name)),
          ...layers
            .filter(({ plugin }) => plugin === info.name)
            .map(({ id, label }) => this.#option({ kind: 'layer', id }, `${label} (layer)`)),
          ...layerTypes.map((name) => this.#option({ kind: 'type', name }, `New ${name} layer…`)),
        ]),
      ),
    );
    if (this.#targets.has(chosen)) this.#select.value = chosen;
    this.#notice();
  }

  /**
   * @param {Target} target
   * @param {string} textContent
   */
  #option(target, textContent) {
    const value = keyOf(target);
    this.#targets.set(value, target);
    return element('option', { value, textContent });
  }

  #notice() {
    const key = this.#select.value;
    if (key === this.#shown) return;
    this.#shown = key;
    this.#onChange();
  }
}

/** @param {Target} target */
function keyOf(target) {
  return `${target.kind}:${target.kind === 'layer' ? target.id : target.name}`;
}
