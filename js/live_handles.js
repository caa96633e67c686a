/** @typedef {'tensor' | 'layer' | 'registry'} HandleKind */

/**
 * Something that is alive, and where it was made.
 * @typedef {{ kind: HandleKind, stack: string }} LiveHandle
 */

// Who made something is a caller of this package, not code within it.
// Engines name it as a URL or as a path.
const folder = new URL('.', import.meta.url);
const packageFolders = [folder.href, decodeURIComponent(folder.pathname)];

/** Where each living handle was made: for finding what was not disposed. Costs a stack trace for every handle. */
export class LiveHandles {
  /** @type {Map<string, LiveHandle>} */
  #entries = new Map();

  /**
   * @param {HandleKind} kind
   * @param {number} handle
   */
  add(kind, handle) {
    const [, ...frames] = (new Error('made').stack ?? '').split('\n');
    const stack = frames.filter((frame) => !packageFolders.some((own) => frame.includes(own))).join('\n');
    this.#entries.set(`${kind} ${handle}`, { kind, stack });
  }

  /**
   * @param {HandleKind} kind
   * @param {number} handle
   */
  remove(kind, handle) {
    this.#entries.delete(`${kind} ${handle}`);
  }

  list() {
    return [...this.#entries.values()];
  }
}
