#!/usr/bin/env node
import process from 'node:process';
import { parseArgs } from 'node:util';

import { build } from './build.js';
import { CHECKS, runCheck } from './check.js';
import { runAsScript } from './script.js';
import { ALL_NEEDS, SetupError, describeFailure, setup } from './setup/index.js';
import { print } from './setup/progress.js';
import { buildTests, runCppTests } from './test/cpp.js';
import { runFuzz } from './test/fuzz.js';
import { runJest } from './test/jest.js';
import { describe, noTests, sum } from './test/result.js';

/** @typedef {import('./setup/index.js').Setup} Setup */
/** @typedef {import('./test/result.js').TestResult} TestResult */

/**
 * @typedef {object} Part
 * @property {string} title
 * @property {readonly string[]} groups what `--only` knows it by
 * @property {(environment: Setup) => Promise<TestResult>} run
 */

/** @type {readonly Part[]} */
const PARTS = [
  cpp('native-debug', 'native', 'C++ tests, native, under AddressSanitizer and UndefinedBehaviorSanitizer'),
  cpp('native-debug-static', 'native', 'C++ tests, native, sanitized, without dynamic loading'),
  cpp('native-release', 'native', 'C++ tests, native, optimised'),
  cpp('wasm-debug', 'wasm', 'C++ tests in WebAssembly'),
  cpp('wasm-debug-static', 'wasm', 'C++ tests in WebAssembly, without dynamic loading'),
  {
    title: 'The readers of plugin files, fuzzed for a short while',
    groups: ['native', 'fuzz'],
    run: (environment) => runFuzz(environment, ['-seed=1', '-runs=50000']),
  },
  {
    title: 'The npm package is built',
    groups: ['checks', 'js', 'cli', 'browser', 'package'],
    run: async (environment) => {
      await build(environment);
      return noTests();
    },
  },
  ...CHECKS.map((check) => ({
    title: check.title,
    groups: ['checks'],
    run: async (/** @type {Setup} */ environment) => {
      const passed = await runCheck(check, environment);
      return { ...noTests(), ...(passed ? { passed: 1 } : { failed: 1 }) };
    },
  })),
  {
    title: 'The plugins that tests load are built',
    groups: ['js', 'cli', 'browser'],
    run: async (environment) => {
      await buildTests('wasm-debug', environment, ['tests/plugins/all']);
      return noTests();
    },
  },
  jest('js', false),
  jest('cli', false),
  jest('browser', true),
  jest('package', true),
];

const GROUPS = [...new Set(PARTS.flatMap((part) => part.groups))];

const HELP = `\
npm test                            everything
npm test -- --only=js               one group, or several: --only=js,checks
npm run jest -- <file> -t <name>    single tests, of what was last built

Groups: ${GROUPS.join(', ')}`;

/**
 * @param {string} preset
 * @param {string} group
 * @param {string} title
 * @returns {Part}
 */
function cpp(preset, group, title) {
  return { title, groups: ['cpp', group, preset], run: (environment) => runCppTests(preset, environment) };
}

/**
 * @param {string} project
 * @param {boolean} serial
 * @returns {Part}
 */
function jest(project, serial) {
  return {
    title: `JavaScript tests in tests/${project}`,
    groups: [project],
    run: (environment) => runJest(project, environment, { serial }),
  };
}

/**
 * @param {Part} part
 * @param {Setup} environment
 * @returns {Promise<TestResult>}
 */
async function runPart(part, environment) {
  print(`\n== ${part.title}`);
  const start = performance.now();
  const result = await part.run(environment).catch((error) => {
    // As a build that fails. The other parts may have something to say all the same.
    print(describeFailure(error));
    return { ...noTests(), failed: 1 };
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  print(`${describe(result)} (${seconds} s)`);
  return result;
}

/** @param {string | undefined} only */
function partsOf(only) {
  if (only === undefined) return PARTS;
  const groups = only.split(',');
  const unknown = groups.filter((group) => !GROUPS.includes(group));
  if (unknown.length > 0) throw new SetupError(`Unknown group: ${unknown.join(', ')}\n\n${HELP}`);
  return PARTS.filter((part) => part.groups.some((group) => groups.includes(group)));
}

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({ args, options: { only: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    print(HELP);
    return;
  }
  const total = await runParts(partsOf(values.only));
  print(`\n${describe(total)}`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

/**
 * @param {readonly Part[]} parts
 * @returns {Promise<TestResult>}
 */
async function runParts(parts) {
  /** @type {Setup} */
  let environment;
  try {
    environment = await setup(ALL_NEEDS);
  } catch (error) {
    print(describeFailure(error));
    return { ...noTests(), failed: 1 };
  }
  /** @type {TestResult[]} */
  const results = [];
  for (const part of parts) results.push(await runPart(part, environment));
  const failed = parts.filter((_, index) => results[index]?.failed);
  if (failed.length > 0) print(`\nFailed: ${failed.map((part) => part.title).join('; ')}`);
  return sum(results);
}

await runAsScript(import.meta.url, main);
