/*
 * C++ programs of a stranger's: they link the installed package through find_package, register a plugin of their own
 * and execute its op, and load a compiled plugin from a file.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateSigningKeys, signPlugin } from 'minitensor/signature';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const build = path.join(root, 'build/native-release');

describe('a C++ program over the installed package', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'minitensor consumer ä '));
    const prefix = path.join(folder, 'installed');
    if (!existsSync(build)) await run('cmake', ['--preset', 'native-release'], { cwd: root });
    await run('cmake', ['--build', build, '--target', 'minitensor_core', 'swish']);
    await run('cmake', ['--install', build, '--prefix', prefix, '--component', 'core']);
    const source = path.join(root, 'tests/consumer');
    const output = path.join(folder, 'build');
    await run('cmake', ['-S', source, '-B', output, '-G', 'Ninja', `-DCMAKE_PREFIX_PATH=${prefix}`]);
    await run('cmake', ['--build', output]);
  }, 300_000);

  afterAll(() => rm(folder, { recursive: true }));

  test('registers a plugin of its own and executes its op', async () => {
    const { stdout } = await run(path.join(folder, 'build/cpp_plugin'));
    expect(stdout.trim().split('\n')).toEqual(['Plugin initialized', '1', '8', '27', 'Plugin cleaned up']);
  });

  test('loads a compiled plugin and executes its op', async () => {
    const { stdout } = await run(path.join(folder, 'build/consumer'), [path.join(build, 'plugins/swish.so')]);
    const swishOfOne = (1 / (1 + Math.exp(-1))).toFixed(6);
    expect(stdout.trim().split('\n')).toEqual(['swish 1.0.0', swishOfOne]);
  });

  test('loads a plugin that is signed', async () => {
    const plugin = path.join(folder, 'signed.so');
    const { privateKey } = await generateSigningKeys();
    await writeFile(plugin, await signPlugin(path.join(build, 'plugins/swish.so'), privateKey));
    const { stdout } = await run(path.join(folder, 'build/consumer'), [plugin]);
    expect(stdout).toContain('swish 1.0.0');
  });

  test('is told what is wrong with a file that is no plugin', async () => {
    const file = path.join(root, 'README.md');
    await expect(run(path.join(folder, 'build/consumer'), [file])).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`plugin file ${file} is of an unknown kind`),
    });
  });
});
