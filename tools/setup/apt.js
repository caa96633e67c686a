import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { SetupError } from './failure.js';
import { run, which } from './run.js';

/** @typedef {NodeJS.ProcessEnv} Env */

/**
 * apt with package lists to look things up in.
 *
 * @typedef {object} Apt
 * @property {Env} env
 * @property {string[]} options what every apt command line starts with
 */

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * @param {Env} env
 * @returns {boolean} whether packages can be fetched and unpacked here
 */
export function hasApt(env) {
  return ['apt-get', 'apt-cache', 'dpkg-deb'].every((name) => which(name, env));
}

/**
 * @param {Env} env
 * @returns {boolean} Debian itself, so that its mirror holds its next release
 */
export function isDebian(env) {
  return hasApt(env) && osRelease('ID') === 'debian';
}

/** The codename of this machine's release, such as `bookworm`. */
export function machineRelease() {
  return osRelease('VERSION_CODENAME') ?? 'unknown';
}

/**
 * @param {string} key
 * @returns {string | undefined}
 */
function osRelease(key) {
  if (!existsSync('/etc/os-release')) return undefined;
  const text = readFileSync('/etc/os-release', 'utf8');
  return new RegExp(`^${key}="?([^"\n]*)"?$`, 'm').exec(text)?.[1];
}

/**
 * apt with the machine's own sources. Fresh containers come without package
 * lists; these are then fetched into `workFolder`, which needs no root.
 *
 * @param {Env} env
 * @param {string} workFolder
 * @returns {Promise<Apt>}
 */
export async function machineApt(env, workFolder) {
  const machine = { env, options: [] };
  if ((await sources(machine)).length > 0) return machine;
  return updated(privateApt(env, workFolder, ''));
}

/**
 * apt for another suite of the Debian mirror that the machine already uses.
 * Its state lives in `workFolder`; apt checks the signatures as ever.
 *
 * @param {Env} env
 * @param {string} suite
 * @param {string} workFolder
 * @returns {Promise<Apt>}
 */
export async function suiteApt(env, suite, workFolder) {
  const machine = await machineApt(env, path.join(workFolder, 'machine'));
  const mirror = (await sources(machine)).find((source) =>
    source.origin === 'Debian' && source.label === 'Debian');
  if (!mirror) throw new SetupError('apt has no source that is a Debian mirror.');
  const folder = path.join(workFolder, suite);
  mkdirSync(folder, { recursive: true });
  const list = path.join(folder, 'sources.list');
  const signedBy = existsSync(KEYRING) ? `signed-by=${KEYRING} ` : '';
  writeFileSync(list, `deb [${signedBy}target=Packages] ${mirror.uri} ${suite} main\n`);
  return updated(privateApt(env, folder, sourcesSettings(list)));
}

/**
 * @param {Apt} apt
 * @returns {Promise<{ uri: string, origin: string, label: string }[]>} the
 *   sources whose lists are there
 */
async function sources(apt) {
  const format = '$(REPO_URI)|$(ORIGIN)|$(LABEL)';
  const output = await aptRun(apt, 'apt-get',
    ['indextargets', '--format', format, 'Created-By: Packages']);
  return output.split('\n').filter(Boolean).map((line) => {
    const [uri = '', origin = '', label = ''] = line.split('|');
    return { uri, origin, label };
  });
}

/**
 * @param {Env} env
 * @param {string} folder for apt's state
 * @param {string} settings more lines of apt.conf
 * @returns {Apt}
 */
function privateApt(env, folder, settings) {
  for (const name of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(path.join(folder, name), { recursive: true });
  }
  writeFileSync(path.join(folder, 'status'), '');
  const configuration = path.join(folder, 'apt.conf');
  writeFileSync(configuration, privateSettings(folder) + settings);
  return { env, options: ['-c', configuration] };
}

/**
 * A file given with -c is read after the machine's own configuration, so it
 * keeps the machine's proxies and can undo the rest.
 *
 * @param {string} folder
 */
function privateSettings(folder) {
  return `
Dir::State "${folder}";
Dir::State::lists "${folder}/lists";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Dir::Cache::archives "${folder}/cache/archives";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
// As root apt would fetch as the user _apt, who may not enter our folders.
APT::Sandbox::User "${os.userInfo().username}";
Acquire::Languages "none";
// Hooks that refresh the machine's software catalogue.
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
`;
}

/** @param {string} list */
function sourcesSettings(list) {
  return `
Dir::Etc::sourcelist "${list}";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
`;
}

/**
 * @param {Apt} apt
 * @returns {Promise<Apt>}
 */
async function updated(apt) {
  await aptRun(apt, 'apt-get', ['update', '--error-on=any']);
  return apt;
}

/**
 * @param {Apt} apt
 * @param {string} program
 * @param {string[]} args
 * @param {string} [cwd]
 */
function aptRun(apt, program, args, cwd) {
  return run(program, [...apt.options, ...args], {
    // The output is parsed, so it must not be translated.
    env: { ...apt.env, LC_ALL: 'C' },
    cwd,
    advice: 'Check that the machine can reach its Debian mirror, then run this again.',
  });
}

/**
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {string} section
 * @property {number} size of the archive in bytes
 * @property {string[]} depends names only; of alternatives the first
 */

/**
 * @param {Apt} apt
 * @param {string[]} names
 * @returns {Promise<Package[]>} those that exist, in no special order
 */
export async function showPackages(apt, names) {
  // Asked for nothing but unknown or virtual packages, `show` would fail.
  const known = new Set((await aptRun(apt, 'apt-cache', ['pkgnames'])).split('\n'));
  const wanted = names.filter((name) => known.has(name));
  if (wanted.length === 0) return [];
  const output = await aptRun(apt, 'apt-cache', ['show', '--no-all-versions', ...wanted]);
  return output.split('\n\n').filter((text) => text.trim()).map(parsePackage);
}

/**
 * @param {string} text a stanza of `apt-cache show`
 * @returns {Package}
 */
function parsePackage(text) {
  const field = (/** @type {string} */ name) =>
    new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  const names = field('Depends').split(',')
    .map((alternatives) => /^\s*([^\s:(|]+)/.exec(alternatives)?.[1] ?? '');
  return {
    name: field('Package'),
    version: field('Version'),
    section: field('Section'),
    size: Number(field('Size')),
    depends: names.filter(Boolean),
  };
}

/**
 * Downloads packages and unpacks them into a folder, as if it were `/`.
 *
 * @param {Apt} apt
 * @param {Package[]} packages
 * @param {string} folder
 * @param {(detail: string) => void} report
 */
export async function unpackPackages(apt, packages, folder, report) {
  const archives = `${folder}-archives`;
  mkdirSync(archives, { recursive: true });
  const total = packages.reduce((sum, one) => sum + one.size, 0);
  const timer = setInterval(() => report(progress(folderSize(archives), total)), 500);
  try {
    const wanted = packages.map((one) => `${one.name}=${one.version}`);
    await aptRun(apt, 'apt-get', ['download', ...wanted], archives);
  } finally {
    clearInterval(timer);
  }
  report('unpacking');
  await unpackAll(apt.env, archives, folder);
}

/**
 * @param {Env} env
 * @param {string} archives
 * @param {string} folder
 */
async function unpackAll(env, archives, folder) {
  const waiting = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  const worker = async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) {
      await run('dpkg-deb', ['-x', path.join(archives, name), folder], { env });
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
}

/**
 * @param {number} done
 * @param {number} total
 */
function progress(done, total) {
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(0);
  return `${megabytes(done)} of ${megabytes(total)} MB`;
}

/** @param {string} folder */
function folderSize(folder) {
  return readdirSync(folder).reduce((sum, name) =>
    sum + (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
