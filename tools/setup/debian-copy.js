import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { showPackages, suiteApt, unpackPackages } from './apt.js';
import { buildFolder, cacheFolder, stampFile } from './cache.js';
import { debianPackage } from './debian-package.js';
import { makeSelfContained } from './elf.js';
import { SetupError } from './failure.js';
import { step } from './progress.js';
import { run } from './run.js';

/** @typedef {import('./apt.js').Apt} Apt */
/** @typedef {import('./apt.js').Package} Package */

// Debian's release after the one that is stable now (its codename stays
// valid once it is released), the first whose Emscripten is 6.0 or newer.
const SUITE = 'forky';

// Raise it when a change below makes another copy out of the same packages.
const RECIPE = 1;

// Programs that work without their own dependencies: the compilers would pull
// in another compiler's headers, the LLVM tools a network library.
const FOLLOW_NO_FURTHER = /^(clang|llvm)-\d+$/;

/**
 * @typedef {object} DebianCopy
 * @property {string} folder
 * @property {string} emscripten folder of emcc
 * @property {string} version Emscripten's
 * @property {string} stamp file that lists the packages it is made of
 * @property {string} bin folder for PATH: Emscripten's tools, clang-format,
 *   clang-tidy and ccache, and nothing that hides the machine's compilers
 */

/**
 * A private copy of Emscripten, LLVM and Binaryen, put together from packages
 * of Debian's next release in the cache folder. Nothing of the machine's own
 * system is replaced, and no root is needed.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<DebianCopy>}
 */
export async function debianCopy(env) {
  const target = path.join(cacheFolder(env), `toolchain-${SUITE}-${RECIPE}`);
  const info = await buildFolder(target, {
    build: async (folder) => {
      const patchelf = path.join(await debianPackage('patchelf', env), 'usr/bin/patchelf');
      return step('Fetching Emscripten and LLVM (once)', (report) =>
        assemble({ env, folder, target, patchelf, report }));
    },
    verify: (folder) => verify(env, folder),
  });
  return {
    folder: target,
    emscripten: path.join(target, 'usr/share/emscripten'),
    version: String(info.version),
    stamp: stampFile(target),
    bin: path.join(target, 'bin'),
  };
}

/**
 * @param {object} job
 * @param {NodeJS.ProcessEnv} job.env
 * @param {string} job.folder where to build
 * @param {string} job.target what the folder will be called later
 * @param {string} job.patchelf
 * @param {(detail: string) => void} job.report
 */
async function assemble({ env, folder, target, patchelf, report }) {
  const workFolder = `${folder}-work`;
  try {
    report('reading package lists');
    const apt = await suiteApt(env, SUITE, workFolder);
    const packages = await choosePackages(apt);
    await unpackPackages(apt, packages, folder, report);
    report('adapting programs');
    await makeSelfContained(folder, target, patchelf, env);
    const llvm = llvmFolder(folder);
    // emcc finds acorn in a parent's node_modules only: NODE_PATH does not
    // help ES modules.
    symlinkSync('nodejs', path.join(folder, 'usr/share/node_modules'));
    quoteScriptPaths(path.join(folder, 'usr/share/emscripten'));
    linkTools(folder, llvm);
    writeConfig(folder, target, llvm);
    return {
      version: emscriptenVersion(path.join(folder, 'usr/share/emscripten')),
      packages: Object.fromEntries(packages.map((one) => [one.name, one.version])),
    };
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
    rmSync(`${folder}-archives`, { recursive: true, force: true });
  }
}

/**
 * Emscripten, the programs it depends on, clang-format and clang-tidy of the
 * same LLVM, and the shared libraries all of these load.
 *
 * @param {Apt} apt
 * @returns {Promise<Package[]>}
 */
async function choosePackages(apt) {
  const [emscripten] = await showPackages(apt, ['emscripten']);
  const llvm = emscripten?.depends.map((name) => /^clang-(\d+)$/.exec(name)?.[1]).find(Boolean);
  if (!emscripten || !llvm) throw new SetupError(`Debian ${SUITE} has no emscripten package.`);
  const programs = emscripten.depends.filter((name) => !/^(nodejs|python3)/.test(name));
  const more = ['clang-format', 'clang-tidy'].map((name) => `${name}-${llvm}`);
  const roots = await showPackages(apt, [...programs, ...more, `libclang-common-${llvm}-dev`]);
  return [emscripten, ...await withLibraries(apt, roots)];
}

/**
 * @param {Apt} apt
 * @param {Package[]} roots
 * @returns {Promise<Package[]>} the roots and all libraries below them
 */
async function withLibraries(apt, roots) {
  const chosen = new Map(roots.map((one) => [one.name, one]));
  const seen = new Set(chosen.keys());
  let level = roots;
  while (level.length > 0) {
    const names = level.filter((one) => !FOLLOW_NO_FURTHER.test(one.name))
      .flatMap((one) => one.depends).filter((name) => !seen.has(name));
    names.forEach((name) => seen.add(name));
    level = (await showPackages(apt, [...new Set(names)])).filter(isLibrary);
    level.forEach((one) => chosen.set(one.name, one));
  }
  return [...chosen.values()];
}

/** @param {Package} one */
function isLibrary(one) {
  return one.section === 'libs' || (one.section === 'javascript' && one.name !== 'nodejs');
}

/** @param {string} folder */
function llvmFolder(folder) {
  const name = readdirSync(path.join(folder, 'usr/lib')).find((one) => /^llvm-\d+$/.test(one));
  if (!name) throw new SetupError('The Emscripten packages came without an LLVM.');
  return path.join('usr/lib', name);
}

/**
 * Emscripten's start scripts forget the quotes around their own path, so they
 * would not start in a home folder with a space in its name.
 *
 * @param {string} emscripten folder
 */
function quoteScriptPaths(emscripten) {
  for (const file of toolNames(emscripten).map((name) => path.join(emscripten, name))) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('$(readlink -f $0)', '$(readlink -f "$0")'));
  }
}

/**
 * @param {string} emscripten folder
 * @returns {string[]} emcc, em++, emar and so on
 */
function toolNames(emscripten) {
  return readdirSync(emscripten).filter((name) => /^em[+\w-]*$/.test(name));
}

/**
 * @param {string} folder
 * @param {string} llvm
 */
function linkTools(folder, llvm) {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  for (const name of toolNames(path.join(folder, 'usr/share/emscripten'))) {
    symlinkSync(`../usr/share/emscripten/${name}`, path.join(bin, name));
  }
  for (const name of ['clang-format', 'clang-tidy']) {
    symlinkSync(`../${llvm}/bin/${name}`, path.join(bin, name));
  }
  symlinkSync('../usr/bin/ccache', path.join(bin, 'ccache'));
}

/**
 * The configuration is Python; a JSON string is a valid Python string.
 *
 * @param {string} folder
 * @param {string} target
 * @param {string} llvm
 */
function writeConfig(folder, target, llvm) {
  const settings = {
    LLVM_ROOT: path.join(target, llvm, 'bin'),
    BINARYEN_ROOT: path.join(target, 'usr'),
    NODE_JS: 'node',
  };
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  writeFileSync(path.join(folder, 'emscripten.config'), lines.join(''));
}

/** @param {string} emscripten */
export function emscriptenVersion(emscripten) {
  // The file holds the version in quotes, at least in some releases.
  return readFileSync(path.join(emscripten, 'emscripten-version.txt'), 'utf8').replace(/["\s]/g, '');
}

/**
 * Starts each program once: a library that is missing shows here, not in the
 * middle of somebody's build.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 */
async function verify(env, folder) {
  const llvm = llvmFolder(folder);
  const programs = ['clang', 'wasm-ld', 'llvm-ar', 'llvm-nm', 'llvm-objcopy', 'clang-format', 'clang-tidy']
    .map((name) => path.join(folder, llvm, 'bin', name));
  programs.push(path.join(folder, 'usr/bin/wasm-opt'), path.join(folder, 'bin/ccache'));
  const advice = 'Report this to the project: the packages of Debian\'s next release have changed.\n'
    + 'Until then install Emscripten 6 with emsdk and put its emcc on PATH.';
  for (const program of programs) await run(program, ['--version'], { env, advice });
}
