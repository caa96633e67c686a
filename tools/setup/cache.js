import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { errorCode } from './failure.js';
import { withLock } from './lock.js';

/**
 * Where everything fetched for this project is kept, outside of the checkout
 * so that all checkouts share it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export function cacheFolder(env) {
  const configured = env.XDG_CACHE_HOME;
  // The XDG specification says to ignore a relative path.
  const base = configured && path.isAbsolute(configured)
    ? configured
    : path.join(env.HOME || os.homedir(), '.cache');
  return path.join(base, 'minitensor');
}

/**
 * The file that says a folder is whole, and what went into it.
 *
 * @param {string} folder
 */
export function stampFile(folder) {
  return path.join(folder, '.complete.json');
}

/**
 * @typedef {Record<string, unknown>} Info
 *
 * @typedef {object} Recipe
 * @property {(folder: string) => Promise<Info>} build fills an empty folder,
 *   which is then renamed to its final name
 * @property {(folder: string) => Promise<void>} [verify] throws unless the
 *   folder works under its final name
 */

/**
 * Builds a folder of the cache if it is not there. Whoever is killed on the
 * way leaves no folder that looks whole, because the stamp is written last;
 * whoever comes second waits, or discards its own copy.
 *
 * @param {string} target the folder's final name
 * @param {Recipe} recipe
 * @returns {Promise<Info>} what `build` returned, now or back then
 */
export async function buildFolder(target, recipe) {
  const present = readStamp(target);
  if (present) return present;
  return withLock(`${target}.lock`, async () => {
    const builtMeanwhile = readStamp(target);
    return builtMeanwhile ?? buildLocked(target, recipe);
  });
}

/**
 * @param {string} target
 * @param {Recipe} recipe
 * @returns {Promise<Info>}
 */
async function buildLocked(target, recipe) {
  removeLeftovers(target);
  const temporary = `${target}.new-${process.pid}`;
  mkdirSync(temporary);
  try {
    const info = await recipe.build(temporary);
    moveInto(temporary, target);
    await recipe.verify?.(target);
    // The path is part of the stamp: programs in the folder may have it built
    // in, so a cache that was moved is no longer whole.
    writeAtomically(stampFile(target), JSON.stringify({ folder: target, info }, null, 2));
    return info;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * @param {string} target
 * @returns {Info | null}
 */
function readStamp(target) {
  try {
    const stamp = JSON.parse(readFileSync(stampFile(target), 'utf8'));
    return stamp.folder === target ? stamp.info : null;
  } catch {
    return null;
  }
}

/** @param {string} target */
function removeLeftovers(target) {
  const prefix = `${path.basename(target)}.new-`;
  for (const name of readdirSync(path.dirname(target))) {
    if (name.startsWith(prefix)) {
      rmSync(path.join(path.dirname(target), name), { recursive: true, force: true });
    }
  }
}

/**
 * @param {string} temporary
 * @param {string} target
 */
function moveInto(temporary, target) {
  if (readStamp(target)) return;
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(temporary, target);
  } catch (error) {
    // Someone whose lock we cannot see (another container on the same home)
    // was faster; theirs is as good as ours.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

/**
 * @param {string} file
 * @param {string} text
 */
export function writeAtomically(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
