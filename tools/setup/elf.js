import { closeSync, lstatSync, openSync, readSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { SetupError } from './failure.js';
import { run } from './run.js';

/**
 * Makes the programs of an unpacked system run on a machine with an older C
 * library: they get the copy's own loader and look for libraries in the copy.
 *
 * @param {string} folder where the copy is now
 * @param {string} target where it will be, which is what gets written into it
 * @param {string} patchelf
 * @param {NodeJS.ProcessEnv} env
 */
export async function makeSelfContained(folder, target, patchelf, env) {
  const { libraries, loader } = systemLibraries(folder);
  const rpath = ['--force-rpath', '--set-rpath', path.join(target, libraries)];
  const interpreter = ['--set-interpreter', path.join(target, libraries, loader)];
  for (const file of programs(folder)) {
    await run(patchelf, [...rpath, ...interpreter, file], { env });
  }
  // Libraries with a path of their own do not use that of the program.
  for (const file of librariesWithPath(path.join(folder, libraries))) {
    await run(patchelf, [...rpath, file], { env });
  }
}

/**
 * @param {string} folder
 * @returns {{ libraries: string, loader: string }} the folder of libc, such as
 *   usr/lib/x86_64-linux-gnu, and the name of the loader in it
 */
function systemLibraries(folder) {
  for (const name of readdirSync(path.join(folder, 'usr/lib'))) {
    if (!name.includes('-linux-gnu')) continue;
    const libraries = path.join('usr/lib', name);
    const loader = readdirSync(path.join(folder, libraries)).find((one) => /^ld-linux.*\.so/.test(one));
    if (loader) return { libraries, loader };
  }
  throw new SetupError('The Emscripten packages came without a C library.');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function programs(folder) {
  const llvm = readdirSync(path.join(folder, 'usr/lib')).filter((name) => name.startsWith('llvm-'));
  return [path.join(folder, 'usr/bin'), ...llvm.map((name) => path.join(folder, 'usr/lib', name, 'bin'))]
    .flatMap(elfFiles);
}

/** @param {string} folder */
function librariesWithPath(folder) {
  return elfFiles(folder).filter((file) => /^lib(LLVM|clang)/.test(path.basename(file)));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function elfFiles(folder) {
  return readdirSync(folder).map((name) => path.join(folder, name)).filter(isElf);
}

/** @param {string} file */
function isElf(file) {
  if (!lstatSync(file).isFile()) return false;
  const descriptor = openSync(file, 'r');
  try {
    const magic = Buffer.alloc(4);
    readSync(descriptor, magic, 0, 4, 0);
    return magic.toString('latin1') === '\x7fELF';
  } finally {
    closeSync(descriptor);
  }
}
