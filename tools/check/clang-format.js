import { runCommand } from '../command.js';
import { sourceFiles } from './sources.js';

/** @typedef {import('../setup/index.js').Setup} Setup */

const SOURCES = /\.(h|hpp|c|cpp|inc)$/;

/**
 * @param {Setup} setup
 * @returns {Promise<string | null>} what is not as clang-format would have it
 */
export async function checkCppFormat(setup) {
  const output = await clangFormat(['--dry-run', '--Werror'], setup);
  if (output === null) return null;
  // Which file says enough: nobody repairs it by hand.
  const files = new Set([...output.matchAll(/^(.+?):\d+:\d+: /gm)].map((match) => match[1]));
  return files.size > 0 ? [...files].map((file) => `not formatted: ${file}`).join('\n') : output;
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
