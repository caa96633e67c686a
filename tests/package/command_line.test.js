/*
 * The command line as a stranger gets it, from the packed package: a project is made, built, tested, inspected, checked
 * and signed, in C and in C++, in a folder with a space and letters of other languages in its path.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { PROJECT } from '../../tools/project.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor cli ä 插件 '));
const environment = { ...process.env, NODE_OPTIONS: '', npm_config_cache: path.join(folder, 'cache') };
let tarball = '';

/** @typedef {{ code: number, stdout: string, stderr: string }} Result */

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Result>}
 */
async function run(program, args, cwd, env = {}) {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env: { ...environment, ...env } });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failed = /** @type {Result} */ (error);
    if (typeof failed.code !== 'number') throw error;
    return { code: failed.code, stdout: failed.stdout, stderr: failed.stderr };
  }
}

/** @param {string} cwd @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
const minitensor = (cwd, args, env) => run('npx', ['--no-install', 'minitensor', ...args], cwd, env);

/** @param {string} cwd */
async function install(cwd) {
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--save-dev', tarball];
  expect(await run('npm', args, cwd)).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], PROJECT);
  tarball = path.join(folder, JSON.parse(packed.stdout)[0].filename);
  writeFileSync(path.join(folder, 'package.json'), '{"name": "outer", "private": true}');
  await install(folder);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([['c', 'softsign_c', 'c'], ['c++', 'softsign_cpp', 'cpp']])('a project in %s', (language, name, ending) => {
  const project = path.join(folder, name);
  const file = `build/wasm/${name}.wasm`;

  beforeAll(async () => {
    const made = await minitensor(folder, ['new', name, '--language', language]);
    expect(made).toEqual({
      code: 0,
      stdout: [
        `The plugin ${name} is in ${name}:`,
        ...['.gitignore', 'CMakeLists.txt', 'README.md', `${name}.${ending}`, 'package.json', `test/${name}.test.js`]
          .sort()
          .map((entry) => `  ${entry}`),
        `Next: cd ${name} && npm install && npm test`,
        '',
      ].join('\n'),
      stderr: '',
    });
    await install(project);
  }, 60_000);

  test('builds and passes its tests, by npm test', async () => {
    const { code, stdout } = await run('npm', ['test'], project);
    expect(stdout).toMatch(new RegExp(`^${file}  \\d\\.\\d kB$`, 'm'));
    expect(stdout).toMatch(/^# pass 3$/m);
    expect(code).toBe(0);
  }, 120_000);

  test('keeps its name in all its files', () => {
    for (const entry of ['CMakeLists.txt', `${name}.${ending}`, `test/${name}.test.js`, 'README.md', 'package.json']) {
      const text = readFileSync(path.join(project, entry), 'utf8');
      expect(text).toContain(name);
      expect(text).not.toContain('my_plugin');
    }
  });

  test('gives a plugin that inspect says can be loaded', async () => {
    const { code, stdout, stderr } = await minitensor(project, ['inspect', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^plugin +${name} 1\\.0\\.0$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^ops +${name}$`, 'm'));
    expect(stdout).toMatch(/^signature +none$/m);
  });

  test('gives a plugin that check finds nothing wrong with', async () => {
    const { code, stdout, stderr } = await run('npm', ['run', '--silent', 'check'], project);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^No problem was found\.$/m);
  }, 60_000);

  test('gives a plugin that can be signed and verified, natively, too', async () => {
    expect(await minitensor(project, ['keygen', '--out', 'release'])).toMatchObject({ code: 0 });
    const built = await minitensor(project, ['build', '--native']);
    expect(built.stdout).toMatch(new RegExp(`^build/native/${name}\\.so  [\\d.]+ kB\n$`));
    for (const plugin of [file, `build/native/${name}.so`]) {
      expect(await minitensor(project, ['sign', plugin, '--key', 'release.pem', '--out', 'signed'])).toMatchObject({ code: 0 });
      expect(await minitensor(project, ['verify', 'signed', '--key', 'release.pub.pem'])).toMatchObject({ code: 0 });
      expect(await minitensor(project, ['verify', plugin, '--key', 'release.pub.pem'])).toMatchObject({ code: 1 });
      const { stdout } = await minitensor(project, ['inspect', 'signed', '--json']);
      expect(JSON.parse(stdout)).toMatchObject({ info: { name }, signature: { algorithm: 'Ed25519' } });
    }
  }, 120_000);

  test('is not written over', async () => {
    const { code, stdout, stderr } = await minitensor(folder, ['new', name]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^minitensor new: ${name} is not empty: it has .+\nhint: .*--directory\n$`));
  });

  test('shows what the compiler says, and which step failed, when it does not compile', async () => {
    const source = path.join(project, `${name}.${ending}`);
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, `${text}\nnonsense here;\n`);
    const { code, stdout, stderr } = await minitensor(project, ['build']);
    writeFileSync(source, text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`${name}\\.${ending}:\\d+:1: error: unknown type name 'nonsense'`));
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^minitensor build: building failed: cmake ended with \d+$/);
  }, 60_000);
});

describe('new refuses', () => {
  /** @type {[string, string][]} */
  const names = [
    ['Softsign', 'NAME must be of small letters of English, digits and _, with a letter first, not "Softsign"'],
    ['soft sign', 'not "soft sign"'],
    ['../x', 'not "../x"'],
    ['1x', 'not "1x"'],
    ['ä', 'not "ä"'],
    ['x'.repeat(65), 'not "xxx'],
    ['', 'not ""'],
    ['test', 'NAME must not be "test"'],
    ['relu', 'NAME must not be "relu", since MiniTensor has an op of that name'],
  ];
  test.each(names)('the name "%s"', async (name, message) => {
    const { code, stdout, stderr } = await minitensor(folder, ['new', name]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('build', () => {
  /** A program that only prints this. @param {string} name @param {string} output */
  function fake(name, output) {
    const bin = mkdtempSync(path.join(folder, 'bin '));
    const program = path.join(bin, name);
    writeFileSync(program, `#!/bin/sh\necho '${output}'\n`);
    chmodSync(program, 0o755);
    return bin;
  }
  const main = path.join(folder, 'node_modules/minitensor/dist/cli/main.js');
  const empty = path.join(folder, 'empty');
  /** With what stands on PATH alone. @param {string[]} PATH @param {string[]} args */
  const build = (PATH, ...args) =>
    run(process.execPath, [main, 'build', ...args], empty, { PATH: PATH.join(path.delimiter), EMSDK: '' });

  beforeAll(() => mkdirSync(empty));

  test('says that there is no project', async () => {
    const { code, stderr } = await build([]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^minitensor build: there is no CMakeLists\.txt in .*empty\nhint: minitensor new NAME/);
  });

  test('says what of the tools is missing or too old, and how to get it', async () => {
    writeFileSync(path.join(empty, 'CMakeLists.txt'), 'cmake_minimum_required(VERSION 3.25)\nproject(none LANGUAGES NONE)\n');
    const cmake = fake('cmake', 'cmake version 3.25.1');
    const ninja = fake('ninja', '1.11');
    const emcc = fake('emcc', 'emcc (Emscripten gcc/clang-like replacement) 3.1.6 ()');
    writeFileSync(path.join(emcc, 'emcmake'), '#!/bin/sh\n', { mode: 0o755 });
    /** @type {[string[], string][]} */
    const cases = [
      [[], 'CMake 3.25 or newer is needed, and there is none on PATH'],
      [[fake('cmake', 'cmake version 3.24.9')], /** @type {string} */ ('cmake is 3.24.9')],
      [[cmake], 'Ninja or make is needed, and neither is on PATH'],
      [[cmake, ninja], 'Emscripten 6.0 or newer is needed to build for WebAssembly; there is none in $EMSDK or on PATH'],
      [[cmake, ninja, emcc], 'emcc is 3.1.6'],
    ];
    for (const [PATH, message] of cases) {
      const { code, stdout, stderr } = await build(['/bin-that-is-not', ...PATH]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain('\nhint: ');
    }
    expect((await build([cmake, ninja])).stderr).toContain('./emsdk install latest');
  });

  test('says that a project builds no plugin', async () => {
    const { code, stderr } = await minitensor(empty, ['build', '--native']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^minitensor build: CMakeLists\.txt builds no plugin\nhint: .*minitensor_add_plugin/);
  }, 60_000);
});
