/*
 * The demo page, given what it cannot take.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { presetFolder } from '../../tools/build/preset.js';
import { inProject } from '../../tools/project.js';
import { NOTHING_ALIVE, demoSite } from './demo_site.js';

const EXAMPLES = inProject('dist/examples/plugins');
const TEST_PLUGINS = path.join(presetFolder('wasm-debug'), 'test-plugins');

/** @type {string} */
let folder;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'minitensor-files-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const site = demoSite();
/** @type {import('./demo_page.js').DemoPage} */
let demo;

beforeEach(() => {
  demo = site.page;
});

/**
 * @param {string} name
 * @param {string | Uint8Array} content
 */
async function fileOf(name, content) {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

/** @param {string} name of a plugin of tests/plugins */
async function chooseTestPlugin(name) {
  await demo.chooseFile(path.join(TEST_PLUGINS, `${name}.wasm`));
  await demo.waitForText('#inspection h3', new RegExp(`^${name} `));
}

describe('a file', () => {
  test('that is a page, damaged or no plugin is refused with the reason', async () => {
    const swishBytes = await readFile(path.join(EXAMPLES, 'swish.wasm'));
    const cases = [
      { name: 'page.wasm', content: '<!doctype html><title>Not found</title>', reason: /HTML page/ },
      { name: 'cut.wasm', content: swishBytes.subarray(0, swishBytes.length / 2), reason: /truncated or damaged/ },
      { name: 'empty.wasm', content: '', reason: /empty/ },
      { name: 'core.wasm', content: await readFile(inProject('dist/core/minitensor.wasm')), reason: /own core/ },
    ];
    await demo.chooseExample('swish');
    await demo.load('swish');
    for (const { name, content, reason } of cases) {
      await demo.chooseFile(await fileOf(name, content));
      await demo.waitForText('#choose-error', new RegExp(`PluginError in phase[^]*${name}[^]*Hint: `));
      expect(await demo.text('#choose-error')).toMatch(reason);
      expect(await demo.isVisible('#inspection')).toBe(false);
    }
    expect(await demo.memory()).toMatch(/^1 plugin, 1 custom op/);
    await demo.run();

    await demo.chooseExample('rmsnorm');
    expect(await demo.text('#choose-error')).toBe('');
  });

  test('that is loaded already is refused, and the loaded one still runs', async () => {
    await demo.chooseExample('swish');
    await demo.load('swish');
    await demo.page.click('#load');
    await demo.waitForText('#load-error', /PluginError[^]*"swish"[^]*loaded already/);
    expect(await demo.memory()).toMatch(/^1 plugin, 1 custom op/);
    await demo.run();
  });
});

describe('bad input', () => {
  beforeEach(async () => {
    await demo.chooseExample('swish');
    await demo.load('swish');
  });

  test('is named at the field and breaks nothing', async () => {
    const cases = [
      { numbers: '1, two, 3', problem: /“two” at character 4 is not a number/ },
      { numbers: '', problem: /Type some numbers/ },
      { numbers: '[1, 2', problem: /bracket at character 1 is not closed/ },
      { numbers: '1, 2]', problem: /bracket at character 5 closes nothing/ },
      { numbers: '1,, 2', problem: /number is missing before the comma at character 3/ },
      { numbers: '[[1, 2], [3]]', problem: /ragged/ },
      { numbers: '['.repeat(12) + ']'.repeat(12), problem: /nested more than/ },
      { numbers: '['.repeat(30), problem: /nested more than/ },
    ];
    for (const { numbers, problem } of cases) {
      await demo.typeNumbers('x', numbers);
      await demo.page.click('#run-button');
      await demo.waitForText('[data-input=x] .field-error', problem);
      expect(await demo.page.$eval('[data-input=x] textarea', (area) => area === document.activeElement)).toBe(true);
    }
    await demo.typeNumbers('x', '1');
    await demo.run();
    expect(await demo.text('[data-input=x] .field-error')).toBe('');
    expect(await demo.memory()).toMatch(/0 tensors, 0 bytes/);
  });

  test('of a count is limited with a message', async () => {
    await demo.mode('x', 'line');
    for (const [count, problem] of /** @type {const} */ ([
      ['1e12', /takes up to 100,000 numbers/],
      ['2.5', /whole number/],
      ['many', /“many” is not a number/],
    ])) {
      await demo.fill('[data-input=x] [data-field=count]', count);
      await demo.page.click('#run-button');
      await demo.waitForText('[data-input=x] .field-error', problem);
    }
    await demo.fill('[data-input=x] [data-field=count]', '100000');
    await demo.run();
    expect(await demo.result()).toHaveLength(200);
  });

  test('of an attribute is named at its field', async () => {
    await demo.fill('[data-attribute=beta]', 'steep');
    await demo.page.click('#run-button');
    await demo.waitForText('#attributes', /beta: “steep” is not a number/);
  });

  test('NaN and infinities are numbers, and the curve leaves them out', async () => {
    await demo.typeNumbers('x', '0, 1, 2, NaN, Infinity');
    await demo.run();
    const result = await demo.result();
    expect(result.slice(3)).toEqual([NaN, Infinity]);
    expect(await demo.text('#plot-caption')).toMatch(/2 numbers not finite/);
    expect(await demo.drawnPoints()).toBe(3);
    await demo.typeNumbers('x', 'NaN');
    await demo.run();
    expect(await demo.text('#plot-caption')).toMatch(/nothing to draw/);
    await demo.typeNumbers('x', '[]');
    await demo.run();
    expect(await demo.text('#plot-caption')).toMatch(/no numbers/);
  });

  test('that the plugin refuses is shown with the plugin’s message', async () => {
    await demo.chooseExample('rmsnorm');
    await demo.load('rmsnorm');
    await demo.target('rmsnorm');
    await demo.typeNumbers('weight', '1, 2');
    await demo.page.click('#run-button');
    await demo.waitForText('#run-error', /ShapeError[^]*weight must be of shape \[4\]/);
    await demo.target('New RMSNorm layer…');
    await demo.fill('#config', '{ "size": -1 }');
    await demo.page.click('#run-button');
    await demo.waitForText('#run-error', /ValueError[^]*size must be a positive integer/);
    await demo.fill('#config', '{ size }');
    await demo.page.click('#run-button');
    await demo.waitForText('#attributes .field-error', /JSON/);
    expect(await demo.memory()).toMatch(/0 layers, 0 tensors, 0 bytes/);
  });
});

describe('a plugin', () => {
  test('whose imports the host lacks is shown with them, and not loaded', async () => {
    await chooseTestPlugin('missing_import');
    const shown = await demo.text('#inspection');
    expect(shown).toMatch(/2 missing on the host/);
    expect(shown).toMatch(/✗ host_of_nothing function/);
    await demo.page.click('#load');
    await demo.waitForText('#load-error', /PluginError in phase imports[^]*host_of_nothing[^]*another_missing[^]*Hint: /);
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
  });

  test('for another version is refused', async () => {
    await chooseTestPlugin('needs_newer');
    expect(await demo.text('#inspection')).toContain('MiniTensor 99.0.0 or newer');
    await demo.page.click('#load');
    await demo.waitForText('#load-error', /PluginError in phase version[^]*99\.0\.0[^]*Hint: /);
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
  });

  test('that traps is shown as an error, and the others still run', async () => {
    await chooseTestPlugin('throws_trap');
    await demo.load('throws_trap');
    await demo.page.click('#run-button');
    await demo.waitForText('#run-error', /PluginError[^]*trap/);
    await demo.chooseExample('swish');
    await demo.load('swish');
    await demo.target('swish');
    await demo.run();
    await demo.unload('throws_trap');
    await demo.unload('swish');
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
  });

  test('whose cleanup fails is gone, and the error is shown', async () => {
    await chooseTestPlugin('cleanup_fails');
    await demo.load('cleanup_fails');
    await demo.unload('cleanup_fails');
    await demo.waitForText('#unload-error', /cleanup fails/);
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
  });

  test('gets a field for each kind of attribute', async () => {
    await chooseTestPlugin('all_attributes');
    await demo.load('all_attributes');
    await demo.page.click('#run-button');
    await demo.waitForText('#attributes', /required is empty/);
    await demo.fill('[data-attribute=required]', '7');
    await demo.fill('[data-attribute=integers]', '4, 5.5');
    await demo.page.click('#run-button');
    await demo.waitForText('#attributes', /integers: 5\.5 is not an integer/);
    await demo.fill('[data-attribute=integers]', '4, 5');
    await demo.fill('[data-attribute=text]', 'abc');
    await demo.page.click('[data-attribute=boolean]');
    await demo.run();
    expect(await demo.result()).toEqual([1.5, 3, 97, 0, 7, 4, 5]);
  });
});
