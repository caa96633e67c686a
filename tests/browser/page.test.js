/*
 * The demo page, used as it is meant to be.
 */
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { inProject } from '../../tools/project.js';
import { startServer } from '../../tools/server.js';
import { NOTHING_ALIVE, demoSite } from './demo_site.js';

const EXAMPLES = inProject('dist/examples/plugins');

const site = demoSite();
/** @type {import('./demo_page.js').DemoPage} */
let demo;

beforeEach(() => {
  demo = site.page;
});

/**
 * @param {number} x
 * @param {number} beta
 */
function swish(x, beta) {
  return x / (1 + Math.exp(-beta * x));
}

/**
 * @param {readonly number[]} row
 * @param {number} epsilon
 */
function rmsnorm(row, epsilon) {
  const squares = row.reduce((sum, x) => sum + x * x, 0);
  return row.map((x) => x / Math.sqrt(squares / row.length + epsilon));
}

/**
 * To the six decimals that the page shows of numbers of this size.
 * @param {readonly number[]} actual
 * @param {readonly number[]} expected
 */
function expectNumbers(actual, expected) {
  expect(actual).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) expect(actual[index]).toBeCloseTo(value, 5);
}

describe('an example', () => {
  test('is inspected, loaded, run and unloaded, and leaves nothing behind', async () => {
    expect(await demo.memory()).toBe(NOTHING_ALIVE);

    await demo.chooseExample('swish');
    const { size } = await stat(path.join(EXAMPLES, 'swish.wasm'));
    const shown = await demo.text('#inspection');
    expect(shown).toMatch(/^swish 1\.0\.0$/m);
    expect(shown).toContain('The activation function x * sigmoid(beta * x)');
    expect(shown).toContain(`swish.wasm, ${size.toLocaleString('en')} bytes`);
    expect(shown).toContain('The MiniTensor authors');
    expect(shown).toContain('MiniTensor 0.1.0 or newer');
    expect(shown).toMatch(/Operations\s+swish\s+Layers\s+none\s+Memory\s+\d+ bytes?\s+Imports\s+\d+, all on the host/);
    expect(shown).toContain('Nothing in it has run yet');
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
    expect(await demo.isVisible('#run-form')).toBe(false);

    await demo.load('swish');
    expect(await demo.text('#inspection')).toContain('This file is loaded.');
    expect(await demo.targets()).toEqual(['swish']);
    expect(await demo.memory()).toMatch(/^1 plugin, 1 custom op, 0 layers, 0 tensors/);

    await demo.typeNumbers('x', '-2,-1,0,1,2');
    await demo.fill('[data-attribute=beta]', '1');
    await demo.run();
    expectNumbers(await demo.result(), [-2, -1, 0, 1, 2].map((x) => swish(x, 1)));
    expect(await demo.drawnPoints()).toBe(5);
    expect(await demo.page.$eval('#plot svg', (svg) => svg.getAttribute('aria-label'))).toBe(
      'Curve of swish over x. Lowest -0.2689, highest 1.762.',
    );
    expect(await demo.memory()).toMatch(/0 tensors, 0 bytes/);

    await demo.unload('swish');
    expect(await demo.targets()).toEqual([]);
    expect(await demo.isVisible('#run-form')).toBe(false);
    expect(await demo.isVisible('#result')).toBe(false);
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
  });

  test('runs with the attribute that is typed', async () => {
    await demo.chooseExample('swish');
    await demo.load('swish');
    await demo.typeNumbers('x', '[-1.5, 0.25, 3]');
    await demo.fill('[data-attribute=beta]', '-0.5');
    await demo.run();
    expectNumbers(await demo.result(), [-1.5, 0.25, 3].map((x) => swish(x, -0.5)));
    expect(await demo.page.$eval('#code', (code) => code.textContent)).toContain(
      "const y = mt.customOps.execute('swish', [x], { beta: -0.5 });",
    );
  });

  test('draws a curve of even steps and of random numbers', async () => {
    await demo.chooseExample('swish');
    await demo.load('swish');
    await demo.mode('x', 'line');
    await demo.run();
    expect(await demo.drawnPoints()).toBe(121);
    await demo.mode('x', 'random');
    await demo.fill('[data-input=x] [data-field=shape]', '4, 5');
    await demo.run();
    await demo.waitForText('#run-status', /20 numbers, shape \[4, 5\]/);
    expect(await demo.result()).toHaveLength(20);
    expect(await demo.drawnPoints()).toBe(20);
  });

  test('can be loaded again after it was unloaded', async () => {
    await demo.chooseExample('swish');
    for (let i = 0; i < 3; i++) {
      await demo.load('swish');
      await demo.run();
      await demo.unload('swish');
    }
    expect(await demo.memory()).toBe(NOTHING_ALIVE);
  });
});

describe('a file', () => {
  test('from the file picker gives its op and its layer', async () => {
    await demo.chooseFile(path.join(EXAMPLES, 'rmsnorm.wasm'));
    await demo.waitForText('#inspection', /Operations\s+rmsnorm\s+Layers\s+RMSNorm/);
    await demo.load('rmsnorm');
    expect(await demo.targets()).toEqual(['rmsnorm', 'New RMSNorm layer…']);

    await demo.typeNumbers('x', '[[1, 2, 3], [4, -5, 6]]');
    await demo.typeNumbers('weight', '1, 1, 0.5');
    await demo.fill('[data-attribute=epsilon]', '0.01');
    await demo.run();
    const rows = [[1, 2, 3], [4, -5, 6]].map((row) => rmsnorm(row, 0.01));
    expectNumbers(await demo.result(), rows.flatMap(([a = 0, b = 0, c = 0]) => [a, b, c / 2]));

    await demo.target('New RMSNorm layer…');
    await demo.fill('#config', '{ "size": 3, "epsilon": 0.5 }');
    await demo.page.click('#run-button');
    await demo.waitForText('#loaded', /Layer RMSNorm 1/);
    expect(await demo.memory()).toMatch(/1 layer, 0 tensors, 12 bytes/);
    await demo.typeNumbers('x0', '1, 2, 3');
    await demo.run();
    expectNumbers(await demo.result(), rmsnorm([1, 2, 3], 0.5));

    await demo.page.click('[aria-label="Dispose RMSNorm 1"]');
    await demo.waitForText('#memory', /0 layers, 0 tensors, 0 bytes/);
    expect(await demo.targets()).toEqual(['rmsnorm', 'New RMSNorm layer…']);
  });

  test('that is dropped on the page is inspected', async () => {
    const bytes = [...(await readFile(path.join(EXAMPLES, 'swish.wasm')))];
    await demo.page.evaluate((content) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(content)], 'dropped.wasm'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('#drop-zone')?.dispatchEvent(drop);
    }, bytes);
    await demo.waitForText('#inspection', /dropped\.wasm/);
    expect(await demo.text('#inspection')).toContain('Nothing in it has run yet');
  });
});

test('unloading a plugin releases its layers first', async () => {
  await demo.chooseExample('rmsnorm');
  await demo.load('rmsnorm');
  for (const number of [1, 2]) {
    await demo.target('New RMSNorm layer…');
    await demo.page.click('#run-button');
    await demo.waitForText('#loaded', new RegExp(`Layer RMSNorm ${number}`));
  }
  await demo.run();
  expect(await demo.memory()).toMatch(/2 layers/);
  await demo.unload('rmsnorm');
  expect(await demo.text('#unload-error')).toBe('');
  expect(await demo.memory()).toBe(NOTHING_ALIVE);
});

test('the keyboard alone leads through the whole page', async () => {
  const { keyboard } = demo.page;
  await demo.tabTo('[data-example=swish]');
  await keyboard.press('Enter');
  await demo.waitForText('#inspection h3', /^swish/);
  await demo.tabTo('#file');
  await demo.tabTo('#inspection summary');
  await demo.tabTo('#load');
  await keyboard.press('Space');
  await demo.waitForText('#loaded', /^swish/);
  expect(await demo.focus()).toBe('#load');

  await demo.tabTo('#target');
  await demo.tabTo('[data-input=x] input[value=line]');
  await keyboard.press('ArrowLeft');
  await demo.tabTo('[data-input=x] textarea');
  await keyboard.down('Control');
  await keyboard.press('KeyA');
  await keyboard.up('Control');
  await keyboard.type('0, 2');
  await demo.tabTo('[data-attribute=beta]');
  await keyboard.press('Enter');
  await demo.waitForText('#run-status', /2 numbers/);
  expectNumbers(await demo.result(), [0, swish(2, 1)]);
  await demo.tabTo('#run-button');
  await demo.tabTo('#axis');
  await demo.tabTo('#numbers');
  await demo.tabTo('#copy');

  await demo.tabTo('[aria-label="Unload swish"]', { backwards: true });
  await keyboard.press('Enter');
  await demo.waitForText('#loaded-empty', /Nothing/);
  expect(await demo.focus()).toBe('#loaded-heading');
});

test('every control has a name', async () => {
  await demo.chooseExample('rmsnorm');
  await demo.load('rmsnorm');
  await demo.run();
  const nameless = await demo.page.$$eval('input, select, textarea, button, svg, [tabindex="0"]', (controls) =>
    controls
      .filter((control) => {
        const labels = 'labels' in control && control.labels instanceof NodeList ? [...control.labels] : [];
        const texts = [control.ariaLabel, ...labels.map((label) => label.textContent)];
        if (control instanceof HTMLButtonElement || control.id === 'code') texts.push(control.textContent);
        return !texts.some((text) => text?.trim());
      })
      .map((control) => control.outerHTML),
  );
  expect(nameless).toEqual([]);
});

test('the page fits into every width from 360 pixels up', async () => {
  await demo.chooseExample('rmsnorm');
  await demo.load('rmsnorm');
  await demo.run();
  for (const width of [1280, 1000, 900, 800, 600, 360]) {
    await demo.page.setViewport({ width, height: 700 });
    // The curve is drawn anew for a new width.
    await demo.page.waitForFunction(() => {
      const place = document.querySelector('#plot');
      return place && Number(place.querySelector('svg')?.getAttribute('width')) === place.clientWidth;
    });
    expect(await demo.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('the page works in any folder of a site', async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), 'minitensor-site-'));
  const server = await startServer({ root });
  try {
    const place = path.join(root, 'web/some/where');
    for (const part of ['web', 'dist']) await cp(inProject(part), path.join(place, part), { recursive: true });
    demo = await site.open(`${server.url}some/where/web/`);
    await demo.chooseExample('swish');
    await demo.load('swish');
    await demo.run();
  } finally {
    await server.close();
    await rm(root, { recursive: true });
  }
});
