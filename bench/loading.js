import { readFileSync } from 'node:fs';
import path from 'node:path';

import { init } from '../dist/index.js';

import { inProject } from '../tools/project.js';
import { median, measure } from './measure.js';
import { numberedPlugin } from './plugin_files.js';
import { duration, printTable } from './table.js';

/** @typedef {Awaited<ReturnType<typeof init>>} MiniTensor */

const MANY = 100;

/**
 * Loading plugins, and calling their ops.
 *
 * @param {{ rounds: number }} options
 */
export async function benchLoading({ rounds }) {
  const mt = await init();
  const kilobytes = (/** @type {Uint8Array} */ bytes) => `${(bytes.length / 1000).toFixed(1)} KB`;
  const small = (/** @type {number} */ number) => padded(numberedPlugin('plus', number), 4000);
  const large = (/** @type {number} */ number) => numberedPlugin('large', number);
  const rows = [
    [`a plugin of ${kilobytes(small(0))}`, duration(await loadTime(mt, small, 'plus', rounds)), '3 ms'],
    [`a plugin of ${kilobytes(large(0))}`, duration(await loadTime(mt, large, 'large', rounds)), '10 ms'],
    [`${MANY} plugins, one after the other`, duration(await manyTime(mt, rounds)), '1000 ms'],
  ];
  console.log('\nFrom bytes to a callable op');
  printTable(['', 'median', 'aim'], rows);
  await benchCalls(mt, rounds);
}

/**
 * The same plugin with a custom section, which nobody reads, that makes it as long as this.
 *
 * @param {Uint8Array} plugin
 * @param {number} size
 */
function padded(plugin, size) {
  const name = 'padding';
  const content = size - plugin.length - 3;
  const section = [0, (content & 0x7f) | 0x80, content >> 7, name.length, ...Buffer.from(name)];
  return Buffer.concat([plugin, Buffer.from(section), Buffer.alloc(content - 1 - name.length)]);
}

/**
 * @param {MiniTensor} mt
 * @param {(number: number) => Uint8Array} file
 * @param {string} name
 * @param {number} rounds
 */
async function loadTime({ plugins }, file, name, rounds) {
  const times = [];
  // The first ones warm up.
  for (let number = 0; number < rounds + 3; number++) {
    const bytes = file(number);
    const start = performance.now();
    await plugins.loadPlugin(bytes);
    times.push(performance.now() - start);
    plugins.unloadPlugin(`${name}_${String(number).padStart(3, '0')}`);
  }
  return median(times.slice(3));
}

/**
 * @param {MiniTensor} mt
 * @param {number} rounds
 */
async function manyTime({ plugins }, rounds) {
  const times = [];
  for (let round = 0; round < Math.ceil(rounds / 3); round++) {
    // Other files than in the round before.
    const files = Array.from({ length: MANY }, (_, i) => numberedPlugin('plus', (round % 9) * MANY + i));
    const start = performance.now();
    for (const file of files) await plugins.loadPlugin(file);
    times.push(performance.now() - start);
    for (const { name } of plugins.listPlugins()) plugins.unloadPlugin(name);
  }
  return median(times);
}

/**
 * @param {MiniTensor} mt
 * @param {number} rounds
 */
async function benchCalls(mt, rounds) {
  await mt.plugins.loadPlugin(numberedPlugin('plus', 0));
  const attention = readFileSync(inProject(path.join('dist/examples/plugins/attention.wasm')));
  await mt.plugins.loadPlugin(attention);
  const rows = [];
  for (const size of [4, 1e6]) {
    const a = new mt.Tensor(new Float32Array(size).fill(1));
    const times = await measure([
      { name: 'built-in', run: () => mt.customOps.execute('add', [a, a]).dispose() },
      { name: 'plugin', run: () => mt.customOps.execute('plus_000', [a, a]).dispose() },
      // A small call takes as long as the processor's mood has it, by some 5 %, so that it is asked more often.
    ], size === 4 ? 5 * rounds : rounds);
    rows.push(comparison(`a + b, ${size === 4 ? '4 elements' : '1e6'}`, times));
  }
  const [q, k, v] = [1, 2, 3].map((by) =>
    new mt.Tensor(Float32Array.from({ length: 8 * 256 * 64 }, (_, i) => Math.sin(i * by)), { shape: [8, 256, 64] }));
  if (q && k && v) {
    const composed = () => mt.tidy(() => {
      const weights = mt.matmul(q, k.transpose({ axes: [0, 2, 1] })).div(8).exp();
      return mt.matmul(weights.div(weights.sum({ axis: [-1], keepDims: true })), v);
    });
    const times = await measure([
      { name: 'built-in', run: () => composed().dispose() },
      { name: 'plugin', run: () => mt.customOps.execute('attention', [q, k, v]).dispose() },
    ], rounds);
    rows.push(comparison('attention, [8,256,64] (built-in: composed of ops)', times));
  }
  console.log('\nAn op of a plugin and the same of built-in ops. Ratio: plugin to built-in; the aim is at most 1.');
  printTable(['', 'built-in', 'plugin', 'ratio'], rows);
}

/**
 * @param {string} title
 * @param {Map<string, number>} times
 */
function comparison(title, times) {
  const [builtIn = NaN, plugin = NaN] = [times.get('built-in'), times.get('plugin')];
  return [title, duration(builtIn), duration(plugin), (plugin / builtIn).toFixed(2)];
}
