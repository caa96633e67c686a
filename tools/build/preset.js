import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { runCommand } from '../command.js';
import { PROJECT, inProject } from '../project.js';
import { SetupError } from '../setup/failure.js';
import { step } from '../setup/progress.js';
import { run } from '../setup/run.js';

/** @typedef {import('../setup/index.js').Setup} Setup */

/**
 * @typedef {object} PresetOptions
 * @property {Record<string, string>} [definitions] CMake cache variables
 * @property {string[]} [targets] all when left out
 */

/**
 * @param {string} preset
 * @returns {string} its build folder
 */
export function presetFolder(preset) {
  return inProject('build', preset);
}

/**
 * Configures a preset of CMakePresets.json if that is needed, and builds it.
 *
 * @param {string} preset
 * @param {Setup} setup
 * @param {PresetOptions} [options]
 */
export async function buildPreset(preset, setup, { definitions = {}, targets = [] } = {}) {
  await configurePreset(preset, setup, definitions);
  const targetOptions = targets.length > 0 ? ['--target', ...targets] : [];
  const jobs = String(os.availableParallelism());
  const args = ['--build', presetFolder(preset), '--parallel', jobs, ...targetOptions];
  await step(`Building ${preset}`, async (report) => {
    const { code, output } = await runCommand('cmake', args, {
      env: buildEnvironment(setup),
      onLine: (line) => {
        const percent = ninjaPercent(line);
        if (percent !== null) report(`${percent} %`);
      },
    });
    if (code !== 0) throw new SetupError(`${withoutProgress(output)}\nFailed: the build of ${preset}.`);
  });
}

/**
 * @param {Setup} setup
 * @returns {NodeJS.ProcessEnv}
 */
function buildEnvironment({ env }) {
  // Presets and checkouts that compile a file in the same way share the object, whatever their folders.
  return { CCACHE_BASEDIR: path.resolve(PROJECT), CCACHE_NOHASHDIR: 'true', ...env };
}

/** @param {string} output of Ninja */
function withoutProgress(output) {
  return output.split('\n').filter((line) => line && ninjaPercent(line) === null).join('\n');
}

/**
 * @param {string} line of Ninja's output, such as `[12/48] Building …`
 * @returns {number | null}
 */
function ninjaPercent(line) {
  const [, done, total] = /^\[(\d+)\/(\d+)\]/.exec(line) ?? [];
  return done && total ? Math.floor((Number(done) / Number(total)) * 100) : null;
}

/**
 * Configures a preset if that is needed. Ninja itself does so again when a
 * CMakeLists.txt changes; what it does not see is in the stamp.
 *
 * @param {string} preset
 * @param {Setup} setup
 * @param {Record<string, string>} definitions
 */
export async function configurePreset(preset, setup, definitions) {
  const folder = presetFolder(preset);
  const stampFile = path.join(folder, '.configured.json');
  const wanted = {
    toolchain: toolchainOf(preset, setup),
    settings: { presets: readFileSync(inProject('CMakePresets.json'), 'utf8'), definitions },
  };
  const found = readStamp(stampFile);
  if (found && same(found, wanted)) return;
  // Objects of another compiler look up to date to Ninja, and CMake refuses a folder that was moved.
  if (!same(found?.toolchain, wanted.toolchain)) rmSync(folder, { recursive: true, force: true });
  await step(`Configuring ${preset}`, async () => {
    const variables = Object.entries(definitions).map(([name, value]) => `-D${name}=${value}`);
    await run('cmake', ['--fresh', '--preset', preset, ...variables], { cwd: PROJECT, env: setup.env });
  });
  writeFileSync(stampFile, JSON.stringify(wanted));
}

/**
 * @param {string} preset
 * @param {Setup} setup
 */
function toolchainOf(preset, { env, emscripten }) {
  const compiler = preset.startsWith('wasm')
    ? [emscripten?.root, emscripten?.version]
    : [env.CC, env.CXX, env.CFLAGS, env.CXXFLAGS, env.LDFLAGS];
  const launchers = [env.CMAKE_C_COMPILER_LAUNCHER, env.CMAKE_CXX_COMPILER_LAUNCHER];
  return { project: PROJECT, compiler, launchers };
}

/**
 * @param {string} file
 * @returns {{ toolchain: unknown, settings: unknown } | null}
 */
function readStamp(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * @param {unknown} a
 * @param {unknown} b
 */
function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
