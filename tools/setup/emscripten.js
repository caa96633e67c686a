import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { isDebian } from './apt.js';
import { debianCopy, emscriptenVersion } from './debian-copy.js';
import { SetupError } from './failure.js';
import { run, which, withPath } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */

/**
 * @typedef {object} Emscripten
 * @property {string} root the folder that holds emcc.py and cmake/
 * @property {string} version
 * @property {string} versionFile a file that changes whenever the compiler does
 */

const OLDEST_MAJOR = 6;

/**
 * Finds Emscripten 6.0 or newer, or makes a private copy of it.
 *
 * @param {Env} env
 * @returns {Promise<{ emscripten: Emscripten, env: Env }>} and the environment
 *   in which it is used
 */
export async function setupEmscripten(env) {
  const installed = await findInstalled(env);
  if (installed) return { emscripten: installed, env: withPath(env, [installed.root]) };
  if (!isDebian(env)) throw new SetupError(howToInstall());
  const copy = await debianCopy(env);
  return {
    emscripten: { root: copy.emscripten, version: copy.version, versionFile: copy.stamp },
    env: copyEnv(env, copy),
  };
}

/**
 * @param {Env} env
 * @returns {Promise<Emscripten | null>}
 */
async function findInstalled(env) {
  const roots = env.EMSDK ? [path.join(env.EMSDK, 'upstream/emscripten')] : [];
  const emcc = which('emcc', env);
  if (emcc) roots.push(await rootOf(emcc, env));
  for (const root of roots) {
    const version = versionOf(root);
    if (version && Number.parseInt(version, 10) >= OLDEST_MAJOR) {
      return { root, version, versionFile: versionFileOf(root) };
    }
  }
  return null;
}

/**
 * @param {string} emcc
 * @param {Env} env
 * @returns {Promise<string>}
 */
async function rootOf(emcc, env) {
  const folder = path.dirname(realpathSync(emcc));
  if (versionOf(folder)) return folder;
  // Some packagers put a wrapper on PATH; only Emscripten knows what is behind.
  const emConfig = which('em-config', env);
  if (!emConfig) return folder;
  return (await run(emConfig, ['EMSCRIPTEN_ROOT'], { env })).trim();
}

/**
 * Reads the version from a file, as starting emcc takes half a second.
 *
 * @param {string} root
 * @returns {string | null}
 */
function versionOf(root) {
  return existsSync(versionFileOf(root)) ? emscriptenVersion(root) : null;
}

/** @param {string} root */
function versionFileOf(root) {
  return path.join(root, 'emscripten-version.txt');
}

function howToInstall() {
  return [
    'Emscripten 6.0 or newer is needed, and none was found in $EMSDK or on PATH.',
    'Install it with emsdk (https://emscripten.org/docs/getting_started/downloads.html):',
    '  git clone https://github.com/emscripten-core/emsdk.git && cd emsdk',
    '  ./emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh',
    'then run this again in the same shell.',
  ].join('\n');
}

/**
 * @param {Env} env
 * @param {import('./debian-copy.js').DebianCopy} copy
 * @returns {Env}
 */
function copyEnv(env, copy) {
  return {
    ...withPath(env, [copy.bin]),
    EM_CONFIG: path.join(copy.folder, 'emscripten.config'),
    EM_CACHE: path.join(copy.folder, 'cache'),
    // Overrides the configuration, which must not change with each version
    // manager's Node.
    EM_NODE_JS: process.execPath,
  };
}
