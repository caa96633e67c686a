/* `minitensor inspect`. What inspectPlugin finds is tested with it. */
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from '@jest/globals';
import { init } from 'minitensor';

import { inProject } from '../../tools/project.js';
import { examplePlugin, testPlugin } from '../js/support/plugin_files.js';
import { minitensor, temporaryFolder } from './support/command.js';

const folder = temporaryFolder();
const swish = examplePlugin('swish');

describe('inspect', () => {
  test('prints what inspectPlugin says, as JSON, with the signature', async () => {
    const mt = await init();
    const { code, stdout, stderr } = await minitensor(['inspect', swish, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const inspection = await mt.plugins.inspectPlugin(swish);
    expect(JSON.parse(stdout)).toEqual({ file: swish, ...JSON.parse(JSON.stringify(inspection)), signature: null });
    mt.close();
  });

  test('prints it for people', async () => {
    const file = path.join(folder, 'ö swish.wasm');
    copyFileSync(swish, file);
    const { code, stdout, stderr } = await minitensor(['inspect', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const size = (readFileSync(swish).length / 1000).toFixed(1);
    for (const line of [
      /^plugin +swish 1\.0\.0$/m,
      /^author +The MiniTensor authors$/m,
      /^format +WebAssembly side module$/m,
      /^MiniTensor +at least 0\.1\.0; plugin ABI 1$/m,
      /^needs +none$/m,
      /^ops +swish$/m,
      new RegExp(`^size +${size} kB: code [\\d.]+ k?B, data [\\d.]+ k?B$`, 'm'),
      /^takes +[\d.]+ k?B of memory, \d+ table slots$/m,
      /^exports +.*\bcreate_plugin\b/m,
      /^imports +.*\bmemory\b/m,
      /^missing +none$/m,
      /^signature +none$/m,
      /\n\nThis MiniTensor can load it\.\n$/,
    ]) expect(stdout).toMatch(line);
  });

  test("prints what docs/command-line.md shows, but for sizes, which are the compiler's", async () => {
    const withoutSizes = (/** @type {string} */ text) => text.replaceAll(/[\d.]+ k?B/g, 'some');
    const guide = readFileSync(inProject('docs/command-line.md'), 'utf8');
    const { stdout } = await minitensor(['inspect', swish]);
    expect(withoutSizes(guide)).toContain(`\`\`\`text\n${withoutSizes(stdout)}\`\`\``);
  });

  test('says why this MiniTensor would not load a file, and ends with 1', async () => {
    const { code, stdout, stderr } = await minitensor(['inspect', testPlugin('missing_import')]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^problem {2}\S/m);
    expect(stdout).not.toContain('can load it');
    const json = JSON.parse((await minitensor(['inspect', testPlugin('missing_import'), '--json'])).stdout);
    expect(json).toMatchObject({ loadable: false });
    for (const name of json.missingImports) expect(stdout).toMatch(new RegExp(`^missing +.*\\b${name}\\b`, 'm'));
    for (const problem of json.problems) expect(stdout).toContain(`problem  ${problem}\n`);
  });

  test('says that a file is no plugin', async () => {
    const { code, stdout, stderr } = await minitensor(['inspect', inProject('package.json')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^minitensor inspect: .*package\.json is a JSON text, not a plugin/);
  });
});
