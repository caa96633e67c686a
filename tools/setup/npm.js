import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { cacheFolder } from './cache.js';
import { SetupError } from './failure.js';
import { withLock } from './lock.js';
import { step } from './progress.js';
import { run } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */

const LOCK = 'package-lock.json';
const STAMP = '.minitensor-lock-hash';

/**
 * Installs the packages that package-lock.json names, if node_modules holds
 * others or none.
 *
 * @param {string} project folder
 * @param {Env} env
 */
export async function setupNpm(project, env) {
  if (!existsSync(path.join(project, LOCK))) {
    throw new SetupError(`${LOCK} is missing. Restore it (git checkout ${LOCK}), or make one: npm install`);
  }
  if (isInstalled(project)) return;
  const name = createHash('sha256').update(project).digest('hex').slice(0, 16);
  await withLock(path.join(cacheFolder(env), `npm-${name}.lock`), async () => {
    if (isInstalled(project)) return;
    await step('Installing npm packages', () => install(project, env));
  });
}

/**
 * @param {string} project
 * @param {Env} env
 */
async function install(project, env) {
  // Read before: a lock that changes meanwhile must lead to another install.
  const hash = lockHash(project);
  await run('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: project,
    env,
    advice: `If ${LOCK} does not fit package.json: npm install. If it is the network: try again later.`,
  });
  writeFileSync(stampFile(project), hash);
}

/** @param {string} project */
function isInstalled(project) {
  const stamp = stampFile(project);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash(project);
}

/** @param {string} project */
function stampFile(project) {
  // npm ci removes node_modules first, and the stamp with it.
  return path.join(project, 'node_modules', STAMP);
}

/** @param {string} project */
function lockHash(project) {
  return createHash('sha256').update(readFileSync(path.join(project, LOCK))).digest('hex');
}
