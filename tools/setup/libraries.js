import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { cacheFolder, writeAtomically } from './cache.js';
import { step } from './progress.js';
import { run } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */

// emcc builds a system library when a link first asks for it, which would
// look as if the build hung. Small programs linked like ours make it build
// just the variants needed, whatever their names are in that release.

const CORE_SOURCE = `
#include <stdexcept>
#include <string>
extern "C" int size(const char* text) {
  const std::string name(text);
  if (name.empty()) throw std::runtime_error("no name");
  return static_cast<int>(name.size());
}
`;

const PLUGIN_SOURCE = `
#include <math.h>
#ifdef __cplusplus
extern "C"
#endif
float create_plugin(float x);
float create_plugin(float x) { return tanhf(x); }
`;

const CORE_FLAGS = [
  '-O3', '-flto', '-std=c++20', '-fwasm-exceptions',
  '-sMALLOC=emmalloc', '-sALLOW_MEMORY_GROWTH=1', '-sEXPORTED_FUNCTIONS=_size',
];

const PLUGIN_FLAGS = [
  '-O3', '-flto', '-fPIC', '-fvisibility=hidden',
  '-sSIDE_MODULE=2', '-sEXPORTED_FUNCTIONS=_create_plugin',
];

const C_LIBRARIES = ['-lc', '-lclang_rt.builtins'];

/** @type {{ name: string, compiler: 'emcc' | 'em++', source: string, flags: string[] }[]} */
const PROBES = [
  { name: 'core', compiler: 'em++', source: CORE_SOURCE, flags: CORE_FLAGS },
  {
    name: 'inspector',
    compiler: 'em++',
    source: CORE_SOURCE,
    flags: [...CORE_FLAGS, '-sSTANDALONE_WASM', '--no-entry'],
  },
  {
    name: 'plugin-c',
    compiler: 'emcc',
    source: PLUGIN_SOURCE,
    flags: [...PLUGIN_FLAGS, ...C_LIBRARIES],
  },
  {
    name: 'plugin-cpp',
    compiler: 'em++',
    source: PLUGIN_SOURCE,
    flags: [...PLUGIN_FLAGS, '-fno-exceptions', '-fno-rtti', '-lc++', '-lc++abi', ...C_LIBRARIES],
  },
  {
    name: 'plugin-cpp-exceptions',
    compiler: 'em++',
    source: PLUGIN_SOURCE,
    flags: [...PLUGIN_FLAGS, '-fwasm-exceptions', '-lc++', '-lc++abi', '-lunwind', ...C_LIBRARIES],
  },
];

/**
 * Builds the variants of Emscripten's system libraries that the core and
 * plugins link, unless that has been done.
 *
 * @param {Env} env
 * @param {import('./emscripten.js').Emscripten} emscripten
 */
export async function prebuildSystemLibraries(env, emscripten) {
  const stamp = stampFile(env, emscripten);
  if (existsSync(stamp)) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-libraries-'));
  try {
    await step('Building Emscripten\'s system libraries (once)', (report) =>
      linkProbes(env, folder, report));
    writeAtomically(stamp, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {Env} env
 * @param {string} folder
 * @param {(detail: string) => void} report
 */
async function linkProbes(env, folder, report) {
  let built = 0;
  const onLine = (/** @type {string} */ line) => {
    const name = /generating system library: \S*?([^/]+)\.a\.\.\./.exec(line)?.[1];
    if (!name) return;
    built += 1;
    report(`${built} of about 21: ${name}`);
  };
  for (const probe of PROBES) {
    const source = path.join(folder, `${probe.name}.${probe.compiler === 'emcc' ? 'c' : 'cpp'}`);
    const output = path.join(folder, `${probe.name}.${probe.name === 'core' ? 'mjs' : 'wasm'}`);
    writeFileSync(source, probe.source);
    await run(probe.compiler, [source, ...probe.flags, '-o', output], { env, onLine });
  }
}

/**
 * The stamp lies in the cache of libraries, so that clearing one clears the
 * other; an installation that keeps its cache elsewhere is told apart by name.
 *
 * @param {Env} env
 * @param {import('./emscripten.js').Emscripten} emscripten
 * @returns {string}
 */
function stampFile(env, emscripten) {
  const facts = [emscripten.root, emscripten.version, PROBES, env.EM_CACHE ?? ''];
  const hash = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  return path.join(env.EM_CACHE ?? cacheFolder(env), `minitensor-libraries-${hash}`);
}
