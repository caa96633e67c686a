/*
 * The examples run, print what their comments say, and the contract's stand in the documentation word for word.
 */
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { runExample } from './support/promised_output.js';

const root = path.resolve(import.meta.dirname, '../..');
const contract = (await readdir(path.join(root, 'examples/contract'))).filter((name) => name.endsWith('.js'));

test('the C++ example stands in docs/plugins.md', async () => {
  const source = await readFile(path.join(root, 'examples/contract/7_cpp_plugin.cpp'), 'utf8');
  expect(await readFile(path.join(root, 'docs/plugins.md'), 'utf8')).toContain(`\`\`\`cpp\n${source}\`\`\``);
});

describe.each(contract)('examples/contract/%s', (name) => {
  test('prints what it says', async () => {
    const file = path.join(root, 'examples/contract', name);
    const { stdout, missing } = await runExample(file, await readFile(file, 'utf8'));
    expect(missing).toEqual([]);
    expect(stdout).not.toBe('');
  });

  test('stands in docs/plugins.md', async () => {
    const source = await readFile(path.join(root, 'examples/contract', name), 'utf8');
    expect(await readFile(path.join(root, 'docs/plugins.md'), 'utf8')).toContain(`\`\`\`js\n${source}\`\`\``);
  });
});

test('the quickstart prints the plugin\'s values beside the formula\'s, and leaves nothing alive', async () => {
  const file = path.join(root, 'examples/quickstart.js');
  const { stdout } = await runExample(file, '');
  const rows = [...stdout.matchAll(/x = +(\S+) +plugin (\S+) +formula (\S+)/g)];
  expect(rows.map(([, x]) => x)).toEqual(['-2', '-1', '0', '1', '2']);
  for (const [, x, plugin, formula] of rows) {
    expect(Number(formula)).toBeCloseTo(Number(x) / (1 + Math.exp(-Number(x))), 5);
    expect(plugin).toBe(formula);
  }
  expect(stdout).toMatch(/Alive at the end: \{ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 \}/);
});
