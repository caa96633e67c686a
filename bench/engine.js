import { measure } from './measure.js';
import { createPeer as createJax } from './peers/jax.js';
import { createPeer as createMiniTensor } from './peers/minitensor.js';
import { createPeer as createNumpyTs } from './peers/numpy_ts.js';
import { createPeer as createOnnxRuntime } from './peers/onnxruntime.js';
import { createPeer as createTfjs } from './peers/tfjs.js';
import { duration, printTable } from './table.js';

/** @typedef {import('./peers/peer.js').Peer} Peer */
/** @typedef {import('./peers/peer.js').Input} Input */

/**
 * @typedef {object} Case
 * @property {string} title
 * @property {import('./peers/peer.js').OpName} op
 * @property {readonly (readonly number[])[]} shapes of the inputs
 * @property {number} aim at most this ratio to the best peer
 */

/** @type {readonly Case[]} */
const CASES = [
  { title: 'add, 1e6', op: 'add', shapes: [[1e6], [1e6]], aim: 0.9 },
  { title: 'add, 4 elements', op: 'add', shapes: [[4], [4]], aim: 0.27 },
  { title: 'exp, 1e6', op: 'exp', shapes: [[1e6]], aim: 0.57 },
  { title: 'matmul, 256 x 256 x 256', op: 'matmul', shapes: [[256, 256], [256, 256]], aim: 0.91 },
  { title: 'op in JavaScript, 4 elements', op: 'double', shapes: [[4]], aim: 0.5 },
  { title: 'op in JavaScript, 1e6', op: 'double', shapes: [[1e6]], aim: 1 },
];

/**
 * Compares the engine with its peers.
 *
 * @param {{ rounds: number, withPeers: boolean }} options
 */
export async function benchEngine({ rounds, withPeers }) {
  const others = [createTfjs, createOnnxRuntime, createNumpyTs, createJax];
  /** @type {Peer[]} */
  const peers = [];
  for (const create of [createMiniTensor, ...(withPeers ? others : [])]) peers.push(await create());
  const rows = [];
  for (const entry of CASES) rows.push(await row(entry, peers, rounds));
  console.log('\nThe engine, float32, one thread. Ratio: MiniTensor to the best of the others.');
  printTable(['', ...peers.map(({ name }) => name), 'ratio', 'aim'], rows);
}

/**
 * @param {Case} entry
 * @param {readonly Peer[]} peers MiniTensor first
 * @param {number} rounds
 */
async function row({ title, op, shapes, aim }, peers, rounds) {
  const inputs = shapes.map(inputOf);
  const subjects = [];
  for (const { name, prepare } of peers) {
    const prepared = await prepare(op, inputs);
    if (!prepared) continue;
    requireEqual(`${name}: ${title}`, await prepared.read(), expected(op, inputs));
    subjects.push({ name, run: prepared.run });
  }
  const times = await measure(subjects, rounds);
  const [own = NaN, ...others] = peers.map(({ name }) => times.get(name));
  const best = Math.min(...others.map((time) => time ?? Infinity));
  const ratio = Number.isFinite(best) ? (own / best).toFixed(2) : '-';
  return [title, ...[own, ...others].map(duration), ratio, aim.toFixed(2)];
}

/**
 * Numbers in [-1, 1).
 *
 * @param {readonly number[]} shape
 * @returns {Input}
 */
function inputOf(shape) {
  let state = 1;
  const values = Float32Array.from({ length: shape.reduce((product, size) => product * size, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  return { values, shape: [...shape] };
}

/**
 * The first elements of the result, by definition.
 *
 * @param {import('./peers/peer.js').OpName} op
 * @param {readonly Input[]} inputs
 */
function expected(op, inputs) {
  const [a = [], b = []] = inputs.map(({ values }) => values);
  const columns = inputs[0]?.shape[1] ?? 1;
  const at = (/** @type {ArrayLike<number>} */ list, /** @type {number} */ i) => list[i] ?? NaN;
  const first = Array.from({ length: Math.min(a.length, 4) }, (_, i) => i);
  if (op === 'add') return first.map((i) => at(a, i) + at(b, i));
  if (op === 'exp') return first.map((i) => Math.exp(at(a, i)));
  if (op === 'double') return first.map((i) => 2 * at(a, i));
  return first.map((i) => {
    let sum = 0;
    for (let k = 0; k < columns; k++) sum += at(a, k) * at(b, k * columns + i);
    return sum;
  });
}

/**
 * @param {string} what
 * @param {ArrayLike<number>} actual
 * @param {readonly number[]} wanted its first elements
 */
function requireEqual(what, actual, wanted) {
  const isNear = (/** @type {number} */ value, /** @type {number} */ i) =>
    Math.abs((actual[i] ?? NaN) - value) <= 1e-5 * Math.abs(value) + 1e-5;
  const wrong = wanted.findIndex((value, i) => !isNear(value, i));
  if (wrong >= 0) throw new Error(`${what} gives ${actual[wrong]} for ${wanted[wrong]}`);
}
