/*
 * Parts of the package that are loaded once they are needed, where the files of the package are not complete.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, describe, expect, test } from '@jest/globals';
import { generateSigningKeys, signPlugin } from 'minitensor/signature';

import { inProject } from '../../tools/project.js';
import { rejectionOf } from './support/errors.js';
import { examplePlugin } from './support/plugin_files.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-parts-'));
for (const file of readdirSync(inProject('dist')).filter((name) => name === 'core' || name.endsWith('.js'))) {
  if (!/^(signature|isolated_start)\b/.test(file)) cpSync(inProject('dist', file), path.join(folder, file), { recursive: true });
}
afterAll(() => rmSync(folder, { recursive: true }));

/** @type {typeof import('minitensor')} */
const { PluginError, init } = await import(pathToFileURL(path.join(folder, 'index.js')).href);
const keys = await generateSigningKeys();

describe('without a part\'s file, an error says so and a plugin that does not need it loads', () => {
  /** @type {[string, object][]} */
  const cases = [
    ['signature', { trustedKeys: [keys.publicKey] }],
    ['isolated_start', { isolated: true }],
  ];
  test.each(cases)('%s', async (name, options) => {
    const mt = await init();
    const signed = await signPlugin(examplePlugin('swish'), keys.privateKey);
    const rejection = await rejectionOf(mt.plugins.loadPlugin(signed, options));
    const error = /** @type {InstanceType<typeof PluginError>} */ (rejection);
    expect(error).toBeInstanceOf(PluginError);
    expect(error.phase).toBe('fetch');
    expect(error.message).toMatch(/^loadPlugin: a part of MiniTensor itself cannot be loaded: /);
    expect(error.message).toContain(name);
    expect(error.hint).toContain('publish all files');
    expect(mt.plugins.listPlugins()).toEqual([]);
    expect((await mt.plugins.loadPlugin(signed)).name).toBe('swish');
    mt.close();
  });
});

describe('the program that reads plugins\' files', () => {
  test('when it is not there, is asked for again by the next load', async () => {
    const place = path.join(folder, 'elsewhere.wasm');
    const mt = await init({ inspector: place });
    const rejection = await rejectionOf(mt.plugins.inspectPlugin(examplePlugin('swish')));
    expect(rejection).toBeInstanceOf(PluginError);
    expect(rejection).toMatchObject({ phase: 'fetch', message: expect.stringContaining(place) });
    cpSync(inProject('dist/core/inspector.wasm'), place);
    expect((await mt.plugins.loadPlugin(examplePlugin('swish'))).name).toBe('swish');
    mt.close();
  });

  test('may be given as bytes, and goes to the worker of an isolated plugin', async () => {
    const bytes = readFileSync(inProject('dist/core/inspector.wasm'));
    const { init: initWhole } = await import('minitensor');
    const mt = await initWhole({ inspector: bytes });
    const isolated = await mt.plugins.loadPlugin(examplePlugin('swish'), { isolated: true });
    expect(isolated.ops).toEqual(['swish']);
    mt.close();
  });

  test('reads a large file and then others', async () => {
    const { init: initWhole } = await import('minitensor');
    const mt = await initWhole();
    const large = new Uint8Array(8 * 1024 * 1024);
    await expect(mt.plugins.inspectPlugin(large)).rejects.toThrow('of an unknown kind');
    expect((await mt.plugins.inspectPlugin(examplePlugin('swish'))).ops).toEqual(['swish']);
    mt.close();
  });
});

test('a trusted key is the one that it was at the call', async () => {
  const { init: initWhole } = await import('minitensor');
  const mt = await initWhole();
  const file = await signPlugin(examplePlugin('swish'), keys.privateKey);
  const trusted = Uint8Array.from(Buffer.from(String(keys.publicKey.split('\n')[1]), 'base64')).slice(-32);
  const trustedKeys = [trusted];
  const loading = mt.plugins.loadPlugin(file, { trustedKeys });
  trusted.fill(1);
  trustedKeys.length = 0;
  expect((await loading).name).toBe('swish');
  mt.close();
});
