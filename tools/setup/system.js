import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { hasApt } from './apt.js';
import { findBrowser } from './browser.js';
import { debianPackage } from './debian-package.js';
import { SetupError } from './failure.js';
import { print, step } from './progress.js';
import { isRoot, run, which, withPath } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */
/** @typedef {import('./index.js').Need} Need */

/**
 * Something that must be on the machine.
 *
 * @typedef {object} Requirement
 * @property {string} name as it is called in messages
 * @property {Need[]} needs what it is for
 * @property {string} debian package
 * @property {string} brew package (or cask)
 * @property {(env: Env) => Promise<boolean>} present
 */

/** @type {Requirement[]} */
const REQUIREMENTS = [
  {
    name: 'CMake 3.25 or newer',
    needs: ['build', 'wasm'],
    debian: 'cmake',
    brew: 'cmake',
    present: (env) => hasVersion('cmake', 3, 25, env),
  },
  {
    name: 'a C++ compiler',
    needs: ['build'],
    debian: 'g++',
    brew: 'llvm',
    present: async (env) => [env.CXX, 'c++', 'g++', 'clang++'].some((name) => name && isProgram(name, env)),
  },
  {
    name: 'Python 3.10 or newer',
    needs: ['wasm'],
    debian: 'python3',
    brew: 'python3',
    present: (env) => hasVersion('python3', 3, 10, env),
  },
  {
    name: 'Ninja',
    needs: ['build', 'wasm'],
    debian: 'ninja-build',
    brew: 'ninja',
    present: async (env) => isProgram('ninja', env),
  },
  {
    name: 'Git',
    needs: ['build'],
    debian: 'git',
    brew: 'git',
    present: async (env) => isProgram('git', env),
  },
  {
    name: 'Clang',
    needs: ['fuzz'],
    debian: 'clang',
    brew: 'llvm',
    present: async (env) => isProgram('clang++', env),
  },
  {
    name: 'libFuzzer and the sanitizers of Clang',
    needs: ['fuzz'],
    debian: 'libclang-rt-dev',
    brew: 'llvm',
    present: hasFuzzer,
  },
  {
    name: 'Chromium or Chrome',
    needs: ['browser'],
    debian: 'chromium',
    brew: 'chromium',
    present: async (env) => findBrowser(env) !== null,
  },
];

/**
 * Makes sure that the machine has the programs that the project does not
 * bring itself. As root on Debian it installs them; else it names all that
 * is missing, with the command that installs it.
 *
 * @param {readonly Need[]} needs
 * @param {Env} env
 * @returns {Promise<Env>} with what had to be put outside the system on PATH
 */
export async function setupSystem(needs, env) {
  const wanted = REQUIREMENTS.filter((one) => one.needs.some((need) => needs.includes(need)));
  let missing = await missingOf(wanted, env);
  if (missing.length > 0 && hasApt(env)) {
    env = isRoot() ? await install(missing, env) : await fetchNinja(missing, env);
    missing = await missingOf(missing, env);
  }
  if (missing.length > 0) throw new SetupError(missingMessage(missing, env));
  return env;
}

/**
 * @param {Requirement[]} requirements
 * @param {Env} env
 * @returns {Promise<Requirement[]>}
 */
async function missingOf(requirements, env) {
  const present = await Promise.all(requirements.map((one) => one.present(env)));
  return requirements.filter((_, index) => !present[index]);
}

/**
 * @param {Requirement[]} missing
 * @param {Env} env
 * @returns {Promise<Env>}
 */
async function install(missing, env) {
  const packages = missing.map((one) => one.debian);
  const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } };
  const advice = `To try it by hand: ${aptCommand(missing)}`;
  print(`Missing: ${missing.map((one) => one.name).join(', ')}. Installing with apt-get.`);
  await step(`Installing ${packages.join(', ')}`, async () => {
    // Containers come without package lists, and stale ones name packages
    // that the mirror no longer has.
    await run('apt-get', ['update'], { ...quiet, advice });
    const options = ['install', '--yes', '--no-install-recommends', ...packages];
    await run('apt-get', options, { ...quiet, advice });
  });
  return env;
}

/**
 * Ninja is one file without dependencies, so it can be had without root.
 *
 * @param {Requirement[]} missing
 * @param {Env} env
 * @returns {Promise<Env>}
 */
async function fetchNinja(missing, env) {
  const ninja = missing.find((one) => one.debian === 'ninja-build');
  // There is no use in fetching it when the user must call root anyway.
  if (!ninja || missing.length > 1) return env;
  return withPath(env, [path.join(await debianPackage(ninja.debian, env), 'usr/bin')]);
}

/**
 * @param {Requirement[]} missing
 * @param {Env} env
 */
function missingMessage(missing, env) {
  const names = missing.map((one) => `  - ${one.name}`);
  return ['Missing on this machine:', ...names, ...howToInstall(missing, env)].join('\n');
}

/**
 * @param {Requirement[]} missing
 * @param {Env} env
 * @returns {string[]}
 */
function howToInstall(missing, env) {
  if (hasApt(env)) return ['Install with:', `  ${isRoot() ? '' : 'sudo '}${aptCommand(missing)}`];
  if (process.platform === 'darwin') {
    return ['Install with:', `  brew install ${missing.map((one) => one.brew).join(' ')}`];
  }
  const packages = missing.map((one) => one.debian).join(', ');
  return [`Install them with your package manager (Debian calls them ${packages}).`];
}

/** @param {Requirement[]} missing */
function aptCommand(missing) {
  return `apt-get install ${missing.map((one) => one.debian).join(' ')}`;
}

/**
 * @param {string} nameOrPath
 * @param {Env} env
 */
function isProgram(nameOrPath, env) {
  // $CXX may carry flags after the program.
  const program = nameOrPath.split(' ')[0] ?? '';
  return path.isAbsolute(program) ? existsSync(program) : which(program, env) !== null;
}

/**
 * @param {string} program
 * @param {number} major
 * @param {number} minor
 * @param {Env} env
 * @returns {Promise<boolean>} whether it is there and new enough
 */
async function hasVersion(program, major, minor, env) {
  const file = which(program, env);
  if (!file) return false;
  const [, foundMajor, foundMinor] = /(\d+)\.(\d+)/.exec(await versionText(file, env)) ?? [];
  return Number(foundMajor) > major || (Number(foundMajor) === major && Number(foundMinor) >= minor);
}

/**
 * @param {string} file
 * @param {Env} env
 * @returns {Promise<string>}
 */
async function versionText(file, env) {
  try {
    return await run(file, ['--version'], { env });
  } catch (error) {
    // A program that does not even start counts as missing.
    if (error instanceof SetupError) return '';
    throw error;
  }
}

/**
 * @param {Env} env
 * @returns {Promise<boolean>} whether Clang has the library that -fsanitize=fuzzer links
 */
async function hasFuzzer(env) {
  const clang = which('clang++', env);
  if (!clang) return false;
  const folder = (await run(clang, ['-print-resource-dir'], { env })).trim();
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((file) => /libclang_rt\.fuzzer[-_\w]*\.a$/.test(String(file)));
}
