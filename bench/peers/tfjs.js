import { createRequire } from 'node:module';
import path from 'node:path';

import { importPeer } from './import_peer.js';

/**
 * The parts of the library that are used here.
 *
 * @typedef {{ dataSync(): Float32Array, dispose(): void }} TfTensor
 * @typedef {object} Backend
 * @property {(shape: number[], dtype: string) => object} makeOutput
 * @property {(tensor: object) => Float32Array} typedArrayFromHeap
 * @typedef {object} Tf
 * @property {(values: Float32Array, shape: number[]) => TfTensor} tensor
 * @property {(a: TfTensor, b: TfTensor) => TfTensor} add
 * @property {(a: TfTensor, b: TfTensor) => TfTensor} matMul
 * @property {(x: TfTensor) => TfTensor} exp
 * @property {(name: string) => Promise<boolean>} setBackend
 * @property {() => { runKernel(name: string, inputs: object): TfTensor }} engine
 * @property {(kernel: object) => void} registerKernel
 * @typedef {{ setWasmPaths(folder: string): void, setThreadsCount(count: number): void }} TfWasm
 */

/** @returns {Promise<import('./peer.js').Peer>} */
export async function createPeer() {
  const tf = /** @type {Tf} */ (await importPeer('@tensorflow/tfjs-core'));
  const wasm = /** @type {TfWasm} */ (await importPeer('@tensorflow/tfjs-backend-wasm'));
  const file = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  wasm.setWasmPaths(`${path.dirname(file)}/`);
  wasm.setThreadsCount(1);
  await tf.setBackend('wasm');
  registerDouble(tf);
  /** @type {Record<import('./peer.js').OpName, (inputs: TfTensor[]) => TfTensor>} */
  const ops = {
    add: ([a, b]) => tf.add(/** @type {TfTensor} */ (a), /** @type {TfTensor} */ (b)),
    matmul: ([a, b]) => tf.matMul(/** @type {TfTensor} */ (a), /** @type {TfTensor} */ (b)),
    exp: ([x]) => tf.exp(/** @type {TfTensor} */ (x)),
    double: ([x]) => tf.engine().runKernel('BenchDouble', { x }),
  };
  return {
    name: 'tfjs wasm',
    prepare: async (name, inputs) => {
      const op = ops[name];
      const tensors = inputs.map(({ values, shape }) => tf.tensor(values, shape));
      return { run: () => op(tensors).dispose(), read: () => op(tensors).dataSync() };
    },
  };
}

/** @param {Tf} tf */
function registerDouble(tf) {
  tf.registerKernel({
    kernelName: 'BenchDouble',
    backendName: 'wasm',
    /** @param {{ inputs: { x: { shape: number[] } }, backend: Backend }} call */
    kernelFunc: ({ inputs: { x }, backend }) => {
      const result = backend.makeOutput(x.shape, 'float32');
      const from = backend.typedArrayFromHeap(x);
      const to = backend.typedArrayFromHeap(result);
      for (let i = 0; i < to.length; i++) to[i] = /** @type {number} */ (from[i]) * 2;
      return result;
    },
  });
}
