import create from './core-static/minitensor.js';
import { createInstance } from './instance.js';

/**
 * Makes an instance without dynamic loading: `loadPlugin` rejects with NotImplementedError, everything else is the
 * same.
 * @param {import('./instance.js').InitOptions} [options]
 * @returns {Promise<import('./exports.js').MiniTensor>}
 */
export function init(options) {
  return createInstance({ create, wasm: new URL('./core-static/minitensor.wasm', import.meta.url) }, options);
}

export * from './exports.js';
