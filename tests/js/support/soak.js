/*
 * Does what a long-lived application does with plugins, again and again, and counts what is not given back.
 */
import process from 'node:process';

import { initMeasured } from './core_memory.js';
import { bytesOf, testPlugin } from './plugin_files.js';

/**
 * @typedef {object} SoakReport
 * @property {string} what
 * @property {number} rounds
 * @property {number} milliseconds for each round
 * @property {{ bytes: number, slots: number, used: number, rss: number }} early after half of the rounds, when the
 *   engine's own caches have grown to what they need
 * @property {{ bytes: number, slots: number, used: number, rss: number }} late at the end
 */

/**
 * @param {string} what
 * @param {number} rounds
 * @param {() => { bytes: number, slots: number, used: number }} measure
 * @param {() => unknown} round
 * @returns {Promise<SoakReport>}
 */
async function repeat(what, rounds, measure, round) {
  const all = () => {
    globalThis.gc?.();
    return { ...measure(), rss: process.memoryUsage().rss };
  };
  const warmUp = Math.ceil(rounds / 2);
  for (let i = 0; i < warmUp; i++) await round();
  const early = all();
  const start = performance.now();
  for (let i = warmUp; i < rounds; i++) await round();
  const milliseconds = (performance.now() - start) / Math.max(rounds - warmUp, 1);
  return { what, rounds, milliseconds, early, late: all() };
}

/**
 * @param {number} rounds
 * @returns {AsyncGenerator<SoakReport>}
 */
export async function* soak(rounds) {
  const { mt, measure } = await initMeasured();
  const { plugins, customOps } = mt;
  const run = (/** @type {string} */ op) => mt.tidy(() => customOps.execute(op, [0]).item());

  const c = bytesOf(testPlugin('value_one'));
  yield repeat('load and unload a plugin in C', rounds, measure, async () => {
    await plugins.loadPlugin(c);
    if (run('value') !== 1) throw new Error('value gives something else');
    plugins.unloadPlugin('value');
  });

  const cpp = bytesOf(testPlugin('static_state'));
  yield repeat('load and unload a plugin in C++ with constructors and exceptions', rounds, measure, async () => {
    await plugins.loadPlugin(cpp);
    if (run('count_calls') !== 1) throw new Error('count_calls has kept its count');
    if (!fails(() => run('throws'))) throw new Error('throws has not thrown');
    plugins.unloadPlugin('static_state');
  });

  const broken = bytesOf(testPlugin('init_fails'));
  yield repeat('load a plugin that fails', rounds, measure, async () => {
    await plugins.loadPlugin(broken).then(() => Promise.reject(new Error('it has loaded')), () => {});
  });

  await plugins.loadPlugin(testPlugin('faults_in_op'));
  await plugins.loadPlugin(c);
  const faults = ['abort', 'recurse', 'divide', 'read', 'call_null', 'recurse_host'];
  let count = 0;
  yield repeat('stop at a fault', rounds, measure, () => {
    if (!fails(() => run(String(faults[count++ % faults.length])))) throw new Error('a fault has stopped nothing');
    if (count % 100 === 0 && (run('value') !== 1 || mt.tidy(() => mt.add(1, 2).item()) !== 3)) {
      throw new Error('a result is wrong');
    }
  });
  mt.close();
}

/** @param {() => unknown} call */
function fails(call) {
  try {
    call();
    return false;
  } catch {
    return true;
  }
}
