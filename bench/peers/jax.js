import { importPeer } from './import_peer.js';

/**
 * The parts of the library that are used here. An op takes over its arguments; `ref` is one more reference.
 *
 * @typedef {object} JaxArray
 * @property {JaxArray} ref
 * @property {(shape: number[]) => JaxArray} reshape
 * @property {() => Float32Array} dataSync
 * @property {() => void} dispose
 * @typedef {object} Jax
 * @property {(device: string) => Promise<unknown>} init
 * @property {(device: string) => void} defaultDevice
 * @property {(body: (...args: JaxArray[]) => JaxArray) => (...args: JaxArray[]) => JaxArray} jit
 * @property {(array: JaxArray) => Promise<unknown>} blockUntilReady
 * @property {{
 *   array(values: Float32Array): JaxArray,
 *   add(a: JaxArray, b: JaxArray): JaxArray,
 *   matmul(a: JaxArray, b: JaxArray): JaxArray,
 *   exp(x: JaxArray): JaxArray,
 * }} numpy
 */

/** @returns {Promise<import('./peer.js').Peer>} */
export async function createPeer() {
  // It looks at what Node 20 does not have.
  if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: {} });
  const jax = /** @type {Jax} */ (await importPeer('@jax-js/jax'));
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  const { numpy: np } = jax;
  /** @type {Partial<Record<import('./peer.js').OpName, (...args: JaxArray[]) => JaxArray>>} */
  const ops = {
    add: jax.jit((a, b) => np.add(/** @type {JaxArray} */ (a), /** @type {JaxArray} */ (b))),
    matmul: jax.jit((a, b) => np.matmul(/** @type {JaxArray} */ (a), /** @type {JaxArray} */ (b))),
    exp: jax.jit((x) => np.exp(/** @type {JaxArray} */ (x))),
  };
  return {
    name: 'jax-js jit',
    prepare: async (name, inputs) => {
      const op = ops[name];
      if (!op) return null;
      // Of other libraries here; with it, this one takes it that its memory is shared with threads.
      Reflect.deleteProperty(globalThis, 'Worker');
      const arrays = inputs.map(({ values, shape }) => np.array(values).reshape(shape));
      const compute = () => op(...arrays.map((array) => array.ref));
      const run = async () => {
        const result = compute();
        await jax.blockUntilReady(result.ref);
        result.dispose();
      };
      return { run, read: () => compute().dataSync() };
    },
  };
}
