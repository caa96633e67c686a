import { existsSync } from 'node:fs';

import { inProject } from '../project.js';
import { run } from '../setup/run.js';

/**
 * The files of the project: those that Git has, and new ones that it does not
 * ignore.
 *
 * @param {RegExp} pattern that their names match
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string[]>} absolute paths
 */
export async function sourceFiles(pattern, env) {
  // NUL between names: Git would quote those with other letters than ASCII.
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = (await run('git', args, { cwd: inProject(), env })).split('\0');
  return [...new Set(names)]
    .filter((name) => pattern.test(name))
    .map((name) => inProject(name))
    // Git still has what was deleted and not committed.
    .filter((file) => existsSync(file));
}
