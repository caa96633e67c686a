/*
 * The SDK of the npm package and that of the native install, used by a stranger: what they build is checked, and what
 * MiniTensor would not load ends the build with the reason.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'minitensor';

const root = path.resolve(import.meta.dirname, '../..');
const nativeBuild = path.join(root, 'build/native-release');
const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

const SOURCE = `
#include "minitensor/sdk/plugin_api.h"
#ifndef WITHOUT_METADATA
MT_PLUGIN_METADATA(kInfo, "good", "1.0.0", "Gives what it is given", "You", MINIMUM, "", FEATURES, "good", "")
#endif
#ifdef WITH_MISSING
double not_there(int number);
#endif
static mt_status forward(const mt_op_call* call) {
  const mt_tensor* input = call->inputs[0];
  for (int64_t i = 0; i < input->size; ++i) ((float*)call->output->data)[i] = ((const float*)input->data)[i];
#ifdef WITH_MISSING
  return (mt_status)not_there(1);
#endif
  return MT_OK;
}
static const mt_op kOp = {
    .struct_size = sizeof(mt_op), .input_count = 1, .name = MT_STRING_INIT("good"), .dtypes = MT_DTYPE_BIT(MT_FLOAT32),
    .forward = forward};
static const mt_op* const kOps[] = {&kOp};
#ifndef WITHOUT_CREATE
mt_status create_plugin(const mt_host* host, mt_context* context, mt_plugin* plugin) {
  (void)host;
  (void)context;
#ifndef WITHOUT_METADATA
  plugin->info = &kInfo;
#endif
  plugin->op_count = 1;
  plugin->ops = kOps;
  return MT_OK;
}
#endif
`;

let folder = '';
/** The folders of the CMake packages. */
const sdk = { npm: path.join(root, 'dist/sdk/lib/cmake/MiniTensorSDK'), native: '' };

/**
 * @param {string} program
 * @param {string[]} args
 * @param {object} [options]
 */
function run(program, args, options) {
  return promisify(execFile)(program, args, options);
}

/**
 * What a command that must fail writes.
 * @param {Promise<unknown>} running
 * @returns {Promise<string>}
 */
async function failureOf(running) {
  const { stdout = '', stderr = '' } = await running.then(() => ({}), (error) => error);
  return `${stdout}${stderr}`.replace(/\s+/g, ' ');
}

/**
 * A project of this CMakeLists.txt beside good.c.
 * @param {string} name
 * @param {string} lists what follows project()
 * @param {string} [languages]
 */
async function project(name, lists, languages = 'C') {
  const source = path.join(folder, name);
  await cp(path.join(folder, 'source'), source, { recursive: true });
  await writeFile(path.join(source, 'CMakeLists.txt'), `
    cmake_minimum_required(VERSION 3.25)
    project(good LANGUAGES ${languages})
    ${lists}`);
  return source;
}

/**
 * @param {string} source
 * @param {'wasm' | 'native'} platform
 * @param {'npm' | 'native'} kit whose SDK
 * @param {string[]} [options]
 */
async function configure(source, platform, kit, options = []) {
  const output = path.join(source, `build-${platform}-${kit}`);
  const cmake = ['cmake', '-S', source, '-B', output, '-G', 'Ninja', `-DMiniTensorSDK_DIR=${sdk[kit]}`, ...options];
  await run(platform === 'wasm' ? 'emcmake' : 'env', cmake);
  return output;
}

/** @type {typeof configure} */
async function build(source, platform, kit, options) {
  const output = await configure(source, platform, kit, options);
  await run('cmake', ['--build', output]);
  return output;
}

const FIND = 'find_package(MiniTensorSDK REQUIRED)';
const GOOD = `${FIND}
  minitensor_add_plugin(good good.c)
  target_compile_definitions(good PRIVATE MINIMUM="0.1.0" FEATURES="" \${FAULT})`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'minitensor sdk ä '));
  await cp(path.join(root, 'examples/plugins/attention'), path.join(folder, 'attention'), { recursive: true });
  await mkdir(path.join(folder, 'source'));
  await writeFile(path.join(folder, 'source/good.c'), SOURCE);
  if (!existsSync(nativeBuild)) await run('cmake', ['--preset', 'native-release'], { cwd: root });
  await run('cmake', ['--build', nativeBuild, '--target', 'minitensor_inspect']);
  await run('cmake', ['--install', nativeBuild, '--prefix', path.join(folder, 'installed'), '--component', 'sdk']);
  sdk.native = path.join(folder, 'installed/lib/cmake/MiniTensorSDK');
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** @type {['wasm' | 'native', 'npm' | 'native'][]} */
const WAYS = [['wasm', 'npm'], ['wasm', 'native'], ['native', 'npm'], ['native', 'native']];

describe.each(WAYS)('for %s, the SDK of the %s package', (platform, kit) => {
  const ending = platform === 'wasm' ? 'wasm' : 'so';

  test('builds a plugin that is as it should be', async () => {
    const source = await project(`good ${platform} ${kit}`, GOOD);
    const file = path.join(await build(source, platform, kit), `good.${ending}`);
    const mt = await init();
    expect((await mt.plugins.inspectPlugin(file)).ops).toEqual(['good']);
  }, 120_000);

  /** @type {[string, string, RegExp][]} */
  const faults = [
    ['a function that nobody defines', 'WITH_MISSING',
      platform === 'wasm' ? /would not load .*good\.wasm: .*not have: not_there What to do: / : /undefined reference to .not_there/],
    ['no metadata', 'WITHOUT_METADATA',
      /would not load .*good\.\w+: .*has no MiniTensor metadata .*What to do: describe the plugin with MT_PLUGIN_METADATA/],
    ['no create_plugin', 'WITHOUT_CREATE', /create_plugin/],
    ['a newer version as its minimum', 'MINIMUM="9.0.0"', new RegExp(`9\\.0\\.0 or newer.*${version.replaceAll('.', '\\.')}.*What to do`)],
    ['a version that is none', 'MINIMUM="one"', /would not load .*"one"/],
  ];
  test.each(faults)('ends the build with the reason: %s', async (name, fault, reason) => {
    const source = await project(`${name} ${platform} ${kit}`, GOOD.replace(fault.replace(/=.*/, '="0.1.0"'), ''));
    const output = await configure(source, platform, kit, [`-DFAULT=${fault}`]);
    const said = await failureOf(run('cmake', ['--build', output]));
    expect(said).toMatch(reason);
    expect(said).not.toMatch(/ at .*\.js:|Node\.js v/); // no stack trace
    // What a linker leaves behind is its own affair.
    if (said.includes('would not load')) expect(existsSync(path.join(output, `good.${ending}`))).toBe(false);
  }, 120_000);

  test('builds what would not load when it is told to', async () => {
    const source = await project(`no check ${platform} ${kit}`, GOOD.replace('good.c)', 'good.c NO_CHECK)'));
    const output = await build(source, platform, kit, ['-DFAULT=WITHOUT_METADATA']);
    expect(existsSync(path.join(output, `good.${ending}`))).toBe(true);
  }, 120_000);
});

describe('the example attention, copied out of the repository', () => {
  test('is built with SIMD and computes', async () => {
    const file = path.join(await build(path.join(folder, 'attention'), 'wasm', 'npm'), 'attention.wasm');
    const mt = await init();
    await mt.plugins.loadPlugin(file);
    // One query halfway between two keys.
    const result = mt.customOps.execute('attention', [[[1, 1]], [[1, 0], [0, 1]], [[2, 4], [6, 8]]]);
    expect(result.toArray()).toEqual([[4, 6]]);
  }, 120_000);

  test('is built natively', async () => {
    const output = await build(path.join(folder, 'attention'), 'native', 'native');
    const { stdout } = await run(path.join(folder, 'installed/bin/minitensor-inspect'), [path.join(output, 'attention.so')]);
    expect(stdout).toContain('attention 1.0.0: Fused scaled dot-product attention');
    expect(stdout).toMatch(/^ {2}ops +attention$/m);
  }, 120_000);
});

describe('minitensor-inspect', () => {
  const inspect = (/** @type {string[]} */ ...args) => run(path.join(folder, 'installed/bin/minitensor-inspect'), args);

  test('ends with 1 for a file that would not load and with 2 when it is used wrongly', async () => {
    await expect(inspect(path.join(root, 'README.md'))).rejects.toMatchObject({ code: 1, stdout: '' });
    await expect(inspect(path.join(folder, 'nowhere.so'))).rejects.toMatchObject({
      code: 1, stderr: expect.stringContaining('cannot be read'),
    });
    await expect(inspect()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('minitensor-inspect [--check | --check-built] FILE') });
    expect((await inspect('--help')).stdout).toContain('minitensor-inspect [--check | --check-built] FILE');
  });

  test('reads plugins of both platforms, and with --check says nothing of good ones', async () => {
    const wasm = path.join(root, 'dist/examples/plugins/rmsnorm.wasm');
    expect((await inspect(wasm)).stdout).toMatch(/rmsnorm 1\.0\.0: .*\n.*\n.*\n {2}format +WebAssembly, plugin ABI 1\n/);
    expect(await inspect('--check', wasm)).toEqual({ stdout: '', stderr: '' });
  });
});

describe('configuring is refused', () => {
  /** @type {[string, string, string, string[], RegExp][]} */
  const refused = [
    ['with Emscripten 5', `set(EMSCRIPTEN ON)\nset(EMSCRIPTEN_VERSION 5.0.7)\n${FIND}`, 'NONE', [], /need Emscripten 6\.0 or newer; this is 5\.0\.7\./],
    ['with an Emscripten that does not say what it is', `set(EMSCRIPTEN ON)\n${FIND}`, 'NONE', [], /the version of this one is not known/],
    ['for another system', `set(CMAKE_SYSTEM_NAME Darwin)\n${FIND}`, 'NONE', [], /shared libraries for Linux; this build is for Darwin\./],
    ['without a language', FIND, 'NONE', [], /enable one by project\(\.\.\. LANGUAGES C\) before find_package/],
    ['with another compiler', `set(CMAKE_C_COMPILER_ID MSVC)\nset(CMAKE_C_COMPILER_VERSION 19)\n${FIND}`, 'C', [], /need GCC or Clang; the compiler is MSVC 19\./],
    ['with a compiler that is too old', `set(CMAKE_C_COMPILE_FEATURES c_std_99)\n${FIND}`, 'C', [], /need c_std_11, which the compiler, .*, does not have/],
    ['without sources', `${FIND}\nminitensor_add_plugin(empty)`, 'C', [], /minitensor_add_plugin\(empty\): no sources are given/],
  ];
  test.each(refused)('%s', async (name, lists, languages, options, reason) => {
    const source = await project(`refused ${name}`, lists, languages);
    expect(await failureOf(configure(source, 'native', 'npm', options))).toMatch(reason);
  });

  test.each([
    ['-pthread', /the option -pthread makes plugins that MiniTensor cannot load: the host has no threads/],
    ['-sMEMORY64=1', /the option -sMEMORY64=1 .*32-bit addresses/],
    ['-fexceptions', /the option -fexceptions .*use EXCEPTIONS of minitensor_add_plugin/],
  ])('for WebAssembly with %s, in the flags or of the folder', async (option, reason) => {
    const flags = await project(`flags ${option}`, GOOD);
    expect(await failureOf(configure(flags, 'wasm', 'npm', [`-DCMAKE_C_FLAGS=${option}`]))).toMatch(reason);
    const ofFolder = await project(`folder ${option}`, `add_compile_options(${option})\n${GOOD}`);
    expect(await failureOf(configure(ofFolder, 'wasm', 'npm'))).toMatch(reason);
  }, 60_000);

  test('not at all for an option that is switched off', async () => {
    const source = await project('switched off', `add_link_options(-sMEMORY64=0)\n${GOOD}`);
    await configure(source, 'wasm', 'npm');
  }, 60_000);
});

test('an SDK whose check is not there says so', async () => {
  const copy = path.join(folder, 'moved');
  await cp(path.join(folder, 'installed'), copy, { recursive: true });
  await rm(path.join(copy, 'bin'), { recursive: true });
  const source = await project('unchecked', GOOD);
  const found = `-DMiniTensorSDK_DIR=${copy}/lib/cmake/MiniTensorSDK`;
  const { stderr } = await run('cmake', ['-S', source, '-B', path.join(source, 'build'), '-G', 'Ninja', found]);
  expect(String(stderr).replace(/\s+/g, ' ')).toContain('plugins are not checked after they are built, because');
}, 60_000);
