#!/usr/bin/env node
import process from 'node:process';

import { BUILD_NEEDS, build } from './build.js';
import { formatCpp, checkCppFormat } from './check/clang-format.js';
import { checkCpp } from './check/clang-tidy.js';
import { checkJavaScript, checkTypes, formatJavaScript } from './check/javascript.js';
import { configureTests } from './test/cpp.js';
import { runAsScript } from './script.js';
import { describeFailure, setup } from './setup/index.js';
import { print, step } from './setup/progress.js';

/** @typedef {import('./setup/index.js').Setup} Setup */
/** @typedef {import('./setup/index.js').Need} Need */

/**
 * @typedef {object} Check
 * @property {string} title
 * @property {(environment: Setup, report: (detail: string) => void) => Promise<string | null>} run
 *   gives what is wrong, or null
 */

/** @type {readonly Need[]} What the checks need. */
export const CHECK_NEEDS = [...BUILD_NEEDS, 'gtest', 'checks'];

/** @type {readonly Check[]} Need a finished `build`. */
export const CHECKS = [
  { title: 'Format of C and C++', run: checkCppFormat },
  {
    title: 'clang-tidy',
    run: async (environment, report) => {
      await configureTests('native-debug', environment);
      return checkCpp(environment, report);
    },
  },
  { title: 'ESLint', run: checkJavaScript },
  { title: 'Types', run: checkTypes },
];

/**
 * @param {Check} check
 * @param {Setup} environment
 * @returns {Promise<boolean>} whether all is well; if not, it has been printed
 */
export async function runCheck(check, environment) {
  const found = await step(check.title, async (report) => {
    try {
      return await check.run(environment, report);
    } catch (error) {
      return describeFailure(error);
    }
  });
  if (found === null) return true;
  print(found.trimEnd());
  print(`FAILED: ${check.title}. \`npm run format\` repairs what a tool can repair.`);
  return false;
}

/** @param {string[]} args */
async function main(args) {
  const environment = await setup(CHECK_NEEDS);
  if (args.includes('--fix')) {
    await formatCpp(environment);
    await formatJavaScript(environment);
    return;
  }
  await build(environment);
  for (const check of CHECKS) {
    if (!(await runCheck(check, environment))) process.exitCode = 1;
  }
}

await runAsScript(import.meta.url, main);
