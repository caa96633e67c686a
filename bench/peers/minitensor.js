import { init } from '../../dist/index.js';

/** @typedef {import('../../dist/index.js').Tensor} Tensor */

/** @returns {Promise<import('./peer.js').Peer>} */
export async function createPeer() {
  const mt = await init();
  mt.customOps.register({
    name: 'double',
    numInputs: 1,
    forward: ([x]) => {
      const values = x.toTypedArray();
      for (let i = 0; i < values.length; i++) values[i] = /** @type {number} */ (values[i]) * 2;
      return new mt.Tensor(values, { shape: x.shape });
    },
  });
  /** @type {Record<import('./peer.js').OpName, (inputs: Tensor[]) => Tensor>} */
  const ops = {
    add: ([a, b]) => mt.add(/** @type {Tensor} */ (a), /** @type {Tensor} */ (b)),
    matmul: ([a, b]) => mt.matmul(/** @type {Tensor} */ (a), /** @type {Tensor} */ (b)),
    exp: ([x]) => mt.exp(/** @type {Tensor} */ (x)),
    double: (inputs) => mt.customOps.execute('double', inputs),
  };
  return {
    name: 'minitensor',
    prepare: async (name, inputs) => {
      const op = ops[name];
      const tensors = inputs.map(({ values, shape }) => new mt.Tensor(values, { shape }));
      return { run: () => op(tensors).dispose(), read: () => op(tensors).toTypedArray() };
    },
  };
}
