/*
 * The guide docs/write-a-plugin.md, followed to the letter: its files, its commands, and what they are said to give.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'minitensor';

const root = path.resolve(import.meta.dirname, '../..');
const guide = await readFile(path.join(root, 'docs/write-a-plugin.md'), 'utf8');

/** @param {string} language @returns {string[]} the blocks of the guide in this language */
const blocks = (language) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '');

const [build = '', look = '', plainCMake = '', wasmCommand = '', nativeCommand = ''] = blocks('sh');
const [cLists = '', cppLists = '', ownLibrary = ''] = blocks('cmake');
const [hinge = '', noisy = ''] = blocks('cpp');

let folder = '';

/**
 * Runs a block of commands as a shell does.
 * @param {string} project a folder
 * @param {string} commands
 */
async function shell(project, commands) {
  const env = { ...process.env, NODE_OPTIONS: '' };
  return promisify(execFile)('sh', ['-e', '-c', commands], { cwd: path.join(folder, project), env });
}

/**
 * A folder as it is after `npm install minitensor`, with these files.
 * @param {string} name
 * @param {Record<string, string>} files
 */
async function makeProject(name, files) {
  const project = path.join(folder, name);
  await mkdir(path.join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(root, path.join(project, 'node_modules/minitensor'));
  const command = `#!/bin/sh\nexec node '${path.join(root, 'dist/cli/main.js')}' "$@"\n`;
  await writeFile(path.join(project, 'node_modules/.bin/minitensor'), command, { mode: 0o755 });
  await writeFile(path.join(project, 'package.json'), '{ "private": true }');
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(project, file), content);
}

/** @param {string} file @returns {Promise<string>} of a plugin that is a .so */
async function nativeNameOf(file) {
  const { plugins } = await init();
  const { format, info } = await plugins.inspectPlugin(path.join(folder, file));
  expect(format).toBe('elf');
  return info.name;
}

/** That it computes what the guide says, and leaves nothing behind. @param {string} file */
async function expectCube(file) {
  const mt = await init();
  await mt.plugins.loadPlugin(path.join(folder, file));
  mt.tidy(() => {
    expect(mt.customOps.execute('cube', [[1, 2, 3]]).toArray()).toEqual([1, 8, 27]);
    const gradients = mt.customOps.gradients('cube', [[1, 2, 3]], [1, 1, 1]);
    expect(gradients.map((gradient) => gradient.toArray())).toEqual([[3, 12, 27]]);
  });
  mt.plugins.unloadPlugin('cube');
  expect(mt.memory()).toEqual({ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 });
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'minitensor guide ä '));
  await makeProject('cube', { 'cube.c': blocks('c')[0] ?? '', 'CMakeLists.txt': cLists });
  await makeProject('hinge', { 'hinge.cpp': hinge, 'CMakeLists.txt': cppLists });
  await makeProject('noisy', { 'noisy.cpp': noisy, 'CMakeLists.txt': cppLists.replaceAll('hinge', 'noisy') });
});

afterAll(() => rm(folder, { recursive: true }));

describe('the guide for authors of plugins, in C', () => {
  test('builds plugins that compute what it says', async () => {
    await shell('cube', build);
    await expectCube('cube/build/wasm/cube.wasm');
    expect(await nativeNameOf('cube/build/native/cube.so')).toBe('cube');
  }, 180_000);

  test('has them looked at and tested', async () => {
    const { stdout } = await shell('cube', look);
    expect(stdout).toMatch(/cube 1\.0\.0/);
    expect(stdout).toMatch(/No problem was found/);
  }, 120_000);

  test('shows in its program what comes out', () => {
    const [program = ''] = blocks('js no-run');
    expect(program).toContain("mt.customOps.execute('cube', [[1, 2, 3]]).toArray(); // [1, 8, 27]");
    expect(program).toContain("gradients('cube', [[1, 2, 3]], [1, 1, 1])[0].toArray(); // [3, 12, 27]");
  });

  test('begins with a project in which its program runs', async () => {
    const [begin = ''] = blocks('console');
    expect(begin).toContain('npm install minitensor\n');
    // What the guide installs is there already.
    await shell('', `${begin.replace('npm install minitensor', '')}cp package.json '${path.join(folder, 'cube')}'`
      .replace('mkdir cube && cd cube', 'mkdir begin && cd begin'));
    await writeFile(path.join(folder, 'cube/use.js'), blocks('js no-run')[0] ?? '');
    await shell('cube', 'node use.js');
  }, 60_000);

  test('builds them by plain CMake', async () => {
    await shell('cube', plainCMake);
    await expectCube('cube/build-wasm/cube.wasm');
    expect(await nativeNameOf('cube/build-native/cube.so')).toBe('cube');
  }, 180_000);

  test('builds them by one command each', async () => {
    for (const command of [wasmCommand, nativeCommand]) expect(command.trim().split('\n')).toHaveLength(1);
    await shell('cube', wasmCommand);
    await expectCube('cube/cube.wasm');
    await shell('cube', nativeCommand);
    expect(await nativeNameOf('cube/cube.so')).toBe('cube');
    const { stdout } = await shell('cube', 'npx minitensor inspect cube.so');
    expect(stdout).not.toMatch(/^(missing|problem) /m);
    expect(stdout).toMatch(/\nNative programs can load it, where the system has what it imports; JavaScript needs a \.wasm\.\n$/);
  }, 120_000);

  test('builds by one command what uses much of the C library', async () => {
    const source = (blocks('c')[0] ?? '')
      .replace('#include', '#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include')
      .replace('const float* x = input->data;', `const float* x = input->data;
        char text[32];
        snprintf(text, sizeof text, "%.1f", powf(x[0], 2.0F) + expf(0.0F));
        float* copy = malloc(sizeof(float));
        memcpy(copy, x, sizeof(float));
        if (strcmp(text, "2.0") != 0 || *copy != x[0]) return MT_ERROR_VALUE;
        free(copy);`);
    await makeProject('library', { 'cube.c': source });
    await shell('library', wasmCommand);
    await expectCube('library/cube.wasm');
  }, 120_000);

  test('builds by one command what a native host of this version would not load, and is told why', async () => {
    await makeProject('newer', { 'cube.c': (blocks('c')[0] ?? '').replace('"0.1.0"', '"99.0.0"') });
    await shell('newer', nativeCommand);
    const { stdout } = await shell('newer', 'npx minitensor inspect cube.so || echo ended with $?');
    expect(stdout).toMatch(/\nproblem {2}plugin "cube" \(.*cube\.so\) needs MiniTensor 99\.0\.0 or newer .*\nended with 1\n$/);
    expect(stdout.match(/^problem /gm)).toHaveLength(1);
  }, 60_000);

  test('builds by one command what is called at unload', async () => {
    const source = (blocks('c')[0] ?? '')
      .replace('#include', '#include <stdlib.h>\n#include')
      .replace('mt_status create_plugin', `static void* table;
static void free_table(void) { free(table); }
mt_status create_plugin`)
      .replace('(void)context;', `(void)context;
        table = malloc(1000);
        if (!table || atexit(free_table) != 0) return MT_ERROR_MEMORY;`);
    await makeProject('atexit', { 'cube.c': source });
    await shell('atexit', wasmCommand);
    // Which counts what is not given back at unload.
    const { stdout } = await shell('atexit', 'npx minitensor check cube.wasm');
    expect(stdout).toMatch(/No problem was found/);
  }, 120_000);
});

describe('the guide for authors of plugins, in C++', () => {
  test('builds plugins that compute, and refuse, what it says', async () => {
    await shell('hinge', build);
    expect(await nativeNameOf('hinge/build/native/hinge.so')).toBe('hinge');
    const mt = await init();
    await mt.plugins.loadPlugin(path.join(folder, 'hinge/build/wasm/hinge.wasm'));
    const run = (/** @type {number} */ margin) => mt.customOps.execute('hinge', [[0, 1, 3]], { margin });
    expect(run(2).toArray()).toEqual([2, 1, 0]);
    expect(mt.customOps.execute('hinge', [[0, 1, 3]]).toArray()).toEqual([1, 0, 0]);
    expect(() => run(-1)).toThrow('op "hinge": margin must not be negative, but it is -1');
    const { stdout } = await shell('hinge', look.replaceAll('cube', 'hinge'));
    expect(stdout).toMatch(/No problem was found/);
  }, 180_000);

  test('builds one with a state and a layer', async () => {
    await shell('noisy', build);
    expect(await nativeNameOf('noisy/build/native/noisy.so')).toBe('noisy');
    const mt = await init();
    await mt.plugins.loadPlugin(path.join(folder, 'noisy/build/wasm/noisy.wasm'));
    // The first numbers of xorshift32 (Marsaglia, 2003) from 1.
    const zeros = new mt.Tensor([0, 0], { dtype: 'float64' });
    expect(mt.customOps.execute('noise', [zeros]).toArray()).toEqual([270369 / 2 ** 32, 67634689 / 2 ** 32]);
    expect(mt.customOps.execute('noise', [zeros]).toTypedArray()[0]).toBe(2647435461 / 2 ** 32);
    const layer = mt.plugins.createLayer('Gain', { initial: 3 });
    expect(layer.listParameters()).toEqual(['gain']);
    expect(layer.forward([[1, 2]]).toArray()).toEqual([3, 6]);
    mt.close();
    const [, command = ''] = /`(npx minitensor check build\/wasm\/noisy\.wasm [^`]*)`/.exec(guide) ?? [];
    const { stdout } = await shell('noisy', command);
    expect(stdout).toMatch(/two results of noise\n[^]*No problem was found/);
  }, 180_000);

  test('builds one with a static library', async () => {
    const source = hinge
      .replace('namespace mt', 'double twice(double x);\n\nnamespace mt')
      .replace('distance > 0 ? distance : 0', 'distance > 0 ? static_cast<T>(twice(distance)) : 0');
    // Which uses some of the C++ library.
    const library = '#include <vector>\ndouble twice(double x);\ndouble twice(double x) '
      + '{ std::vector<double> v(static_cast<unsigned>(x) + 1, x); v.push_back(x); return v[0] + v.back(); }\n';
    const files = { 'hinge.cpp': source, 'filters.cpp': library, 'CMakeLists.txt': cppLists + ownLibrary };
    await makeProject('parts', files);
    await shell('parts', build);
    const mt = await init();
    await mt.plugins.loadPlugin(path.join(folder, 'parts/build/wasm/hinge.wasm'));
    expect(mt.customOps.execute('hinge', [[0, 1, -2]]).toArray()).toEqual([2, 0, 6]);
    mt.close();
  }, 180_000);
});
