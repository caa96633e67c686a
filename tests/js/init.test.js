import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MiniTensorError, init } from 'minitensor';

import { expectError, rejectionOf, wrong } from './support/errors.js';
import { builderFor } from './support/instance.js';

const url = new URL('../../dist/core/minitensor.wasm', import.meta.url);
const staticUrl = new URL('../../dist/core-static/minitensor.wasm', import.meta.url);
const bytes = new Uint8Array(readFileSync(url));

const server = createServer((request, response) => {
  const found = request.url === '/core.wasm';
  response.statusCode = found || request.url === '/page' ? 200 : 404;
  response.end(found ? bytes : '<!doctype html><title>Page</title>');
});
let origin = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address && typeof address === 'object') origin = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** @param {Parameters<typeof init>[0]} options */
async function works(options) {
  const mt = await init(options);
  expect(mt.tidy(() => mt.add([1], [2]).toArray())).toEqual([3]);
}

describe('init', () => {
  test('needs no options', () => works(undefined));
  test('takes an empty object', () => works({}));
  test('takes the core as a URL', () => works({ wasm: url }));
  test('takes the core as the text of a URL', () => works({ wasm: url.href }));
  test('takes the core as a path', () => works({ wasm: fileURLToPath(url) }));
  test('takes the core as bytes', () => works({ wasm: bytes }));
  test('takes the core as an ArrayBuffer', () => works({ wasm: bytes.buffer }));
  test('takes the core as a compiled module', async () => works({ wasm: await WebAssembly.compile(bytes) }));
  test('takes the core from a server', () => works({ wasm: `${origin}/core.wasm` }));

  test('takes bytes that the caller changes afterwards', async () => {
    const own = bytes.slice();
    const promise = init({ wasm: own });
    own.fill(0);
    const mt = await promise;
    expect(mt.memory().tensors).toBe(0);
  });

  /** @type {[string, () => unknown, RegExp][]} */
  const wrongCores = [
    ['a file that is not there', () => new URL('./nowhere.wasm', import.meta.url), /nowhere\.wasm/],
    ['a server\'s page', () => `${origin}/page`, /page/],
    ['a server\'s 404', () => `${origin}/nothing`, /404/],
    ['bytes that are no WebAssembly', () => new Uint8Array([1, 2, 3, 4]), /magic/i],
    ['no bytes', () => new Uint8Array(), /./],
    ['half of the core', () => bytes.slice(0, bytes.length / 2), /./],
    ['an empty module', () => new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), /./],
    ['the core of the other build', () => staticUrl, /./],
    ['a number', () => 5, /./],
    ['an object', () => ({}), /./],
  ];
  test.each(wrongCores)('refuses %s with a MiniTensorError', async (_, wasm, message) => {
    const error = expectError(await rejectionOf(init({ wasm: wrong(wasm()) })), MiniTensorError, message);
    expect(error.code).toBe('MT_INIT');
    expect(error.message).toMatch(/^init: the core cannot be started/);
    expect(error.cause).toBeDefined();
  });

  test('finds an address again that did not answer the first time', async () => {
    let requests = 0;
    const flaky = createServer((_, response) => {
      response.statusCode = requests++ === 0 ? 503 : 200;
      response.end(bytes);
    });
    flaky.listen(0, '127.0.0.1');
    await once(flaky, 'listening');
    const address = /** @type {import('node:net').AddressInfo} */ (flaky.address());
    const wasm = `http://127.0.0.1:${address.port}/core.wasm`;
    expectError(await rejectionOf(init({ wasm })), MiniTensorError, '503');
    await works({ wasm });
    await works({ wasm });
    expect(requests).toBe(2);
    flaky.closeAllConnections();
    flaky.close();
  });

  test.each([null, 1, 'path', true])('refuses options that are no object (%#)', async (options) => {
    expectError(await rejectionOf(init(wrong(options))), TypeError, 'options must be an object');
  });
});

describe('two instances', () => {
  test('have ops, plugins, layers and memory of their own', async () => {
    const [one, two] = await Promise.all([init(), init()]);
    one.customOps.register({ name: 'op', numInputs: 0, forward: () => new one.Tensor([1]) });
    const registry = new one.plugins.PluginRegistry();
    registry.register(builderFor(one, 'p').build());
    const layer = new one.plugins.CustomLayer('l');
    const x = new one.Tensor([1]);
    expect(one.memory()).toEqual({ tensors: 1, bytes: 4, layers: 1, ops: 1, plugins: 1, callbacks: 2 });
    expect(two.memory()).toEqual({ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 });
    expect(two.customOps.isRegistered('op')).toBe(false);
    two.customOps.register({ name: 'op', numInputs: 0, forward: () => new two.Tensor([2]) });
    expect(one.customOps.execute('op', []).toArray()).toEqual([1]);
    expect(two.customOps.execute('op', []).toArray()).toEqual([2]);
    layer.dispose();
    x.dispose();
  });

  test('may call each other from within an op', async () => {
    const [one, two] = await Promise.all([init(), init()]);
    two.customOps.register({ name: 'thrower', numInputs: 0, forward: () => { throw new Error('of two'); } });
    one.customOps.register({
      name: 'op',
      numInputs: 1,
      forward: ([x]) => {
        expect(() => two.customOps.execute('thrower', [])).toThrow('of two');
        return new one.Tensor(two.tidy(() => two.exp(x.toArray()).toArray()));
      },
    });
    expect(one.customOps.execute('op', [[0]]).toArray()).toEqual([1]);
  });

  test('a plugin of one may be registered in the other, but its registry is the one\'s own', async () => {
    const [one, two] = await Promise.all([init(), init()]);
    const plugin = builderFor(one, 'p').build();
    const registry = new two.plugins.PluginRegistry();
    registry.register(plugin);
    expect([one.memory().plugins, two.memory().plugins]).toEqual([0, 1]);
  });

  test('fifty of them work side by side', async () => {
    const instances = await Promise.all(Array.from({ length: 50 }, () => init()));
    const sums = instances.map((mt, i) => mt.tidy(() => mt.add(i, 1).item()));
    expect(sums).toEqual(instances.map((_, i) => i + 1));
  });
});
