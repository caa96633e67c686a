/*
 * Plugins in a worker and a memory of their own.
 */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';

import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { DTypeError, MiniTensorError, PluginInfo, ShapeError, ValueError, init } from 'minitensor';
import { generateSigningKeys, signPlugin } from 'minitensor/signature';

import { expectError, expectPluginError, rejectionOf, thrownBy, wrong } from './support/errors.js';
import { instanceForTests, stateOf } from './support/instance.js';
import { bytesOf, examplePlugin, testPlugin } from './support/plugin_files.js';
import { PluginServer } from './support/plugin_server.js';

/** @typedef {import('minitensor').IsolatedPlugin} IsolatedPlugin */
/** @typedef {import('minitensor').IsolatedLoadOptions} IsolatedLoadOptions */

const run = promisify(execFile);
const mt = await instanceForTests();
const { plugins, customOps } = mt;
const SWISH = examplePlugin('swish');
const HANGS = testPlugin('hangs');

const server = new PluginServer(bytesOf(SWISH));
beforeAll(() => server.start());
afterAll(() => server.stop());

/** @type {Set<IsolatedPlugin>} */
const open = new Set();
afterEach(() => {
  for (const plugin of open) plugin.close();
  open.clear();
});

/**
 * Loads a plugin for one test.
 * @param {import('minitensor').PluginSource} source
 * @param {Partial<IsolatedLoadOptions>} [options]
 */
async function isolate(source, options) {
  const plugin = await plugins.loadPlugin(source, { isolated: true, ...options });
  open.add(plugin);
  return plugin;
}

/**
 * What an op gives, as nested arrays.
 * @param {Promise<InstanceType<typeof mt.Tensor>>} result
 */
async function valuesOf(result) {
  const tensor = await result;
  const values = tensor.toArray();
  tensor.dispose();
  return values;
}

const swishOf = (/** @type {number} */ x, beta = 1) => x / (1 + Math.exp(-beta * x));

describe('an isolated plugin', () => {
  test('computes what it computes in the instance, and leaves no trace there', async () => {
    const before = stateOf(mt);
    const plugin = await isolate(SWISH);
    expect(plugin.info).toBeInstanceOf(PluginInfo);
    expect([String(plugin.info), plugin.ops, plugin.closed]).toEqual(['swish 1.0.0', ['swish'], false]);
    expect(stateOf(mt)).toEqual(before);
    expect(thrownBy(() => customOps.execute('swish', [[1]]))).toBeInstanceOf(ValueError);
    const isolated = await valuesOf(plugin.execute('swish', [[[-1, 0], [2, 3]]], { beta: 2 }));
    expect(isolated).toEqual([[-1, 0], [2, 3]].map((row) => row.map((x) => expect.closeTo(swishOf(x, 2), 6))));
    await plugins.loadPlugin(SWISH);
    expect(mt.tidy(() => customOps.execute('swish', [[[-1, 0], [2, 3]]], { beta: 2 }).toArray())).toEqual(isolated);
    const gradients = await plugin.gradients('swish', [[1, 2]], [1, 10]);
    expect(gradients.length).toBe(1);
    const expected = mt.tidy(() => customOps.gradients('swish', [[1, 2]], [1, 10])[0]?.toArray());
    expect(gradients[0]?.toArray()).toEqual(expected);
    gradients[0]?.dispose();
    plugins.unloadPlugin('swish');
  });

  test('takes and gives tensors of every dtype and shape, as they are at the call', async () => {
    const plugin = await isolate(SWISH);
    for (const dtype of /** @type {const} */ (['float32', 'float64'])) {
      const x = new mt.Tensor([[1, 2, 3], [4, 5, 6]], { dtype });
      const transposed = x.transpose();
      const result = plugin.execute('swish', [transposed]);
      transposed.dispose();
      x.dispose();
      const y = await result;
      expect([y.dtype, y.shape]).toEqual([dtype, [3, 2]]);
      expect(y.toArray()).toEqual([[1, 4], [2, 5], [3, 6]].map((row) => row.map((v) => expect.closeTo(swishOf(v), 5))));
      y.dispose();
    }
    const scalar = await plugin.execute('swish', [2]);
    expect([scalar.shape, scalar.item()]).toEqual([[], expect.closeTo(swishOf(2), 6)]);
    scalar.dispose();
    const empty = new mt.Tensor([], { shape: [0, 3] });
    expect(await valuesOf(plugin.execute('swish', [empty]))).toEqual([]);
    empty.dispose();
    const numbers = new Float32Array([1, 2]);
    const later = plugin.execute('swish', [numbers]);
    numbers.fill(0);
    expect(await valuesOf(later)).toEqual([expect.closeTo(swishOf(1), 6), expect.closeTo(swishOf(2), 6)]);
  });

  test('answers calls in their order, and keeps its state', async () => {
    const plugin = await isolate(testPlugin('static_state'));
    const calls = Array.from({ length: 20 }, () => valuesOf(plugin.execute('count_calls', [0])));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const another = await isolate(testPlugin('static_state'));
    expect(await valuesOf(another.execute('count_calls', [0]))).toBe(1);
  });

  test('may be there many times, beside one of the same name in the instance', async () => {
    await plugins.loadPlugin(SWISH);
    const all = await Promise.all([isolate(SWISH), isolate(SWISH), isolate(SWISH, { name: 'swish' })]);
    for (const plugin of all) expect(await valuesOf(plugin.execute('swish', [0]))).toBe(0);
    plugins.unloadPlugin('swish');
  });

  test('describes its ops', async () => {
    const plugin = await isolate(testPlugin('all_attributes'));
    expect(plugin.describe('all_attributes')).toMatchObject({ name: 'all_attributes', owner: 'all_attributes' });
    expect(plugin.describe('all_attributes').attributes.map(({ name }) => name)).toContain('integers');
    const given = { number: -2, text: 'ä', boolean: false, integers: [2 ** 40], required: 0 };
    expect(await valuesOf(plugin.execute('all_attributes', [0], given))).toEqual([-2, 2, 0xc3, 0, 0, 2 ** 40]);
    expectError(thrownBy(() => plugin.describe('nothing')), ValueError, /no op "nothing" .*it has: all_attributes/);
  });

  test('is loaded from whatever a plugin is loaded from', async () => {
    const bytes = bytesOf(SWISH);
    const integrity = `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
    const { privateKey, publicKey } = await generateSigningKeys();
    /** @type {[import('minitensor').PluginSource, Partial<IsolatedLoadOptions>][]} */
    const cases = [
      [bytes, { integrity }],
      [await WebAssembly.compile(bytes), {}],
      [`${server.origin}/plugin.wasm`, { timeoutMs: 20_000 }],
      [fetch(`${server.origin}/plugin.wasm`), { maxBytes: bytes.length }],
      [await signPlugin(bytes, privateKey), { trustedKeys: [publicKey] }],
    ];
    for (const [source, options] of cases) {
      const plugin = await isolate(source, options);
      expect(await valuesOf(plugin.execute('swish', [1]))).toBeCloseTo(swishOf(1), 6);
      plugin.close();
    }
    expect(bytes.length).toBeGreaterThan(0); // was not transferred away
  });
});

describe('errors of an isolated plugin', () => {
  test('are those of a plugin in the instance', async () => {
    for (const [file, op, inputs, attributes] of /** @type {const} */ ([
      ['all_attributes', 'all_attributes', [0], {}],
      ['all_attributes', 'all_attributes', [0], { required: 'x' }],
      ['throws_trap', 'trap', [0], {}],
      ['cpp_plugin', 'cpp_throws', [0], { message: 'grüße' }],
      ['cpp_plugin', 'cpp_out_of_memory', [0], {}],
      ['faults_in_op', 'recurse', [0], {}],
      ['faults_in_op', 'abort', [0], {}],
      ['call_op_user', 'sum_of_products', [[1, 2], [1, 2, 3]], {}],
    ])) {
      await plugins.loadPlugin(testPlugin(file));
      const call = () => customOps.execute(op, [...inputs], attributes);
      const own = /** @type {import('minitensor').PluginError} */ (thrownBy(call));
      const plugin = await isolate(testPlugin(file));
      const result = plugin.execute(op, [...inputs], attributes);
      const isolated = /** @type {import('minitensor').PluginError} */ (await rejectionOf(result));
      const { message, code, phase, plugin: name, hint, symbols } = own;
      // The memory of an isolated plugin has a limit of its own.
      const limit = /; the limit is \d+ bytes$/;
      expect([isolated.message.replace(limit, ''), isolated.code]).toEqual([message.replace(limit, ''), code]);
      expect([isolated.phase, isolated.plugin, isolated.hint, isolated.symbols]).toEqual([phase, name, hint, symbols]);
      expect(isolated.constructor).toBe(own.constructor);
      // Neither has taken harm.
      expect(plugin.closed).toBe(false);
      plugin.close();
      plugins.unloadPlugin(file);
    }
  });

  test('at the start are those of loadPlugin, and the instance is as before', async () => {
    /** @type {[string, string, RegExp][]} */
    const cases = [
      [`${server.origin}/page.wasm`, 'read', /page\.wasm is an HTML page.*answered 200, with content type "text\/html"$/],
      [`${server.origin}/missing.wasm`, 'fetch', /answered 404/],
      [testPlugin('no_metadata'), 'metadata', /no_metadata\.wasm has no MiniTensor metadata/],
      [testPlugin('missing_import'), 'imports', /host_of_nothing/],
      [testPlugin('needs_newer'), 'version', /99\.0\.0/],
      [testPlugin('create_fails'), 'create', /no licence/],
      [testPlugin('init_fails'), 'initialize', /initialize fails/],
    ];
    const before = stateOf(mt);
    for (const [source, phase, message] of cases) {
      expectPluginError(await rejectionOf(isolate(source)), phase, message);
      expect(stateOf(mt)).toEqual(before);
    }
    expectPluginError(await rejectionOf(isolate(SWISH, { name: 'other' })), 'metadata', 'is plugin "swish", not "other"');
    expectPluginError(await rejectionOf(isolate(SWISH, { integrity: `sha256-${'A'.repeat(43)}=` })), 'integrity', SWISH);
    const missing = expectPluginError(await rejectionOf(isolate(testPlugin('missing_import'))), 'imports', /./);
    expect([...missing.symbols].sort()).toEqual(['another_missing', 'host_of_nothing']);
  });

  test('of arguments come before anything is sent', async () => {
    const plugin = await isolate(SWISH);
    /** @type {[readonly unknown[], new (...args: never[]) => Error, string | RegExp][]} */
    const cases = [
      [[5, []], TypeError, 'IsolatedPlugin.execute: name must be a string, not 5'],
      [['add', [1, 2]], ValueError, 'no op "add" in isolated plugin "swish"; it has: swish'],
      [['swish', 5], TypeError, 'swish: inputs must be an array, not 5'],
      [['swish', [{}]], TypeError, 'swish: input 0'],
      [['swish', [[[1], [1, 2]]]], ShapeError, 'ragged'],
      [['swish', [new DataView(new ArrayBuffer(8))]], DTypeError, 'DataView'],
      [['swish', [1], { beta: {} }], TypeError, 'swish: attribute "beta"'],
      [['swish', [1], 5], TypeError, 'swish: attributes must be an object, not 5'],
      [['swish', new Array(1)], TypeError, 'swish: input 0 must be a number, not undefined'],
      [['swish', new Array(2 ** 32 - 1)], ValueError, 'at most 64 inputs'],
      [['swish', Array(65).fill(0)], ValueError, 'at most 64 inputs'],
    ];
    for (const [args, Class, message] of cases) {
      expectError(await rejectionOf(Reflect.apply(plugin.execute, plugin, wrong(args))), Class, message);
    }
    const foreign = await init();
    const tensor = new foreign.Tensor([1]);
    expectError(await rejectionOf(plugin.execute('swish', [tensor])), ValueError, 'another instance');
    foreign.close();
    const disposed = new mt.Tensor([1]);
    disposed.dispose();
    expectError(await rejectionOf(plugin.execute('swish', [disposed])), MiniTensorError, 'disposed');
    expectError(await rejectionOf(plugin.execute('swish', [1, 2])), ValueError, /swish.*1.*2/);
    expect(await valuesOf(plugin.execute('swish', [0]))).toBe(0);
  });
});

test('what an isolated plugin logs goes to onLog, and not without end', async () => {
  /** @type {string[]} */
  const lines = [];
  const own = await init({ onLog: (plugin, line) => lines.push(`${plugin}: ${line}`) });
  const plugin = await own.plugins.loadPlugin(testPlugin('registers_late'), { isolated: true });
  expect(lines.splice(0)).toEqual(['registers_late: registers_late: initialize']);
  plugin.close();
  const chatty = await own.plugins.loadPlugin(HANGS, { isolated: true });
  for (let call = 0; call < 2; call++) {
    const y = await chatty.execute('chatter', [3]);
    expect(y.item()).toBe(3);
    y.dispose();
    expect(lines.splice(0)).toEqual([...Array(999).fill('hangs: chatter'), 'hangs: chatter (the last line of this call)']);
  }
  chatty.close();
  own.close();
});

test('what has stopped an isolated plugin stands in its errors and in what it says of itself', async () => {
  const plugin = await isolate(testPlugin('faults_in_op'));
  expect([plugin.faulted, plugin.fault]).toEqual([false, '']);
  const error = expectPluginError(await rejectionOf(plugin.execute('divide', [0])), 'call', /stopped: divide by zero$/);
  expect(error.cause).toMatchObject({ message: expect.stringContaining('divide by zero') });
  expect([plugin.faulted, plugin.fault]).toEqual([true, 'op "divide": divide by zero']);
  const memory = expectPluginError(await rejectionOf(plugin.execute('fill_memory', [0])), 'call', /out of memory/);
  expect(expectError(memory.cause, MiniTensorError, /out of memory/).code).toBe('MT_MEMORY');
});

describe('a call that does not end', () => {
  test('is ended by callTimeoutMs, with its worker', async () => {
    const plugin = await isolate(HANGS, { callTimeoutMs: 3000 });
    expect(await valuesOf(plugin.execute('twice', [[1, 2]]))).toEqual([2, 4]);
    const hanging = plugin.execute('hang', [0]);
    const behind = plugin.execute('twice', [1]);
    const error = expectPluginError(await rejectionOf(hanging), 'call',
      'op "hang" of isolated plugin "hangs" took longer than 3000 ms (option callTimeoutMs); its worker was ended');
    expect([error.plugin, error.hint]).toEqual(['hangs', expect.stringContaining('load the plugin again')]);
    expectPluginError(await rejectionOf(behind), 'call', /op "twice" .*its worker has ended: op "hang"/);
    expect(plugin.closed).toBe(true);
    const later = expectPluginError(await rejectionOf(plugin.execute('twice', [1])), 'call', /worker has ended: op "hang"/);
    expect(later.cause).toBe(error);
    // The instance computes, and loads it anew.
    expect(mt.tidy(() => mt.add(1, 2).item())).toBe(3);
    expect(await valuesOf((await isolate(HANGS)).execute('twice', [3]))).toBe(6);
  });

  test('may be the start itself', async () => {
    const start = isolate(testPlugin('hangs_in_create'), { callTimeoutMs: 3000 });
    expectPluginError(await rejectionOf(start), 'isolate',
      /loadPlugin: the start of isolated plugin .*hangs_in_create\.wasm took longer than 3000 ms/);
    const late = isolate(testPlugin('hangs_in_create'), { timeoutMs: 1000 });
    expectPluginError(await rejectionOf(late), 'isolate', /hangs_in_create\.wasm was not loaded within 1000 ms .*in its worker$/);
    const reason = new Error('enough');
    const controller = new AbortController();
    const aborted = isolate(testPlugin('hangs_in_create'), { signal: controller.signal });
    await sleep(300);
    controller.abort(reason);
    expect(await rejectionOf(aborted)).toBe(reason);
  });
});

describe('option maxMemoryBytes', () => {
  const MIB = 1024 * 1024;

  test('holds against a plugin that takes memory around the allocator', async () => {
    const plugin = await isolate(HANGS, { maxMemoryBytes: 40 * MIB });
    expect(await valuesOf(plugin.execute('grow', [0]))).toBe((40 * MIB) / 65536);
  });

  test('holds against the allocator, and large tensors', async () => {
    const plugin = await isolate(HANGS, { maxMemoryBytes: 40 * MIB });
    // It leaves the host none to say so with.
    expectPluginError(await rejectionOf(plugin.execute('allocate', [0])), 'call', 'op "allocate"');
    expect(await valuesOf(plugin.execute('twice', [1]))).toBe(2);
    const other = await isolate(HANGS, { maxMemoryBytes: 40 * MIB });
    const error = expectError(await rejectionOf(other.execute('twice', [new Float32Array(8 * MIB)])), MiniTensorError, /memory/);
    expect(error.code).toBe('MT_MEMORY');
    expect(await valuesOf(other.execute('twice', [1]))).toBe(2);
  });
});

describe('an isolated plugin ends', () => {
  test('by close(), once', async () => {
    const plugin = await isolate(HANGS);
    const hanging = plugin.execute('hang', [0]);
    const waiting = plugin.execute('twice', [1]);
    await Promise.resolve();
    plugin.close();
    plugin.close();
    expect(plugin.closed).toBe(true);
    expectPluginError(await rejectionOf(hanging), 'call', 'isolated plugin "hangs" was closed');
    expectPluginError(await rejectionOf(waiting), 'call', 'was closed');
    expectPluginError(await rejectionOf(plugin.execute('twice', [1])), 'call', 'was closed');
    expectPluginError(await rejectionOf(plugin.gradients('twice', [1], 1)), 'call', 'was closed');
  });

  test('with its instance, whatever it does', async () => {
    const other = await init();
    const plugin = await other.plugins.loadPlugin(HANGS, { isolated: true });
    const starting = rejectionOf(other.plugins.loadPlugin(HANGS, { isolated: true }));
    const hanging = rejectionOf(plugin.execute('hang', [0]));
    await sleep(20);
    other.close();
    expect(plugin.closed).toBe(true);
    expect(await hanging).toMatchObject({ code: 'MT_CLOSED' });
    expect(await starting).toMatchObject({ code: 'MT_CLOSED' });
    expect(await rejectionOf(plugin.execute('twice', [1]))).toMatchObject({ code: 'MT_CLOSED' });
  });

  test('with the program, which it does not keep alive, but lets it wait for a call', async () => {
    const script = `
      import { init } from 'minitensor';
      const mt = await init();
      const plugin = await mt.plugins.loadPlugin(${JSON.stringify(HANGS)}, { isolated: true });
      const result = await plugin.execute('twice', [21]);
      console.log(result.item());
    `;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname, timeout: 25_000 });
    expect(stdout).toBe('42\n');
  });
});

test('the worker of an isolated plugin has no way from a value to code made of text', async () => {
  const entry = new URL('../../dist/isolated_worker.js', import.meta.url);
  const script = `
    import { parentPort } from 'node:worker_threads';
    const kinds = [[].at, async () => {}, function* () {}, async function* () {}];
    const before = kinds.map((kind) => typeof kind.constructor);
    await import(${JSON.stringify(entry.href)});
    parentPort.postMessage([before, kinds.map((kind) => typeof kind.constructor)]);
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const [message] = await once(worker, 'message');
  await worker.terminate();
  expect(message).toEqual([Array(4).fill('function'), Array(4).fill('undefined')]);
});

describe('options of isolation', () => {
  test.each([
    [{ isolated: 1 }, TypeError, 'option isolated must be a boolean, not 1'],
    [{ callTimeoutMs: 5 }, ValueError, 'option callTimeoutMs is for isolated plugins'],
    [{ isolated: false, maxMemoryBytes: 2 ** 26 }, ValueError, 'option maxMemoryBytes is for isolated plugins'],
    [{ isolated: true, maxMemoryBytes: 1000 }, ValueError, 'maxMemoryBytes must be a whole number from 33554432 to 2147483648'],
    [{ isolated: true, callTimeoutMs: 0 }, ValueError, 'option callTimeoutMs must be a whole number from 1'],
  ])('%p', async (options, Class, message) => {
    expectError(await rejectionOf(plugins.loadPlugin(SWISH, wrong(options))), Class, message);
  });

  test('isolated: false is an ordinary load', async () => {
    expect(String(await plugins.loadPlugin(SWISH, wrong({ isolated: false })))).toBe('swish 1.0.0');
    plugins.unloadPlugin('swish');
  });
});
