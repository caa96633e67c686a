import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode } from './failure.js';
import { print } from './progress.js';

const POLL_MS = 500;

/**
 * Does the work while no other process does work under the same lock. A lock
 * whose owner died is taken over.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  await acquire(file);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
async function acquire(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!tryAcquire(file)) {
    const owner = readOwner(file);
    if (owner === null) continue;
    if (!isAlive(owner)) {
      takeAway(file, owner);
      continue;
    }
    if (!told) print(`Waiting for another set-up (process ${owner.split(' ')[0]}) ...`);
    told = true;
    await sleep(POLL_MS);
  }
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function tryAcquire(file) {
  // A hard link appears with its content complete, so nobody ever reads a
  // lock that does not say whose it is.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, identity(process.pid));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * @param {string} file
 * @returns {string | null} null if the lock has just been released
 */
function readOwner(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return null;
  }
}

/**
 * Removes a dead process's lock, unless another waiter was faster and the
 * lock is now theirs.
 *
 * @param {string} file
 * @param {string} deadOwner
 */
function takeAway(file, deadOwner) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  try {
    if (readFileSync(aside, 'utf8') !== deadOwner) linkSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * @param {string} owner
 * @returns {boolean}
 */
function isAlive(owner) {
  const pid = Number(owner.split(' ')[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  return identity(pid) === owner;
}

/**
 * Process number and start time (where /proc tells it), because numbers are used again, in
 * containers very soon.
 *
 * @param {number} pid
 * @returns {string}
 */
function identity(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The fields after the program name, which may itself hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A killed process that its parent has not noticed yet counts as dead.
    return fields[0] === 'Z' ? `${pid} zombie` : `${pid} ${fields[19]}`;
  } catch {
    return `${pid}`;
  }
}
