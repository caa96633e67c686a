import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { Failure, UsageError } from './failure.js';
import { formatSize } from './text.js';
import { findToolchain } from './toolchain.js';

/** @typedef {import('./terminal.js').Terminal} Terminal */

const SDK = fileURLToPath(new URL('dist/sdk/lib/cmake/MiniTensorSDK', import.meta.resolve('minitensor/package.json')));

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'compile the plugin of the project here',
  details: [
    'Runs CMake on the CMakeLists.txt of this folder, with the SDK of this package. What it builds is in build/wasm,',
    'build/native, and with --debug in build/wasm-debug and build/native-debug.',
  ].join('\n'),
  positionals: [],
  options: {
    release: { type: 'boolean', description: 'optimised (this is the default)' },
    debug: { type: 'boolean', description: 'to find mistakes in: with names of functions, natively not optimised' },
    native: { type: 'boolean', description: 'a shared library (.so) for native programs, without Emscripten' },
  },
  async run({ values, terminal }) {
    if (values.release && values.debug) throw new UsageError('--release and --debug exclude each other');
    if (!existsSync('CMakeLists.txt')) {
      throw new Failure(`there is no CMakeLists.txt in ${process.cwd()}`, 'minitensor new NAME makes a project');
    }
    const native = Boolean(values.native);
    const folder = `build/${native ? 'native' : 'wasm'}${values.debug ? '-debug' : ''}`;
    const { cmake, generator, configure } = await findToolchain(native);
    const [program = '', ...first] = configure;
    askForArtifacts(folder);
    await runStep(terminal, 'configuring', program, [
      ...first,
      ...['-S', '.', '-B', folder, '-G', generator],
      ...(isReusable(folder, generator) ? [] : ['--fresh']),
      `-DCMAKE_BUILD_TYPE=${values.debug ? 'Debug' : 'Release'}`,
      `-DMiniTensorSDK_DIR=${SDK}`,
    ]);
    await runStep(terminal, 'building', cmake, ['--build', folder, '--parallel', String(availableParallelism())]);
    const built = artifacts(folder);
    if (built.length === 0) {
      throw new Failure('CMakeLists.txt builds no plugin', 'it should call minitensor_add_plugin(name sources…)');
    }
    for (const file of built) terminal.print(`${file}  ${formatSize(statSync(file).size)}`);
    return 0;
  },
};

/**
 * Runs a program. Its output is shown when it fails.
 * @param {Terminal} terminal
 * @param {string} title
 * @param {string} program
 * @param {string[]} args
 */
async function runStep(terminal, title, program, args) {
  terminal.progress(`${title} …`);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
      terminal.progress(`${title}: ${text.trimEnd().split('\n').at(-1)}`);
    });
  }
  const [status, signal] = await once(child, 'close');
  terminal.clearProgress();
  if (status === 0) return;
  terminal.complain(output.trimEnd());
  throw new Failure(`${title} failed: ${path.basename(program)} ended with ${signal ?? status}`);
}

/**
 * @param {string} folder
 * @param {string} generator
 * @returns {boolean} whether CMake can go on from what is in the folder: it refuses one that was moved, or made for
 *   another generator
 */
function isReusable(folder, generator) {
  const cache = path.join(folder, 'CMakeCache.txt');
  if (!existsSync(cache)) return true;
  const text = readFileSync(cache, 'utf8');
  const valueOf = (/** @type {string} */ name) => new RegExp(`^${name}:\\w+=(.*)$`, 'm').exec(text)?.[1];
  return valueOf('CMAKE_HOME_DIRECTORY') === process.cwd() && valueOf('CMAKE_GENERATOR') === generator;
}

const API = '.cmake/api/v1';

/**
 * Has CMake write down what it builds.
 * @param {string} folder
 */
function askForArtifacts(folder) {
  const query = path.join(folder, API, 'query');
  mkdirSync(query, { recursive: true });
  writeFileSync(path.join(query, 'codemodel-v2'), '');
}

/**
 * @param {string} folder
 * @returns {string[]} the plugins that were built
 */
function artifacts(folder) {
  const reply = path.join(folder, API, 'reply');
  const targets = readdirSync(reply).filter((name) => name.startsWith('target-'));
  return targets
    .flatMap((name) => {
      /** @type {{ artifacts?: { path: string }[] }} */
      const target = JSON.parse(readFileSync(path.join(reply, name), 'utf8'));
      return (target.artifacts ?? []).map((artifact) => path.join(folder, artifact.path));
    })
    .filter((file) => /\.(wasm|so)$/.test(file) && existsSync(file))
    .sort();
}
