import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { presetFolder } from '../build/preset.js';
import { runCommand } from '../command.js';
import { inProject } from '../project.js';
import { print, step } from '../setup/progress.js';
import { run } from '../setup/run.js';
import { buildTests } from './cpp.js';
import { honest, noTests } from './result.js';

/** @typedef {import('../setup/index.js').Setup} Setup */
/** @typedef {import('./result.js').TestResult} TestResult */

const PRESET = 'native-fuzz';

// What an input may take: a reader that needs more for 64 kB does not keep to "linear in the size of the input".
const LIMITS = ['-max_len=65536', '-timeout=10', '-rss_limit_mb=2048', '-malloc_limit_mb=256'];

/**
 * Fuzzes the readers of plugin files. The inputs that it found interesting stay in the build folder and are its start
 * the next time; one that breaks something is left there, and named.
 *
 * @param {Setup} setup with `fuzz`
 * @param {string[]} amount libFuzzer's options that say when to end
 * @returns {Promise<TestResult>}
 */
export async function runFuzz(setup, amount) {
  await buildTests(PRESET, setup, ['minitensor_fuzz', 'minitensor_fuzz_seeds']);
  const folder = path.join(presetFolder(PRESET), 'tests/fuzz');
  const corpus = path.join(folder, 'corpus');
  const findings = path.join(folder, 'findings/');
  rmSync(findings, { recursive: true, force: true });
  for (const one of [corpus, findings]) mkdirSync(one, { recursive: true });
  await run(path.join(folder, 'minitensor_fuzz_seeds'), [corpus], { env: setup.env });
  addPlugins(corpus);
  const { code, output } = await step('Fuzzing', (tell) =>
    runCommand(path.join(folder, 'minitensor_fuzz'), [...amount, ...LIMITS, `-artifact_prefix=${findings}`, corpus], {
      env: setup.env,
      onLine: (line) => {
        const [, runs, coverage] = /^#(\d+).* cov: (\d+)/.exec(line) ?? [];
        if (runs) tell(`${runs} inputs, ${coverage} edges`);
      },
    }));
  const done = /Done \d+ runs in \d+ second.*/.exec(output)?.[0];
  if (done) print(done);
  const result = honest({ ...noTests(), ...(done ? { passed: 1 } : { failed: 1 }) }, code === 0);
  if (result.failed > 0) print(`${output}\nThe input is in ${findings}${readdirSync(findings).join(', ')}`);
  return result;
}

/**
 * Real plugins, of those that are built.
 *
 * @param {string} corpus
 */
function addPlugins(corpus) {
  for (const folder of ['dist/examples/plugins', 'build/wasm-debug/test-plugins', 'build/native-debug/test-plugins']) {
    const from = inProject(folder);
    if (!existsSync(from)) continue;
    for (const name of readdirSync(from).filter((one) => /\.(wasm|so)$/.test(one))) {
      cpSync(path.join(from, name), path.join(corpus, name));
    }
  }
}
