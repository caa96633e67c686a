import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { callsOf } from '../../js/calls.js';

/**
 * @typedef {object} AttributeDescription
 * @property {string} name
 * @property {'number' | 'string' | 'boolean' | 'integers' | 'integer' | 'dtype'} type
 * @property {number | string | boolean | number[]} [default]
 * @property {true} [optional] without it and without a default it must be given
 *
 * @typedef {object} OpDescription
 * @property {string} name
 * @property {string} owner `minitensor`: the engine
 * @property {string} summary
 * @property {string[]} inputs
 * @property {('value' | 'index' | 'condition')[]} inputRoles of as many; empty: all are values
 * @property {number} optionalInputs that many of the last may be left out
 * @property {boolean} isVariadic the last stands for any number of tensors
 * @property {string[]} outputs empty: there is one
 * @property {boolean} hasVariadicOutput it stands for any number of tensors
 * @property {AttributeDescription[]} attributes
 * @property {boolean} hasGradient
 *
 * @typedef {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} Receive
 * @typedef {(options: {
 *   instantiateWasm: (imports: WebAssembly.Imports, receive: Receive) => object,
 *   callbacks: object,
 * }) => Promise<import('../../js/calls.js').CallExports>} CreateCore
 */

/**
 * Starts the core that was built and asks it for its ops.
 *
 * @param {string} folder of minitensor.js and minitensor.wasm
 * @returns {Promise<OpDescription[]>}
 */
export async function describeOps(folder) {
  const file = path.join(folder, 'minitensor.js');
  const url = pathToFileURL(file);
  // Node keeps what it has imported by its address.
  url.search = `?changed=${statSync(file).mtimeMs}`;
  /** @type {{ default: CreateCore }} */
  const { default: createCore } = await import(url.href);
  const module = await WebAssembly.compile(readFileSync(path.join(folder, 'minitensor.wasm')));
  const core = await createCore({
    instantiateWasm: (imports, receive) => {
      receive(new WebAssembly.Instance(module, imports), module);
      return {};
    },
    callbacks: {},
  });
  return /** @type {OpDescription[]} */ (callsOf(core).describeOps?.());
}
