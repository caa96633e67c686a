#!/usr/bin/env node
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { findBrowser } from './browser.js';
import { cacheFolder } from './cache.js';
import { setupClangTools } from './clang-tools.js';
import { setupEmscripten } from './emscripten.js';
import { withCompilerCache } from './compiler-cache.js';
import { SetupError, describeFailure } from './failure.js';
import { setupGoogleTest } from './googletest.js';
import { prebuildSystemLibraries } from './libraries.js';
import { setupNpm } from './npm.js';
import { print } from './progress.js';
import { setupSystem } from './system.js';

export { SetupError, describeFailure };

/**
 * What a task may need of the machine:
 * - `npm`: the packages of package-lock.json
 * - `build`: CMake, Ninja, Git and a C++ compiler
 * - `wasm`: Emscripten with its system libraries
 * - `gtest`: GoogleTest's source
 * - `browser`: Chromium or Chrome
 * - `checks`: clang-format and clang-tidy
 * - `fuzz`: Clang with libFuzzer
 *
 * @typedef {'npm' | 'build' | 'wasm' | 'gtest' | 'browser' | 'checks' | 'fuzz'} Need
 */

/** @type {readonly Need[]} */
export const ALL_NEEDS = ['npm', 'build', 'wasm', 'gtest', 'browser', 'checks', 'fuzz'];

/**
 * @typedef {object} Setup
 * @property {NodeJS.ProcessEnv} env in which to start build commands
 * @property {import('./emscripten.js').Emscripten | null} emscripten
 * @property {string | null} gtestSource folder
 * @property {string | null} chromium program
 * @property {string | null} clangFormat program
 * @property {string | null} clangTidy program
 */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Gets a machine ready for the tasks named. Quick and silent, and without
 * the network, when it is ready already. What was not asked for is null.
 *
 * @param {readonly Need[]} needs
 * @returns {Promise<Setup>}
 * @throws {SetupError} with what the user has to do
 */
export async function setup(needs) {
  let env = await setupSystem(needs, { ...process.env });
  let emscripten = null;
  if (needs.includes('wasm')) {
    ({ emscripten, env } = await setupEmscripten(env));
    await prebuildSystemLibraries(env, emscripten);
  }
  const clangTools = needs.includes('checks') ? await setupClangTools(env) : null;
  const gtestSource = needs.includes('gtest') ? await setupGoogleTest(env) : null;
  if (needs.includes('npm')) await setupNpm(PROJECT, env);
  return {
    env: withCompilerCache(env, emscripten?.versionFile ?? null),
    emscripten,
    gtestSource,
    chromium: needs.includes('browser') ? findBrowser(env) : null,
    clangFormat: clangTools?.clangFormat ?? null,
    clangTidy: clangTools?.clangTidy ?? null,
  };
}

/**
 * @param {string[]} args
 * @returns {Need[]}
 */
function parseNeeds(args) {
  const needs = ALL_NEEDS.filter((need) => args.includes(need));
  const unknown = args.filter((arg) => !needs.some((need) => need === arg));
  if (unknown.length > 0) {
    throw new SetupError(`Unknown need: ${unknown.join(', ')}. There are: ${ALL_NEEDS.join(', ')}.`);
  }
  return needs.length > 0 ? needs : [...ALL_NEEDS];
}

/** @param {Setup} result */
function printResult(result) {
  const { emscripten } = result;
  const rows = [
    ['Emscripten', emscripten && `${emscripten.version} in ${emscripten.root}`],
    ['GoogleTest', result.gtestSource],
    ['Browser', result.chromium],
    ['clang-format', result.clangFormat],
    ['clang-tidy', result.clangTidy],
    ['Cache', cacheFolder(result.env)],
  ];
  for (const [name, value] of rows) {
    if (value) print(`${String(name).padEnd(14)}${value}`);
  }
}

/** @param {string[]} args */
async function main(args) {
  try {
    printResult(await setup(parseNeeds(args)));
  } catch (error) {
    print(describeFailure(error));
    process.exitCode = 1;
  }
}

const script = process.argv[1];
if (script && existsSync(script) && realpathSync(path.resolve(script)) === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2));
}
