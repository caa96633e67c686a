import path from 'node:path';

import { isDebian } from './apt.js';
import { debianCopy } from './debian-copy.js';
import { SetupError } from './failure.js';
import { run, which } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */

// Another version of clang-format formats differently.
const MAJOR = 21;

/**
 * clang-format and clang-tidy, of one version everywhere.
 *
 * @param {Env} env
 * @returns {Promise<{ clangFormat: string, clangTidy: string }>}
 */
export async function setupClangTools(env) {
  if (isDebian(env)) {
    const { bin } = await debianCopy(env);
    return { clangFormat: path.join(bin, 'clang-format'), clangTidy: path.join(bin, 'clang-tidy') };
  }
  const clangFormat = await find('clang-format', env);
  const clangTidy = await find('clang-tidy', env);
  if (!clangFormat || !clangTidy) throw new SetupError(howToInstall());
  return { clangFormat, clangTidy };
}

/**
 * @param {string} name
 * @param {Env} env
 * @returns {Promise<string | null>}
 */
async function find(name, env) {
  const versioned = which(`${name}-${MAJOR}`, env);
  if (versioned) return versioned;
  const plain = which(name, env);
  if (!plain) return null;
  const version = /version (\d+)/.exec(await run(plain, ['--version'], { env }))?.[1];
  return Number(version) === MAJOR ? plain : null;
}

function howToInstall() {
  return [
    `clang-format and clang-tidy of version ${MAJOR} are needed. Install them with:`,
    `  pip install 'clang-format==${MAJOR}.*' 'clang-tidy==${MAJOR}.*'`,
  ].join('\n');
}
