import { PluginError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core_module.js').CoreModule} CoreModule */
/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */

/**
 * Calls a function of the core with a file in its memory. When the file is not even a plugin, the error also says what
 * a server said that it was.
 * @template T
 * @param {Core} core
 * @param {PluginFile} file
 * @param {(module: CoreModule, address: number, size: number) => T} use
 * @returns {T}
 */
export function withFile(core, { bytes, answer }, use) {
  const address = core.allocate(Math.max(bytes.length, 1));
  try {
    core.bytes.set(bytes, address);
    return core.invoke((module) => use(module, address, bytes.length));
  } catch (error) {
    throw error instanceof PluginError && error.phase === 'read' ? withAnswer(error, answer) : error;
  } finally {
    core.module._free(address);
  }
}

/**
 * The error of a file that is not the one that was wanted, with what a server said that it was.
 * @param {PluginError} error
 * @param {string | undefined} answer
 */
export function withAnswer(error, answer) {
  return answer === undefined ? error : new PluginError(`${error.message}; the server answered ${answer}`, error);
}
