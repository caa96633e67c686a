/*
 * The guide docs/write-a-plugin.md, followed to the letter: its files, its commands, and what they are said to give.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { init } from 'minitensor';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const sdk = path.join(root, 'dist/sdk/lib/cmake/MiniTensorSDK');

describe('the guide for authors of plugins', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'minitensor guide ä '));
    const guide = await readFile(path.join(root, 'docs/write-a-plugin.md'), 'utf8');
    /** @param {string} language */
    const block = (language) => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';
    await writeFile(path.join(folder, 'cube.c'), block('c'));
    await writeFile(path.join(folder, 'CMakeLists.txt'), block('cmake'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  test('builds a WebAssembly plugin that loads and computes what it says', async () => {
    await run('emcmake', ['cmake', '-B', 'build-wasm', '-G', 'Ninja', `-DMiniTensorSDK_DIR=${sdk}`], { cwd: folder });
    await run('cmake', ['--build', 'build-wasm'], { cwd: folder });
    const mt = await init();
    await mt.plugins.loadPlugin(path.join(folder, 'build-wasm/cube.wasm'));
    const result = mt.customOps.execute('cube', [[1, 2, 3]]);
    expect(result.toArray()).toEqual([1, 8, 27]);
    expect(mt.customOps.describe('cube').hasGradient).toBe(true);
    result.dispose();
    mt.plugins.unloadPlugin('cube');
    expect(mt.memory()).toEqual({ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 });
  }, 120_000);

  test('builds a native plugin from the same source', async () => {
    await run('cmake', ['-B', 'build', '-G', 'Ninja', `-DMiniTensorSDK_DIR=${sdk}`], { cwd: folder });
    await run('cmake', ['--build', 'build'], { cwd: folder });
    const { plugins } = await init();
    const { format, info, ops } = await plugins.inspectPlugin(path.join(folder, 'build/cube.so'));
    expect([format, info.name, ops]).toEqual(['elf', 'cube', ['cube']]);
  }, 120_000);
});
