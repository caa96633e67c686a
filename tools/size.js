#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { BUILD_NEEDS, build, buildCore } from './build.js';
import { filesBelow } from './build/files.js';
import { presetFolder } from './build/preset.js';
import { inProject } from './project.js';
import { runAsScript } from './script.js';
import { setup } from './setup/index.js';
import { print } from './setup/progress.js';
import { run } from './setup/run.js';
import { BUDGET, publishedFiles, publishedOnDemand, sizeOf } from './size/published.js';
import { opOf, roomOf, roomsOfSymbols } from './size/symbols.js';
import { readWasm } from './size/wasm.js';

/** @typedef {{ name: string, bytes: Uint8Array }} Piece */

const CORE = 'wasm-release';
const LARGEST = 15;

/** Says how large the package is, and what makes it so. */
async function main() {
  const environment = await setup(BUILD_NEEDS);
  await build(environment);
  await buildCore(CORE, environment, ['minitensor_symbols']);
  for (const entry of ['index.js', 'static.js']) printFiles(entry);
  await printCore(environment.env);
}

/** @param {string} entry of dist/ */
function printFiles(entry) {
  const files = publishedFiles(inProject('dist', entry));
  const total = files.reduce((sum, { gzip }) => sum + gzip, 0);
  print(`\nWhat a page loads for ${entry}, gzipped and raw:`);
  for (const { file, gzip, raw } of files) printRow(file, gzip, raw);
  printRow(`of ${BUDGET} that it may be`, total, files.reduce((sum, { raw }) => sum + raw, 0));
  print('Once it is needed:');
  for (const { file, gzip, raw } of publishedOnDemand(inProject('dist', entry))) printRow(file, gzip, raw);
}

/** @param {NodeJS.ProcessEnv} env */
async function printCore(env) {
  const folder = presetFolder(CORE);
  const bytes = new Uint8Array(readFileSync(path.join(folder, 'symbols/minitensor.wasm')));
  const { sections, functions, importedFunctions } = readWasm(bytes);
  print('\nThe sections of minitensor.wasm:');
  printPieces(sections);
  const names = namesByIndex(readFileSync(path.join(folder, 'symbols/minitensor.js.symbols'), 'utf8'));
  const code = functions.map((body, i) => ({ name: names.get(i + importedFunctions) ?? 'unnamed', bytes: body }));
  const rooms = roomsOfSymbols(await symbolsOfObjects(folder, env));
  print('\nThe code of each room and library:');
  printPieces(groupBy(code, ({ name }) => roomOf(name, rooms)));
  // Only now, since the build has made it.
  const { opNames } = await import('../js/generated/ops.js');
  const kernels = code.filter(({ name }) => ['ops', 'autograd'].includes(roomOf(name, rooms)));
  print('\nThe code that is of one op alone:');
  printPieces(groupBy(kernels, ({ name }) => opOf(name, opNames)));
  print('\nThe largest functions:');
  printPieces(code.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, LARGEST));
}

/** @param {string} map lines of a function's index and its name */
function namesByIndex(map) {
  return new Map([...map.matchAll(/^(\d+):(.*)$/gm)].map(([, index, name = '']) => [Number(index), name]));
}

/**
 * @param {string} folder of a build
 * @param {NodeJS.ProcessEnv} env
 */
async function symbolsOfObjects(folder, env) {
  const objects = filesBelow(folder).filter((file) => /minitensor_(core|wasm)\.dir\/.*\.o$/.test(file));
  const nm = path.join((await run('em-config', ['LLVM_ROOT'], { env })).trim(), 'llvm-nm');
  return run(nm, ['--print-file-name', '--defined-only', '--demangle', ...objects], { cwd: folder, env });
}

/**
 * @param {readonly Piece[]} pieces
 * @param {(piece: Piece) => string | undefined} groupOf
 * @returns {Piece[]}
 */
function groupBy(pieces, groupOf) {
  /** @type {Map<string, Uint8Array[]>} */
  const groups = new Map();
  for (const piece of pieces) {
    const group = groupOf(piece);
    if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), piece.bytes]);
  }
  return [...groups].map(([name, bytes]) => ({ name, bytes: Buffer.concat(bytes) }));
}

/** @param {readonly Piece[]} pieces the gzipped size of each is what it would be alone */
function printPieces(pieces) {
  const rows = pieces.map(({ name, bytes }) => ({ name, ...sizeOf(bytes) }));
  for (const { name, gzip, raw } of rows.sort((a, b) => b.raw - a.raw)) printRow(name, gzip, raw);
}

/**
 * @param {string} name
 * @param {number} gzip
 * @param {number} raw
 */
function printRow(name, gzip, raw) {
  print(`${String(gzip).padStart(8)} ${String(raw).padStart(8)}  ${name.slice(0, 100)}`);
}

await runAsScript(import.meta.url, main);
