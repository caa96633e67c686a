import { runCommand } from '../command.js';
import { sourceFiles } from './sources.js';

/** @typedef {import('../setup/index.js').Setup} Setup */

const SOURCES = /\.(h|hpp|c|cpp|inc)$/;

/**
 * @param {Setup} setup
 * @returns {Promise<string | null>} what is not as clang-format would have it
 */
export function checkCppFormat(setup) {
  return clangFormat(['--dry-run', '--Werror'], setup);
}

/**
 * Formats the C and C++ files.
 *
 * @param {Setup} setup
 */
export function formatCpp(setup) {
  return clangFormat(['-i'], setup);
}

/**
 * @param {string[]} options
 * @param {Setup} setup
 */
async function clangFormat(options, { clangFormat: program, env }) {
  if (!program) throw new Error('the set-up lacks `checks`');
  const files = await sourceFiles(SOURCES, env);
  const { code, output } = await runCommand(program, [...options, ...files], { env });
  return code === 0 ? null : output;
}
