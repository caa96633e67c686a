/*
 * The benchmark runs, and each library in it computes what is timed; it checks that itself. No time is judged here.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');

/** @param {string[]} args */
const bench = (...args) => promisify(execFile)(process.execPath, [path.join(root, 'bench/index.js'), ...args], {
  env: { ...process.env, NODE_OPTIONS: '' },
});

test('npm run bench times the loading of plugins, their calls, and the engine', async () => {
  const { stdout } = await bench('--no-peers', '--rounds=1');
  expect(stdout).toMatch(/^a plugin of 4\.0 KB +\S+ (ms|µs) +3 ms$/m);
  expect(stdout).toMatch(/^a plugin of 9\d\.\d KB +\S+ (ms|µs) +10 ms$/m);
  expect(stdout).toMatch(/^100 plugins, one after the other +\S+ ms +1000 ms$/m);
  expect(stdout).toMatch(/^a \+ b, 4 elements +\S+ (µs|ns) +\S+ (µs|ns) +\d+\.\d\d$/m);
  expect(stdout).toMatch(/^matmul, 256 x 256 x 256 +\S+ (?:ms|µs) +- +0\.91$/m);
}, 300_000);

test('npm run bench refuses what it does not know', async () => {
  await expect(bench('--only=everything')).rejects.toMatchObject({ code: 1 });
  await expect(bench('--rounds=none')).rejects.toMatchObject({ code: 1 });
}, 60_000);
