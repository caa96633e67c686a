import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { presetFolder } from '../build/preset.js';
import { runCommand } from '../command.js';
import { includeClosure } from '../includes.js';
import { inProject } from '../project.js';
import { run } from '../setup/run.js';

/** @typedef {import('../setup/index.js').Setup} Setup */

/**
 * @typedef {object} Unit a file as it is compiled
 * @property {string} file
 * @property {string} preset
 * @property {string} command
 */

// Tests are left out: they would take most of the time, and the compiler's warnings find what matters there.
const CHECKED = ['src', 'bindings', 'examples'].map((folder) => inProject(folder) + path.sep);

const RESULTS = inProject('build/clang-tidy.json');

// What GCC knows and Clang does not.
const GCC_ONLY = / -fno-gnu-unique(?= )/g;

/**
 * Runs clang-tidy over what has changed since it was last found good, each
 * file with all that it includes.
 *
 * @param {Setup} setup with which native-debug and wasm-release are configured
 * @param {(detail: string) => void} [report]
 * @returns {Promise<string | null>} what clang-tidy finds
 */
export async function checkCpp(setup, report = () => {}) {
  const good = readResults();
  /** @type {Record<string, string>} */
  const results = {};
  /** @type {string[]} */
  const findings = [];
  const units = unitsOf(['native-debug', 'wasm-release']);
  const wasmOptions = await wasmCompilerOptions(setup);
  let done = 0;
  await inParallel(units, async (unit) => {
    const key = keyOf(unit, setup);
    const found = good[unit.file] === key ? null : await clangTidy(unit, wasmOptions, setup);
    if (found === null) results[unit.file] = key;
    else findings.push(found);
    report(`${++done} of ${units.length} files`);
  });
  mkdirSync(path.dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, JSON.stringify(results));
  // A finding in a header comes once with each file that includes it.
  return findings.length > 0 ? withoutRepetition(findings) : null;
}

/**
 * @param {string[]} presets in the order of preference
 * @returns {Unit[]} each file once
 */
function unitsOf(presets) {
  /** @type {Map<string, Unit>} */
  const units = new Map();
  for (const preset of presets) {
    const database = path.join(presetFolder(preset), 'compile_commands.json');
    /** @type {{ file: string, command: string }[]} */
    const entries = JSON.parse(readFileSync(database, 'utf8').replace(GCC_ONLY, ''));
    mkdirSync(databaseFolder(preset), { recursive: true });
    writeFileSync(path.join(databaseFolder(preset), 'compile_commands.json'), JSON.stringify(entries));
    for (const { file, command } of entries) {
      const checked = CHECKED.some((folder) => file.startsWith(folder)) && !file.endsWith('.S') && existsSync(file);
      if (checked && !units.has(file)) units.set(file, { file, preset, command });
    }
  }
  return [...units.values()];
}

/**
 * @param {string} preset
 * @returns {string} of its commands as clang-tidy takes them
 */
function databaseFolder(preset) {
  return inProject('build/clang-tidy', preset);
}

/**
 * @param {Unit} unit
 * @param {string[]} wasmOptions
 * @param {Setup} setup
 * @returns {Promise<string | null>} what clang-tidy finds
 */
async function clangTidy({ file, preset }, wasmOptions, { clangTidy: program, env }) {
  if (!program) throw new Error('the set-up lacks `checks`');
  const options = preset.startsWith('wasm') ? wasmOptions : [];
  const args = ['-p', databaseFolder(preset), '--quiet', ...options, file];
  const { code, output } = await runCommand(program, args, { env });
  return code === 0 ? null : output.replace(/^(\d+ warnings?.* generated|Error while processing .*)\.\n/gm, '');
}

/**
 * What em++ adds to a command, without which the headers are not found.
 *
 * @param {Setup} setup
 */
async function wasmCompilerOptions({ env, emscripten }) {
  if (!emscripten) throw new Error('the set-up lacks `wasm`');
  const cache = (await run(path.join(emscripten.root, 'em-config'), ['CACHE'], { env })).trim();
  const options = [
    '--target=wasm32-unknown-emscripten',
    `--sysroot=${path.join(cache, 'sysroot')}`,
    '-iwithsysroot/include/compat',
  ];
  return options.map((option) => `--extra-arg=${option}`);
}

/**
 * @param {Unit} unit
 * @param {Setup} setup
 * @returns {string} changes when the result might
 */
function keyOf({ file, preset, command }, { clangTidy: program, emscripten }) {
  const folders = [inProject(), inProject('src'), path.join(presetFolder(preset), 'generated')];
  const hash = createHash('sha256').update(`${program} ${emscripten?.version} ${command}`);
  for (const source of [inProject('.clang-tidy'), ...includeClosure(file, folders)]) hash.update(readFileSync(source));
  return hash.digest('hex');
}

/** @returns {Record<string, string>} the key of each file that was last found good */
function readResults() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
}

/** @param {string[]} findings */
function withoutRepetition(findings) {
  const blocks = findings.flatMap((text) => text.split(/\n(?=.+:\d+:\d+: (?:error|warning):)/));
  return [...new Set(blocks.map((block) => block.trimEnd()))].join('\n');
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} work
 */
async function inParallel(items, work) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
}
