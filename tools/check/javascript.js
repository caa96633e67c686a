import process from 'node:process';

import { runCommand } from '../command.js';
import { inProject } from '../project.js';

/** @typedef {import('../setup/index.js').Setup} Setup */

/**
 * @param {Setup} setup
 * @returns {Promise<string | null>} what ESLint finds
 */
export function checkJavaScript(setup) {
  // Without ESLint's cache, which goes on reporting what has been mended (10.15, by content).
  return eslint([], setup);
}

/**
 * Repairs what ESLint can.
 *
 * @param {Setup} setup
 */
export function formatJavaScript(setup) {
  return eslint(['--fix'], setup);
}

/**
 * The types of everything, tests and tools included, against the declarations
 * in dist/, as a user's are.
 *
 * @param {Setup} setup that has been built
 * @returns {Promise<string | null>} what TypeScript finds
 */
export function checkTypes(setup) {
  return node('typescript/bin/tsc', ['--incremental', '--tsBuildInfoFile', inProject('build/tsc.json')], setup);
}

/**
 * @param {string[]} options
 * @param {Setup} setup
 */
function eslint(options, setup) {
  return node('eslint/bin/eslint.js', ['--max-warnings', '0', ...options, '.'], setup);
}

/**
 * @param {string} script below node_modules
 * @param {string[]} args
 * @param {Setup} setup
 */
async function node(script, args, { env }) {
  const { code, output } = await runCommand(process.execPath, [inProject('node_modules', script), ...args], { env });
  return code === 0 ? null : output || `${script} ended with ${code}`;
}
