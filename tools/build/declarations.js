import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { PROJECT, inProject } from '../project.js';
import { step } from '../setup/progress.js';
import { run } from '../setup/run.js';
import { filesBelow, writeIfChanged } from './files.js';

/** @typedef {NodeJS.ProcessEnv} Env */

const SOURCES = inProject('js');
// Not dist/ itself, where a file that is wanted no more could not be told from one of an earlier run.
const OUTPUT = inProject('build/declarations');
const STAMP = inProject('build/declarations.hash');

/**
 * Makes the .d.ts files of js/, if that has changed.
 *
 * @param {Env} env
 * @returns {Promise<string>} the folder they are in
 */
export async function emitDeclarations(env) {
  const hash = inputHash();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return OUTPUT;
  rmSync(STAMP, { force: true });
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await step('Checking types and writing declarations', async () => {
    const tsc = inProject('node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, '--project', 'tsconfig.declarations.json'], { cwd: PROJECT, env });
  });
  writeIfChanged(STAMP, hash);
  return OUTPUT;
}

function inputHash() {
  const hash = createHash('sha256');
  const settings = ['tsconfig.json', 'tsconfig.declarations.json', 'package-lock.json'].map((file) => inProject(file));
  for (const file of [...settings, ...filesBelow(SOURCES).map((name) => path.join(SOURCES, name))]) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}
