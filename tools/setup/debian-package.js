import { rmSync } from 'node:fs';
import path from 'node:path';

import { machineApt, machineRelease, showPackages, unpackPackages } from './apt.js';
import { buildFolder, cacheFolder } from './cache.js';
import { SetupError } from './failure.js';
import { step } from './progress.js';

/**
 * A package of the machine's own release, unpacked in the cache folder. This
 * needs no root and leaves the system as it is.
 *
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the folder, to be read as if it were `/`
 */
export async function debianPackage(name, env) {
  const target = path.join(cacheFolder(env), 'packages', machineRelease(), name);
  await buildFolder(target, {
    build: (folder) => step(`Fetching ${name}`, (report) => fetchPackage(name, env, folder, report)),
  });
  return target;
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 * @param {string} folder
 * @param {(detail: string) => void} report
 */
async function fetchPackage(name, env, folder, report) {
  const workFolder = `${folder}-work`;
  try {
    const apt = await machineApt(env, workFolder);
    const packages = await showPackages(apt, [name]);
    if (packages.length === 0) throw new SetupError(`apt knows no package named ${name}.`);
    await unpackPackages(apt, packages, folder, report);
    return { version: packages[0]?.version };
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
    rmSync(`${folder}-archives`, { recursive: true, force: true });
  }
}
