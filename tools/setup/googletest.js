import { existsSync } from 'node:fs';
import path from 'node:path';

import { hasApt } from './apt.js';
import { debianPackage } from './debian-package.js';
import { SetupError } from './failure.js';

/**
 * GoogleTest's source folder. The native tests and those in wasm compile it
 * themselves, each with its own flags.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>}
 */
export async function setupGoogleTest(env) {
  const given = env.GTEST_SOURCE;
  if (given && existsSync(path.join(given, 'CMakeLists.txt'))) return given;
  if (hasApt(env)) return path.join(await debianPackage('googletest', env), 'usr/src/googletest');
  throw new SetupError([
    'The source of GoogleTest is needed, and there is no apt-get to fetch it with.',
    'Fetch it and say where it is:',
    '  git clone --branch v1.17.0 --depth 1 https://github.com/google/googletest.git',
    '  export GTEST_SOURCE="$PWD/googletest"',
  ].join('\n'));
}
