/*
 * The training example, in a shortened form: fewer digits, and each seen twice.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { beforeAll, expect, test } from '@jest/globals';
import { decodeSafetensors } from 'minitensor/files';

import { setupNpm } from '../../tools/setup/npm.js';
import { instanceForTests } from './support/instance.js';

const root = path.resolve(import.meta.dirname, '../..');
const mt = await instanceForTests();

beforeAll(() => setupNpm(path.join(root, 'examples/digits'), process.env), 120_000);

test('a classifier of digits learns, and gives equal outputs when it is loaded again', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'minitensor digits '));
  try {
    const file = path.join(folder, 'digits.safetensors');
    const { stdout } = await promisify(execFile)(process.execPath, [
      path.join(root, 'examples/train_digits.js'),
      '--epochs=2',
      '--digits=3000',
      `--save=${file}`,
    ]);
    expect(stdout).toMatch(/^2700 digits to learn from, 300 held out$/m);
    expect(stdout).toMatch(/loaded again it gives equal outputs$/m);
    // No bar where there is no terminal.
    expect(stdout).not.toContain('\r');
    // Guessing is right for one in ten.
    expect(Number(/^Test accuracy: (\S+) %$/m.exec(stdout)?.[1])).toBeGreaterThan(80);

    const bytes = await readFile(file);
    mt.tidy(() => {
      const shapes = Object.entries(decodeSafetensors(mt, bytes).tensors).map(([name, { shape }]) => [name, shape]);
      expect(shapes).toEqual([['0.weight', [784, 128]], ['0.bias', [128]], ['2.weight', [128, 10]], ['2.bias', [10]]]);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);
