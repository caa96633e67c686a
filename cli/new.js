import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { MiniTensorError, VERSION, init } from 'minitensor';

import { Failure, UsageError } from './failure.js';
import { plain } from './text.js';

const TEMPLATES = fileURLToPath(new URL('./templates', import.meta.url));
/** What the templates call the plugin. */
const PLACEHOLDER = 'my_plugin';
/** The folder of each language, and what its sources end in. */
const LANGUAGES = new Map([['c', 'c'], ['c++', 'cpp']]);
/** Targets of CMake, Ninja and make, and what npm and the project itself have names for. */
const RESERVED = [
  'all', 'build', 'clean', 'depend', 'edit_cache', 'help', 'install', 'list_install_components', 'minitensor',
  'node_modules', 'package', 'package_source', 'preinstall', 'rebuild_cache', 'test',
];

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'make a project of a plugin, in C or C++',
  details: [
    'The project has one op with its gradient, and tests. NAME becomes the name of the plugin, of its op and of its',
    'file: small letters of English, digits and _, and a letter first. Nothing that is there is written over.',
  ].join('\n'),
  positionals: ['NAME'],
  options: {
    language: { type: 'string', value: 'LANGUAGE', description: 'c or c++ (default: c)' },
    directory: { type: 'string', value: 'DIRECTORY', description: 'where (default: ./NAME)' },
  },
  async run({ values, positionals: [name = ''], terminal }) {
    const folder = LANGUAGES.get(String(values.language ?? 'c'));
    if (!folder) throw new UsageError(`--language must be c or c++, not "${plain(String(values.language))}"`);
    await requireName(name);
    const directory = String(values.directory ?? name);
    if (directory === '') throw new UsageError('--directory must not be empty');
    requireEmpty(directory);
    const files = filesOf(folder, name);
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.join(directory, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(directory, file), content, { flag: 'wx' });
    }
    terminal.print(`The plugin ${terminal.paint('bold', name)} is in ${directory}:`);
    for (const file of Object.keys(files).sort()) terminal.print(`  ${file}`);
    terminal.print(`Next: cd ${shellQuoted(directory)} && npm install && npm test`);
    return 0;
  },
};

/** @param {string} name */
async function requireName(name) {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    throw new UsageError(
      `NAME must be of small letters of English, digits and _, with a letter first, not "${plain(name)}"`,
    );
  }
  if (RESERVED.includes(name)) throw new UsageError(`NAME must not be "${name}", which means something else already`);
  if (await isOpOfEngine(name)) {
    throw new UsageError(`NAME must not be "${name}", since MiniTensor has an op of that name`);
  }
}

/** @param {string} name */
async function isOpOfEngine(name) {
  const mt = await init();
  try {
    mt.customOps.describe(name);
    return true;
  } catch (error) {
    if (!(error instanceof MiniTensorError)) throw error;
    return false;
  } finally {
    mt.close();
  }
}

/** @param {string} directory */
function requireEmpty(directory) {
  if (!existsSync(directory)) return;
  const [first] = readdirSync(directory);
  if (first === undefined) return;
  throw new Failure(`${directory} is not empty: it has ${plain(first)}`, 'nothing is written over; use --directory');
}

/**
 * @param {string} language folder of the templates
 * @param {string} name
 * @returns {Record<string, string>} content by path
 */
function filesOf(language, name) {
  /** @type {Record<string, string>} */
  const files = { 'package.json': `${JSON.stringify(packageOf(name), null, 2)}\n` };
  for (const part of [language, 'project']) {
    const root = path.join(TEMPLATES, part);
    for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue;
      const source = path.join(entry.parentPath ?? entry.path, entry.name);
      const target = path.relative(root, source).replaceAll(PLACEHOLDER, name);
      // npm leaves a file called .gitignore out of packages.
      const file = target === 'gitignore' ? '.gitignore' : target;
      files[file] = readFileSync(source, 'utf8').replaceAll(PLACEHOLDER, name);
    }
  }
  return files;
}

/** @param {string} name */
function packageOf(name) {
  return {
    name,
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: {
      build: 'minitensor build',
      test: 'minitensor build && node --test',
      check: `minitensor check build/wasm/${name}.wasm`,
    },
    devDependencies: { minitensor: `^${VERSION}` },
  };
}

/** @param {string} text */
function shellQuoted(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
