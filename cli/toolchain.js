import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { Failure } from './failure.js';

const OLDEST_EMSCRIPTEN = 6;
/** 3.25: a thousand times the major number, and the minor one. */
const OLDEST_CMAKE = 3025;

/**
 * What a build needs of the machine.
 * @typedef {object} Toolchain
 * @property {string} cmake
 * @property {string} generator of CMake
 * @property {string[]} configure the program that configures, with its first arguments
 */

/**
 * @param {boolean} native
 * @returns {Promise<Toolchain>}
 */
export async function findToolchain(native) {
  const cmake = findProgram('cmake');
  if (!cmake) throw new Failure('CMake 3.25 or newer is needed, and there is none on PATH', 'get it from cmake.org');
  await requireCMake(cmake);
  const generator = findProgram('ninja') ? 'Ninja' : findProgram('make') ? 'Unix Makefiles' : '';
  if (!generator) throw new Failure('Ninja or make is needed, and neither is on PATH', 'get Ninja: ninja-build.org');
  return { cmake, generator, configure: native ? [cmake] : [await findEmcmake(), cmake] };
}

/** @param {string} cmake */
async function requireCMake(cmake) {
  const output = await outputOf(cmake, ['--version']);
  const [version = 'of an unknown version', major, minor] = /(\d+)\.(\d+)\.\d+/.exec(output) ?? [];
  if (Number(major) * 1000 + Number(minor) >= OLDEST_CMAKE) return;
  throw new Failure(`CMake 3.25 or newer is needed; ${cmake} is ${version}`, 'get a newer one from cmake.org');
}

/** The emcmake of an Emscripten that is new enough: that of $EMSDK, or the one on PATH. */
async function findEmcmake() {
  const folders = process.env.EMSDK ? [path.join(process.env.EMSDK, 'upstream/emscripten')] : [];
  folders.push(...pathFolders());
  /** @type {string[]} */
  const tooOld = [];
  for (const folder of folders) {
    const emcc = path.join(folder, 'emcc');
    const emcmake = path.join(folder, 'emcmake');
    if (!isProgram(emcc) || !isProgram(emcmake)) continue;
    const version = /\d+\.\d+\.\d+/.exec(await outputOf(emcc, ['--version']))?.[0];
    if (version && Number.parseInt(version, 10) >= OLDEST_EMSCRIPTEN) return emcmake;
    tooOld.push(`${emcc} is ${version ?? 'of an unknown version'}`);
  }
  const found = tooOld.length > 0 ? tooOld.join(', ') : 'there is none in $EMSDK or on PATH';
  throw new Failure(`Emscripten 6.0 or newer is needed to build for WebAssembly; ${found}`, HOW_TO_INSTALL);
}

const HOW_TO_INSTALL = [
  'install it with emsdk (https://emscripten.org/docs/getting_started/downloads.html):',
  '  git clone https://github.com/emscripten-core/emsdk.git && cd emsdk',
  '  ./emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh',
  'then run this again in the same shell',
].join('\n');

/** @returns {string[]} */
function pathFolders() {
  return (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
}

/** @param {string} name */
function findProgram(name) {
  return pathFolders().map((folder) => path.join(folder, name)).find(isProgram);
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 */
async function outputOf(program, args) {
  try {
    return (await promisify(execFile)(program, args)).stdout;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : error;
    throw new Failure(`${program} does not run: ${reason}`);
  }
}
