import path from 'node:path';

import { which } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */

/**
 * Makes CMake compile through ccache where there is one. What the user has
 * set, even to nothing, stays.
 *
 * @param {Env} env
 * @param {string | null} emscriptenVersionFile changes whenever the compiler
 *   behind emcc does
 * @returns {Env}
 */
export function withCompilerCache(env, emscriptenVersionFile) {
  const ccache = which('ccache', env);
  if (!ccache) return env;
  return {
    // CMake reads these when it configures a folder for the first time.
    CMAKE_C_COMPILER_LAUNCHER: ccache,
    CMAKE_CXX_COMPILER_LAUNCHER: ccache,
    ...env,
    ...(emscriptenVersionFile ? { CCACHE_EXTRAFILES: extraFiles(env, emscriptenVersionFile) } : {}),
  };
}

/**
 * emcc is a small script that stays the same when the compiler behind it
 * changes, so ccache must look at something that does not.
 *
 * @param {Env} env
 * @param {string} versionFile
 */
function extraFiles(env, versionFile) {
  const given = (env.CCACHE_EXTRAFILES ?? '').split(path.delimiter).filter(Boolean);
  return [...new Set([...given, versionFile])].join(path.delimiter);
}
