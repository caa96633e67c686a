import create from './core-static/minitensor.js';
import { createInstance } from './instance.js';

/**
 * Makes an instance without dynamic loading: `loadPlugin` rejects with NotImplementedError, everything else is the
 * same.
 * @param {import('./instance.js').InitOptions} [options]
 * @returns {Promise<import('./exports.js').MiniTensor>}
 */
export function init(options) {
  const wasm = new URL('./core-static/minitensor.wasm', import.meta.url);
  return createInstance({ create, wasm, parts: () => import('./static_parts.js') }, options);
}

export * from './exports.js';
