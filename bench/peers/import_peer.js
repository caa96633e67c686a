/**
 * A library of bench/node_modules. Its types are not asked for, since it need not be installed when types are checked.
 *
 * @param {string} name
 * @returns {Promise<unknown>} what it exports, or its default export if that is all
 */
export async function importPeer(name) {
  /** @type {Record<string, unknown>} */
  const exports = await import(name);
  return { .../** @type {object} */ (exports['default']), ...exports };
}
