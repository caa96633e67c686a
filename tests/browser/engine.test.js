/*
 * The engine in a browser, and the page around it.
 */
import { readFile } from 'node:fs/promises';

import { beforeEach, expect, test } from '@jest/globals';

import { inProject } from '../../tools/project.js';
import { demoSite } from './demo_site.js';

const site = demoSite();
/** @type {import('./demo_page.js').DemoPage} */
let demo;

beforeEach(() => {
  demo = site.page;
});

test('the package computes in the browser as its documentation says', async () => {
  const computed = await demo.page.evaluate(async (address) => {
    /** @type {typeof import('../../dist/index.js')} */
    const { init, ShapeError, VERSION } = await import(address);
    const mt = await init();
    const names = mt.tidy(() => {
      const a = new mt.Tensor([[1, 2], [3, 4]]);
      const b = new mt.Tensor([[5, 6], [7, 8]]);
      let refusal;
      try {
        mt.matmul(a, [[1, 2, 3]]);
      } catch (error) {
        refusal = error instanceof ShapeError ? error.message : error;
      }
      return {
        sum: mt.add(a, b).toArray(),
        product: mt.matmul(a, b).toArray(),
        scaled: a.mul(10).toArray(),
        mean: a.mean().item(),
        float64: new mt.Tensor([0.1], { dtype: 'float64' }).toArray(),
        refusal,
      };
    });
    return { ...names, version: VERSION, memory: mt.memory() };
  }, new URL('dist/index.js', site.url).href);
  const { version } = JSON.parse(await readFile(inProject('package.json'), 'utf8'));
  expect(computed).toEqual({
    sum: [[6, 8], [10, 12]],
    product: [[19, 22], [43, 50]],
    scaled: [[10, 20], [30, 40]],
    mean: 2.5,
    float64: [0.1],
    refusal: expect.stringContaining('matmul'),
    version,
    memory: { tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 },
  });
  expect(await demo.text('#engine-status')).toBe(`Engine ready, version ${version}`);
});

test('the security policy is in force', async () => {
  const violated = await demo.page.evaluate(() => new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
    const script = document.createElement('script');
    script.textContent = 'document.title = "inline"';
    document.body.append(script);
  }));
  expect(violated).toMatch(/^script-src/);
  expect(await demo.page.title()).toBe('MiniTensor plugins');
  // The browser reports it, too, as it should.
  await demo.page.goto('about:blank');
  demo.problems.length = 0;
});

test('the page says so when the engine is missing', async () => {
  const { page } = demo;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (request.url().endsWith('/minitensor.wasm')) request.respond({ status: 404, body: '' });
    else request.continue();
  });
  await page.setCacheEnabled(false);
  await page.reload();
  await demo.waitForText('#engine-status', /did not start[^]*404/);
  // Leaving ends the request, whose answer the engine did not read to its end.
  await page.goto('about:blank');
  expect(demo.problems.splice(0).join('\n')).toMatch(/minitensor\.wasm was answered 404/);
});
