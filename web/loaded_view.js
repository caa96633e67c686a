import { byId, element } from './dom.js';
import { showingErrors } from './error_view.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./session.js').LoadedPlugin} LoadedPlugin */
/** @typedef {import('./session.js').LiveLayer} LiveLayer */

/** The loaded plugins, each with the layers that were made of its types. */
export class LoadedView {
  #session;
  #heading = byId('loaded-heading', HTMLElement);
  #list = byId('loaded', HTMLElement);
  #empty = byId('loaded-empty', HTMLElement);
  #status = byId('loaded-status', HTMLElement);
  #error = byId('unload-error', HTMLElement);

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    session.addEventListener('change', () => this.#update());
    this.#update();
  }

  #update() {
    const { plugins, layers } = this.#session;
    this.#list.replaceChildren(
      ...plugins.map((plugin) => this.#pluginItem(plugin, layers.filter((layer) => layer.plugin === plugin.info.name))),
    );
    this.#list.hidden = plugins.length === 0;
    this.#empty.hidden = plugins.length > 0;
  }

  /**
   * @param {LoadedPlugin} plugin
   * @param {readonly LiveLayer[]} layers
   */
  #pluginItem({ info, ops, layerTypes }, layers) {
    const item = element('li', {}, [
      element('div', { className: 'loaded-row' }, [
        element('p', {}, [
          element('strong', { textContent: info.name }),
          ' ',
          element('span', { className: 'version', textContent: String(info.version) }),
          element('span', { className: 'gives', textContent: givesText(ops, layerTypes) }),
        ]),
        this.#button('Unload', info.name, () => this.#session.unload(info.name)),
      ]),
    ]);
    item.dataset.plugin = info.name;
    if (layers.length > 0) item.append(element('ul', {}, layers.map((layer) => this.#layerItem(layer))));
    return item;
  }

  /** @param {LiveLayer} layer */
  #layerItem({ id, label }) {
    return element('li', { className: 'loaded-row' }, [
      element('p', { textContent: `Layer ${label}` }),
      this.#button('Dispose', label, () => this.#session.disposeLayer(id)),
    ]);
  }

  /**
   * @param {string} verb
   * @param {string} what
   * @param {() => void} action
   */
  #button(verb, what, action) {
    const button = element('button', { type: 'button', textContent: verb, ariaLabel: `${verb} ${what}` });
    button.addEventListener('click', async () => {
      const done = await showingErrors(this.#error, action);
      this.#status.textContent = done ? `${verb} ${what}: done.` : '';
      // The button that had the focus is gone with its line.
      if (!button.isConnected) (this.#list.querySelector('button') ?? this.#heading).focus();
    });
    return button;
  }
}

/**
 * @param {readonly string[]} ops
 * @param {readonly string[]} layerTypes
 */
function givesText(ops, layerTypes) {
  const parts = [
    ...(ops.length > 0 ? [`op ${ops.join(', ')}`] : []),
    ...(layerTypes.length > 0 ? [`layer ${layerTypes.join(', ')}`] : []),
  ];
  return parts.join(' · ');
}
