import { compileWasm } from './load.js';

/** @typedef {import('./load.js').WasmSource} WasmSource */

/**
 * Compiled once for every address, however many instances are made.
 * @type {Map<string, Promise<WebAssembly.Module>>}
 */
const compiled = new Map();

/**
 * @param {WasmSource} source
 * @returns {Promise<WebAssembly.Module>}
 */
export function compileOnce(source) {
  if (typeof source !== 'string' && !(source instanceof URL)) return compileWasm(source);
  const key = String(source);
  let module = compiled.get(key);
  if (!module) {
    module = compileWasm(source);
    compiled.set(key, module);
    // What failed once may work later.
    module.catch(() => compiled.delete(key));
  }
  return module;
}
