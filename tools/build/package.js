import { readFileSync } from 'node:fs';
import path from 'node:path';

import { generateOpTypes, generateOps } from '../generate-ops.js';
import { inProject } from '../project.js';
import { run } from '../setup/run.js';
import { bundle, minify } from './bundle.js';
import { emitDeclarations } from './declarations.js';
import { describeOps } from './describe-ops.js';
import { filesBelow, removeOthers, writeIfChanged } from './files.js';
import { presetFolder } from './preset.js';

/** @typedef {NodeJS.ProcessEnv} Env */

const DIST = inProject('dist');
const JS = inProject('js');
const CLI = inProject('cli');

/**
 * Puts dist/ together, which is what the npm package contains.
 *
 * @param {Env} env
 */
export async function assemblePackage(env) {
  await generateSources();
  const wanted = new Set([
    ...(await copyCore('wasm-release', 'core')),
    ...(await copyCore('wasm-release-static', 'core-static')),
    ...copyBelow(path.join(presetFolder('wasm-release'), 'plugins'), 'examples/plugins', /\.wasm$/),
    // Declarations that stand in js/ itself are those of compiled modules.
    ...copyBelow(JS, '', /\.d\.ts$/),
    ...(await bundle(JS, entries())).map(({ file, text }) => write(file, text)),
    ...copyBelow(CLI, 'cli', /./),
    ...(await installSdk(env)),
  ]);
  // Last, as a mistake in a type ends the build, and what is there by then can be run all the same.
  for (const file of copyBelow(await emitDeclarations(env), '', /\.d\.ts$/)) wanted.add(file);
  removeOthers(DIST, wanted);
}

/** The modules of js/ that package.json shows to others, and what workers begin with. */
function entries() {
  const { exports } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const modules = Object.values(exports).map((entry) => entry.default).filter(Boolean);
  return [...modules.map((file) => path.relative('dist', file)), 'isolated_worker.js'];
}

/** Writes js/generated/, the part of js/ that other sources determine. */
async function generateSources() {
  const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  writeIfChanged(
    path.join(JS, 'generated/version.js'),
    `// Made by tools/build from package.json.\n\nexport const VERSION = '${version}';\n`,
  );
  const ops = await describeOps(path.join(presetFolder('wasm-release'), 'core'));
  writeIfChanged(path.join(JS, 'generated/ops.js'), generateOps(ops));
  writeIfChanged(path.join(JS, 'generated/ops.d.ts'), generateOpTypes(ops));
}

/**
 * @param {string} preset
 * @param {string} target folder in dist/
 * @returns {Promise<string[]>} what was written, relative to dist/
 */
async function copyCore(preset, target) {
  const source = path.join(presetFolder(preset), 'core');
  const glue = await minify(readFileSync(path.join(source, 'minitensor.js'), 'utf8'));
  const programs = copy(source, target, ['minitensor.wasm', 'inspector.wasm']);
  return [write(path.join(target, 'minitensor.js'), glue), ...programs];
}

/**
 * @param {string} file relative to dist/
 * @param {string} text
 */
function write(file, text) {
  writeIfChanged(path.join(DIST, file), text);
  return file;
}

/**
 * @param {string} source folder
 * @param {string} target folder in dist/
 * @param {readonly string[]} files
 * @returns {string[]} the copies, relative to dist/
 */
function copy(source, target, files) {
  return files.map((file) => {
    const copied = path.join(target, file);
    writeIfChanged(path.join(DIST, copied), readFileSync(path.join(source, file)));
    return copied;
  });
}

/**
 * @param {string} source folder
 * @param {string} target folder in dist/
 * @param {RegExp} pattern
 */
function copyBelow(source, target, pattern) {
  return copy(source, target, filesBelow(source).filter((file) => pattern.test(file)));
}

/**
 * As a stranger would install it, so that what the package has is what CMake
 * says belongs to it.
 *
 * @param {Env} env
 * @returns {Promise<string[]>} its files, relative to dist/
 */
async function installSdk(env) {
  const folder = presetFolder('wasm-release');
  await run('cmake', ['--install', folder, '--component', 'sdk', '--prefix', path.join(DIST, 'sdk')], { env });
  const manifest = readFileSync(path.join(folder, 'install_manifest_sdk.txt'), 'utf8');
  return manifest.split('\n').filter(Boolean).map((file) => path.relative(DIST, file));
}
