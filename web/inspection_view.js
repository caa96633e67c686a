import { byId, element } from './dom.js';
import { clearError, showingErrors } from './error_view.js';
import { count } from './format_numbers.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./minitensor.js').PluginInspection} PluginInspection */

/** What the chosen file says of itself, and the button that loads it. */
export class InspectionView {
  #session;
  #card = byId('inspection', HTMLElement);
  #status = byId('choose-status', HTMLElement);
  #error = byId('load-error', HTMLElement);
  #note = element('p', { className: 'note' });
  #button = element('button', { type: 'button', id: 'load', textContent: 'Load' });
  /** @type {{ file: File, inspection: PluginInspection } | undefined} */
  #chosen;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#button.addEventListener('click', () => this.#load());
    session.addEventListener('change', () => this.#updateNote());
  }

  /**
   * Reads the file and shows what it says. When it is no plugin, the engine's error comes out and nothing is shown.
   * @param {File} file
   */
  async show(file) {
    this.#chosen = undefined;
    this.#card.hidden = true;
    this.#status.textContent = '';
    clearError(this.#error);
    const inspection = await this.#session.inspect(file);
    this.#chosen = { file, inspection };
    this.#card.replaceChildren(
      element('h3', { id: 'inspection-title' }, [
        inspection.info.name,
        ' ',
        element('span', { className: 'version', textContent: String(inspection.info.version) }),
      ]),
      element('p', { textContent: inspection.info.description }),
      factList(file, inspection),
      this.#note,
      this.#button,
    );
    this.#card.hidden = false;
    this.#updateNote();
    this.#status.textContent = `${inspection.info} inspected. ${this.#note.textContent}`;
  }

  async #load() {
    if (!this.#chosen || this.#button.getAttribute('aria-busy') === 'true') return;
    const { file, inspection } = this.#chosen;
    this.#button.setAttribute('aria-busy', 'true');
    const done = await showingErrors(this.#error, () => this.#session.load(file, inspection));
    this.#button.removeAttribute('aria-busy');
    this.#status.textContent = done ? `${done.value} is loaded.` : '';
  }

  #updateNote() {
    if (!this.#chosen) return;
    const isLoaded = this.#session.isLoaded(this.#chosen.file);
    this.#card.classList.toggle('is-loaded', isLoaded);
    // What comes next is elsewhere then.
    this.#button.classList.toggle('primary', !isLoaded);
    this.#note.textContent = isLoaded
      ? 'This file is loaded.'
      : 'This was read from the file. Nothing in it has run yet.';
  }
}

/**
 * @param {File} file
 * @param {PluginInspection} inspection
 */
function factList(file, { info, format, abiVersion, features, ops, layers, sizes, imports, problems }) {
  const { minMinitensorVersion: min, maxMinitensorVersion: max } = info;
  return element('dl', { className: 'facts' }, [
    ...fact('File', [`${file.name}, ${count(file.size, 'byte')}`]),
    ...fact('Author', [info.author]),
    ...fact('Works with', [`MiniTensor ${max ? `${min} to ${max}` : `${min} or newer`}`]),
    ...fact('Plugin ABI', [`${abiVersion} (${format})`]),
    ...fact('Operations', names(ops)),
    ...fact('Layers', names(layers)),
    ...(features.length > 0 ? fact('Needs', names(features)) : []),
    ...fact('Memory', [count(sizes.memory, 'byte')]),
    ...fact('Imports', [importList(imports)]),
    ...problems.flatMap((problem) => fact('Problem', [problem])),
  ]);
}

/**
 * @param {string} term
 * @param {readonly (Node | string)[]} details
 */
function fact(term, details) {
  return [element('dt', { textContent: term }), element('dd', {}, details)];
}

/** @param {readonly string[]} list */
function names(list) {
  if (list.length === 0) return ['none'];
  return list.flatMap((name, index) => [...(index > 0 ? [', '] : []), element('code', { textContent: name })]);
}

/** @param {PluginInspection['imports']} imports */
function importList(imports) {
  const missing = imports.filter(({ provided }) => !provided).length;
  const items = imports.map(({ name, demangled, kind, provided, cause }) => {
    const mark = element('span', { textContent: provided ? '✓' : '✗', role: 'img' });
    mark.ariaLabel = provided ? 'on the host:' : 'missing:';
    const meaning = demangled ? ` (${demangled})` : '';
    const item = [mark, ' ', element('code', { textContent: name }), `${meaning} ${kind}${cause ? `: ${cause}` : ''}`];
    return element('li', { className: provided ? '' : 'missing' }, item);
  });
  const all = missing === 0 ? 'all on the host' : `${missing} missing on the host`;
  // Open where there is something to see.
  return element('details', { open: missing > 0 }, [
    element('summary', { textContent: imports.length === 0 ? 'none' : `${imports.length}, ${all}` }),
    element('ul', { className: 'imports' }, items),
  ]);
}
