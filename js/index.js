import create from './core/minitensor.js';
import { createInstance } from './instance.js';

/**
 * Makes an instance: an engine with memory, ops, layers and plugins of its own.
 * @param {import('./instance.js').InitOptions} [options]
 * @returns {Promise<import('./exports.js').MiniTensor>}
 */
export function init(options) {
  const wasm = new URL('./core/minitensor.wasm', import.meta.url);
  return createInstance({ create, wasm, parts: () => import('./parts.js') }, options);
}

export * from './exports.js';
