import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MiniTensorError, NotImplementedError, PluginError, PluginInfo, ValueError, init } from 'minitensor';

import { expectError, expectPluginError, rejectionOf, thrownBy, wrong } from './support/errors.js';
import { instanceForTests, stateOf } from './support/instance.js';
import { bytesOf, examplePlugin, testPlugin } from './support/plugin_files.js';

const mt = await instanceForTests();
const { plugins, customOps } = mt;

const SWISH = examplePlugin('swish');
const swishBytes = bytesOf(SWISH);

/**
 * Where a module has its functions.
 * @param {Uint8Array} bytes
 */
function codeSectionOf(bytes) {
  for (let start = 8; start < bytes.length;) {
    const id = bytes[start];
    let at = start + 1;
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = Number(bytes[at++]);
      size += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (id === 10) return { start, end: at + size };
    start = at + size;
  }
  throw new Error('the module has no code');
}
const HTML = '<!doctype html>\n<title>Not found</title>';

const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-plugins-'));
const server = createServer((request, response) => {
  response.statusCode = request.url === '/missing.wasm' ? 404 : 200;
  response.end(request.url === '/swish.wasm' ? swishBytes : HTML);
});
let origin = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * A file of this content, for the tests.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
function fileOf(name, content) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** That swish is loaded and right; it is unloaded. */
function expectSwishAndUnload() {
  expect(plugins.listPlugins().map(String)).toEqual(['swish 1.0.0']);
  const values = mt.tidy(() => customOps.execute('swish', [[-1, 0, 2]], { beta: 1 }).toArray());
  expect(values).toEqual([-1, 0, 2].map((x) => expect.closeTo(x / (1 + Math.exp(-x)), 6)));
  plugins.unloadPlugin('swish');
  expect(customOps.list()).toEqual([]);
}

/** Loads swish after something went wrong. */
async function expectSwishLoads() {
  await plugins.loadPlugin(SWISH);
  expectSwishAndUnload();
}

describe('loadPlugin takes', () => {
  /** @type {[string, () => unknown][]} */
  const sources = [
    ['an absolute path', () => SWISH],
    ['a path relative to the working folder', () => path.relative(process.cwd(), SWISH)],
    ['a path with spaces, letters of other languages and signs', () => fileOf('mit Leerzeichen/плагин 插件 #1%20?.wasm', swishBytes)],
    ['a file of another name and ending', () => fileOf('renamed.bin', swishBytes)],
    ['a file: URL', () => pathToFileURL(SWISH)],
    ['the text of a file: URL', () => pathToFileURL(SWISH).href],
    ['a file: URL of an odd path', () => pathToFileURL(fileOf('ä ö#.wasm', swishBytes)).href],
    ['an http: URL', () => new URL(`${origin}/swish.wasm`)],
    ['the text of an http: URL', () => `${origin}/swish.wasm`],
    ['a data: URL', () => `data:application/wasm;base64,${Buffer.from(swishBytes).toString('base64')}`],
    ['a Response', () => fetch(`${origin}/swish.wasm`)],
    ['a Response of its own', () => new Response(swishBytes)],
    ['a Blob', () => new Blob([swishBytes])],
    ['an ArrayBuffer', () => swishBytes.slice().buffer],
    ['a SharedArrayBuffer', () => {
      const shared = new SharedArrayBuffer(swishBytes.length);
      new Uint8Array(shared).set(swishBytes);
      return shared;
    }],
    ['a Uint8Array', () => swishBytes],
    ['a part of a larger buffer', () => {
      const larger = new Uint8Array(swishBytes.length + 100).fill(0xff);
      larger.set(swishBytes, 37);
      return larger.subarray(37, 37 + swishBytes.length);
    }],
    ['a DataView', () => new DataView(swishBytes.buffer, 0, swishBytes.length)],
    ['a Buffer', () => Buffer.from(swishBytes)],
  ];

  test.each(sources)('%s', async (_, source) => {
    const info = await plugins.loadPlugin(wrong(await source()));
    expect(info).toBeInstanceOf(PluginInfo);
    expect(info.equals(plugins.getPluginInfo('swish'))).toBe(true);
    expectSwishAndUnload();
  });

  test.each([undefined, null, 0, 1.5, NaN, true, 1n, {}, [], Symbol('x'), () => {}, new Map(), [1, 2]])(
    'nothing else (%#)',
    async (source) => {
      for (const load of [plugins.loadPlugin, plugins.inspectPlugin]) {
        const error = await rejectionOf(Reflect.apply(load, plugins, [source]));
        expectError(error, TypeError, 'source must be a path, URL, Response, Blob, ArrayBuffer');
      }
      await expectSwishLoads();
    },
  );

  test('bytes that the caller changes after the call', async () => {
    const bytes = swishBytes.slice();
    const loading = plugins.loadPlugin(bytes);
    const inspecting = plugins.inspectPlugin(bytes);
    bytes.fill(0);
    expect((await inspecting).info.name).toBe('swish');
    await loading;
    expectSwishAndUnload();
  });

  test('bytes that the caller changes while another load is under way', async () => {
    const first = plugins.loadPlugin(examplePlugin('rmsnorm'));
    const bytes = swishBytes.slice();
    const second = plugins.loadPlugin(bytes);
    bytes.fill(0);
    await Promise.all([first, second]);
    for (const name of ['rmsnorm', 'swish']) plugins.unloadPlugin(name);
  });

  test('bytes that are transferred away after the call', async () => {
    const bytes = swishBytes.slice();
    const loading = plugins.loadPlugin(bytes);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    await loading;
    expectSwishAndUnload();
  });
});

describe('a loaded plugin', () => {
  test('is listed, described and known by name, until it is unloaded', async () => {
    expect(plugins.isPluginLoaded('swish')).toBe(false);
    await plugins.loadPlugin(SWISH);
    expect(plugins.isPluginLoaded('swish')).toBe(true);
    expect(plugins.getPluginInfo('swish')).toMatchObject({ name: 'swish', author: 'The MiniTensor authors' });
    expect(customOps.describe('swish')).toMatchObject({ owner: 'swish', attributes: [{ name: 'beta', type: 'number' }] });
    expect(mt.memory()).toMatchObject({ ops: 1, plugins: 1 });
    plugins.unloadPlugin('swish');
    expect(plugins.isPluginLoaded('swish')).toBe(false);
    expectError(thrownBy(() => customOps.execute('swish', [[1]])), ValueError, 'no op "swish"');
  });

  test('is one in the instance that loaded it alone', async () => {
    const other = await init();
    await other.plugins.loadPlugin(SWISH);
    expect(plugins.listPlugins()).toEqual([]);
    expectError(thrownBy(() => customOps.execute('swish', [[1]])), ValueError, 'no op');
  });

  test('can be loaded and unloaded again and again, and starts afresh', async () => {
    const bytes = bytesOf(testPlugin('static_state'));
    for (let i = 0; i < 50; i++) {
      await plugins.loadPlugin(bytes);
      const count = () => mt.tidy(() => customOps.execute('count_calls', [0]).item());
      expect([count(), count()]).toEqual([1, 2]);
      plugins.unloadPlugin('static_state');
    }
  });

  test('cannot be loaded twice', async () => {
    await plugins.loadPlugin(SWISH);
    const error = expectPluginError(await rejectionOf(plugins.loadPlugin(swishBytes)), 'metadata', '"swish"');
    expect(error.message).toContain('loaded already');
    expect(error.plugin).toBe('swish');
    expectSwishAndUnload();
  });

  test('has attributes of every type, with defaults and checks', async () => {
    await plugins.loadPlugin(testPlugin('all_attributes'));
    const run = (/** @type {{}} */ attributes) => mt.tidy(() => customOps.execute('all_attributes', [0], attributes).toArray());
    expect(run({ required: 4 })).toEqual([1.5, 7, 'g'.charCodeAt(0), 1, 4, 1, 2, 3]);
    const given = { number: -2, text: 'ä', boolean: false, integers: [2 ** 40], required: 0 };
    expect(run(given)).toEqual([-2, 2, 0xc3, 0, 0, 2 ** 40]);
    expectError(thrownBy(() => run({})), ValueError, '"required" is required');
    expectError(thrownBy(() => run({ required: 'x' })), ValueError, 'must be of type number, not string');
    plugins.unloadPlugin('all_attributes');
  });

  test('can call other ops, and those of JavaScript call its', async () => {
    await plugins.loadPlugin(testPlugin('call_op_user'));
    customOps.register({
      name: 'around', numInputs: 2, forward: ([a, b]) => customOps.execute('sum_of_products', [a, b]).add(1),
    });
    expect(mt.tidy(() => customOps.execute('around', [[1, 2], [3, 4]]).item())).toBe(12);
    expect(/** @type {Error} */ (thrownBy(() => customOps.execute('calls_unknown', [0]))).message).toContain('no_such_op');
    customOps.unregister('around');
    plugins.unloadPlugin('call_op_user');
  });

  test('can call ops with several outputs, and leave nothing behind', async () => {
    await plugins.loadPlugin(testPlugin('many_outputs'));
    const before = mt.memory();
    const run = (/** @type {number} */ sections) =>
      mt.tidy(() => customOps.execute('largest_of_parts', [[3, 1, 4, 1, 5, 9]], { sections }).toArray());
    expect(run(1)).toEqual([[9, 5]]);
    expect(run(2)).toEqual([[4, 2], [9, 2]]);
    expect(run(3)).toEqual([[3, 0], [4, 0], [9, 1]]);
    expect(mt.tidy(() => customOps.execute('sum_as_list', [[3, 1, 4]]).toArray())).toEqual([1, 8]);
    const room = 'call_op_many: op "split" has 6 outputs, and there is room for 3';
    expectPluginError(thrownBy(() => run(6)), 'call', room);
    expectError(thrownBy(() => run(4)), ValueError, 'split: ');
    expectError(thrownBy(() => customOps.execute('of_older_host', [[1]])), NotImplementedError, 'topk: this host is too old');
    expect(mt.memory()).toEqual(before);
    plugins.unloadPlugin('many_outputs');
  });

  test('reports what is wrong with a call of an op with several outputs', async () => {
    await plugins.loadPlugin(testPlugin('misuse'));
    const before = mt.memory();
    const misuse = (/** @type {string} */ how) => thrownBy(() => customOps.execute('misuse', [[1, 2]], { how }));
    expectPluginError(misuse('many_little_room'), 'call', 'op "topk" has 2 outputs, and there is room for 1');
    expectPluginError(misuse('many_no_result'), 'call', 'a result pointer is NULL');
    expectError(misuse('many_unknown'), ValueError, 'no op "no_such_op" is registered');
    expectError(misuse('call_topk'), ValueError, 'topk: has several outputs; run it with execute_many, or with call_op_many');
    expect(mt.memory()).toEqual(before);
    plugins.unloadPlugin('misuse');
  });

  test('that traps reports it with the op\'s name, ten thousand times, and the instance works on', async () => {
    await plugins.loadPlugin(testPlugin('throws_trap'));
    for (let i = 0; i < 10_000; i++) {
      try {
        customOps.execute('trap', [0]);
      } catch (error) {
        if (i % 1000 === 0) expectPluginError(error, 'call', '"trap"');
        continue;
      }
      throw new Error('it did not trap');
    }
    expect(mt.tidy(() => mt.add(1, 2).item())).toBe(3);
    plugins.unloadPlugin('throws_trap');
  });

  test('keeps its exceptions to itself', async () => {
    await plugins.loadPlugin(testPlugin('cpp_plugin'));
    const message = thrownBy(() => customOps.execute('cpp_throws', [0], { message: 'grüße' }));
    expect(/** @type {Error} */ (message).message).toContain('grüße');
    for (const op of ['cpp_throws_number', 'cpp_out_of_memory', 'cpp_misuse']) {
      expect(thrownBy(() => customOps.execute(op, [0]))).toBeInstanceOf(MiniTensorError);
    }
    expect(mt.tidy(() => customOps.execute('cpp_late', [0]).item())).toBe(7);
    plugins.unloadPlugin('cpp_plugin');
  });
});

describe('layers of a plugin', () => {
  test('are CustomLayers like any other', async () => {
    await plugins.loadPlugin(examplePlugin('rmsnorm'));
    expect(plugins.listLayerTypes()).toEqual(['RMSNorm']);
    const layer = plugins.createLayer('RMSNorm', { size: 2 });
    expect(layer).toBeInstanceOf(plugins.CustomLayer);
    expect(layer.listParameters()).toEqual(['weight']);
    mt.tidy(() => layer.addParameter('weight', new mt.Tensor([1, 2])));
    const r = 1 / Math.sqrt((9 + 16) / 2);
    const out = mt.tidy(() => layer.forward([[3, 4]]).toArray());
    expect(out).toEqual([expect.closeTo(3 * r, 4), expect.closeTo(8 * r, 4)]);
    layer.dispose();
    plugins.unloadPlugin('rmsnorm');
    expect(plugins.listLayerTypes()).toEqual([]);
  });

  test('keep their plugin from being unloaded, and are named', async () => {
    await plugins.loadPlugin(examplePlugin('rmsnorm'));
    const layer = plugins.createLayer('RMSNorm', { size: 2 });
    const error = expectPluginError(thrownBy(() => plugins.unloadPlugin('rmsnorm')), 'unload', 'RMSNorm');
    expect(error).toMatchObject({ plugin: 'rmsnorm', hint: expect.stringContaining('dispose') });
    expect(mt.tidy(() => layer.forward([[1, 1]]).toArray())).toEqual([expect.closeTo(1, 4), expect.closeTo(1, 4)]);
    layer.dispose();
    plugins.unloadPlugin('rmsnorm');
  });

  test('are refused for an unknown type, and for a wrong configuration', async () => {
    expectError(thrownBy(() => plugins.createLayer('RMSNorm', {})), ValueError, /"RMSNorm".*none/);
    await plugins.loadPlugin(examplePlugin('rmsnorm'));
    expectError(thrownBy(() => plugins.createLayer('Nothing')), ValueError, /"Nothing".*"RMSNorm"/);
    expectError(thrownBy(() => plugins.createLayer('RMSNorm')), ValueError, '"size" is required');
    expectError(thrownBy(() => plugins.createLayer('RMSNorm', { size: -1 })), ValueError, 'size must be a positive integer');
    expectError(thrownBy(() => plugins.createLayer('RMSNorm', wrong({ size: {} }))), TypeError, 'attribute "size"');
    plugins.unloadPlugin('rmsnorm');
  });
});

describe('unloadPlugin', () => {
  test.each(['unloadPlugin', 'getPluginInfo'])('and the like: %s of a name that is not loaded lists those that are', async (method) => {
    const call = () => Reflect.apply(Reflect.get(plugins, method), plugins, ['nobody']);
    expect(expectPluginError(thrownBy(call), 'lookup', /"nobody".*none/).plugin).toBe('nobody');
    await plugins.loadPlugin(SWISH);
    expectPluginError(thrownBy(call), 'lookup', /"nobody".*"swish"/);
    expectSwishAndUnload();
  });

  test('removes the plugin even when its cleanup fails, and then reports that', async () => {
    await plugins.loadPlugin(testPlugin('cleanup_fails'));
    const error = thrownBy(() => plugins.unloadPlugin('cleanup_fails'));
    expect(error).toBeInstanceOf(PluginError);
    expect(/** @type {Error} */ (error).message).toContain('cleanup fails');
    expect(plugins.isPluginLoaded('cleanup_fails')).toBe(false);
    await plugins.loadPlugin(testPlugin('cleanup_fails'));
    expect(() => plugins.unloadPlugin('cleanup_fails')).toThrow('cleanup fails');
  });

  test('is refused while an op of the plugin runs', async () => {
    await plugins.loadPlugin(testPlugin('call_op_user'));
    customOps.register({
      name: 'no_such_op',
      numInputs: 1,
      forward: ([x]) => {
        plugins.unloadPlugin('call_op_user');
        return x;
      },
    });
    const error = thrownBy(() => customOps.execute('calls_unknown', [0]));
    expect(error).toBeInstanceOf(PluginError);
    expect(/** @type {Error} */ (error).message).toContain('in use');
    customOps.unregister('no_such_op');
    plugins.unloadPlugin('call_op_user');
  });
});

describe('loads at the same time', () => {
  test('of different plugins all succeed', async () => {
    const names = ['all_attributes', 'call_op_user', 'cpp_plugin', 'mixed', 'old_struct', 'registers_late', 'static_state', 'throws_trap'];
    const infos = await Promise.all(names.map((name) => plugins.loadPlugin(testPlugin(name))));
    expect(infos.map(({ name }) => name)).toEqual(names);
    expect(plugins.listPlugins().map(({ name }) => name).sort()).toEqual(names);
    for (const name of names) plugins.unloadPlugin(name);
  });

  test('of good and bad ones leave the good ones', async () => {
    const sources = [SWISH, fileOf('bad.wasm', HTML), testPlugin('missing_import'), testPlugin('mixed'), path.join(folder, 'no')];
    const results = await Promise.allSettled(sources.map((source) => plugins.loadPlugin(source)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'rejected']);
    for (const name of ['mixed', 'swish']) plugins.unloadPlugin(name);
  });

  test('of two files of one plugin load one of them', async () => {
    const results = await Promise.allSettled([plugins.loadPlugin(swishBytes), plugins.loadPlugin(swishBytes.slice())]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expectSwishAndUnload();
  });

  test('of one address share one result', async () => {
    const [one, two] = await Promise.all([plugins.loadPlugin(SWISH), plugins.loadPlugin(SWISH)]);
    expect(one.equals(two)).toBe(true);
    expectSwishAndUnload();
    const missing = path.join(folder, 'later.wasm');
    const failures = await Promise.all([plugins.loadPlugin(missing), plugins.loadPlugin(missing)].map(rejectionOf));
    for (const error of failures) expectPluginError(error, 'fetch', 'later.wasm');
    writeFileSync(missing, swishBytes);
    await plugins.loadPlugin(missing);
    expectSwishAndUnload();
  });
});

describe('inspectPlugin', () => {
  test('reads metadata, ops, layers, sizes, imports and exports, and runs nothing', async () => {
    const inspection = await plugins.inspectPlugin(examplePlugin('rmsnorm'));
    expect(inspection).toMatchObject({
      format: 'wasm', abiVersion: 1, features: [], ops: ['rmsnorm'], layers: ['RMSNorm'], missingImports: [],
      loadable: true, problems: [],
    });
    expect(inspection.exports).toContainEqual({ name: 'create_plugin', kind: 'function' });
    const { file, code, data, memory, table } = inspection.sizes;
    expect(file).toBe(bytesOf(examplePlugin('rmsnorm')).length);
    expect(code + data).toBeLessThan(file);
    expect(data).toBeGreaterThan(0);
    expect(memory).toBeGreaterThanOrEqual(data);
    expect(table).toBeGreaterThan(0);
    expect(inspection.info).toBeInstanceOf(PluginInfo);
    expect(String(inspection.info.minMinitensorVersion)).toBe('0.1.0');
    expect(inspection.imports).toContainEqual({ module: 'env', name: 'memory', kind: 'memory', provided: true });
    expect(plugins.listPlugins()).toEqual([]);
  });

  test('takes the options that say how to read', async () => {
    const base = pathToFileURL(SWISH);
    expect((await plugins.inspectPlugin('swish.wasm', { base })).info.name).toBe('swish');
    const maxBytes = swishBytes.length - 1;
    const large = await rejectionOf(plugins.inspectPlugin(swishBytes, { maxBytes }));
    expectPluginError(large, 'fetch', `maxBytes is ${maxBytes}`);
    const inspection = await plugins.inspectPlugin(swishBytes, { maxBytes: maxBytes + 1, timeoutMs: 20_000 });
    expect(inspection.ops).toEqual(['swish']);
  });

  test('gives up when its signal is aborted, and when its time is over', async () => {
    const never = new Promise(() => {});
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = rejectionOf(plugins.inspectPlugin(wrong(never), { signal }));
    await new Promise((resolve) => setTimeout(resolve));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await rejectionOf(plugins.inspectPlugin(swishBytes, { signal }))).toBe(reason);
    const late = await rejectionOf(plugins.inspectPlugin(wrong(never), { timeoutMs: 10 }));
    expectPluginError(late, 'fetch', 'inspectPlugin: <Promise> was not inspected within 10 ms (option timeoutMs)');
  });

  test('refuses options that it does not have', async () => {
    const known = 'known are: base, maxBytes, signal, timeoutMs';
    for (const options of [{ integrity: 'sha256-' }, { max: 1 }]) {
      const error = await rejectionOf(plugins.inspectPlugin(swishBytes, wrong(options)));
      expectError(error, ValueError, `inspectPlugin: unknown option "${Object.keys(options)[0]}"; ${known}`);
    }
    const error = await rejectionOf(plugins.inspectPlugin(swishBytes, { maxBytes: wrong('1') }));
    expectError(error, TypeError, 'inspectPlugin: option maxBytes must be a number, not "1"');
  });

  test('tells of plugins that would not load what they say of themselves, and why they would not', async () => {
    const { missingImports, imports, loadable, problems } = await plugins.inspectPlugin(testPlugin('missing_import'));
    expect([...missingImports].sort()).toEqual(['another_missing', 'host_of_nothing']);
    expect(imports).toContainEqual({
      module: 'env', name: 'host_of_nothing', kind: 'function', provided: false,
      cause: expect.stringContaining('define it in the plugin'),
    });
    expect(loadable).toBe(false);
    expect(problems).toEqual([expect.stringMatching(/imports symbols that the host does not have: .*; define it in/)]);
    const other = await plugins.inspectPlugin(testPlugin('wrong_abi'));
    expect(other).toMatchObject({ abiVersion: 2, loadable: false, ops: ['wrong_abi_op'] });
    expect(other.problems).toEqual([expect.stringContaining('built for plugin ABI version 2, this host has version 1')]);
    expect(String((await plugins.inspectPlugin(testPlugin('needs_newer'))).info.minMinitensorVersion)).toBe('99.0.0');
    expect((await plugins.inspectPlugin(testPlugin('needs_feature'))).features).toEqual(['time-travel']);
  });
});

/** The header of an ELF library for x86-64 and nothing else. */
const elf = new Uint8Array(64);
elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
elf[16] = 3;
elf[18] = 62;

/** An ELF library with one section, which is empty. */
const elfWithoutMetadata = new Uint8Array(128);
elfWithoutMetadata.set(elf);
for (const [offset, value] of /** @type {const} */ ([[40, 64], [58, 64], [60, 1]])) elfWithoutMetadata[offset] = value;

/**
 * What it is, its source, and the phase, message, hint and symbols of the error.
 * @typedef {[string, () => unknown, string, RegExp, RegExp | null, string[]?]} BadInput
 */

/** @type {BadInput[]} */
const badInputs = [
  ['a missing file', () => path.join(folder, 'nowhere.wasm'), 'fetch', /nowhere\.wasm cannot be read: .*ENOENT/, /path/],
  ['a folder', () => folder, 'fetch', /cannot be read: it is a folder/, /path/],
  ['an empty address', () => '', 'fetch', /"" cannot be read: .*empty/, /path/],
  ['a server that is not there', () => 'http://127.0.0.1:9/x.wasm', 'fetch', /127\.0\.0\.1:9.*cannot be read/, /address/],
  ['an HTML file', () => fileOf('page.wasm', HTML), 'read', /page\.wasm is an HTML page, not a plugin/, /address/],
  ['an HTML page with status 200', () => `${origin}/other.wasm`, 'read', /http.*other\.wasm is an HTML page.*answered 200, with no content type/, /address/],
  ['an HTML page with status 404', () => `${origin}/missing.wasm`, 'fetch', /missing\.wasm.*answered 404/, /address/],
  ['a Response of status 500', () => new Response(swishBytes, { status: 500 }), 'fetch', /500/, /./],
  ['an ELF library that is damaged', () => fileOf('swish.so', elf), 'read', /damaged ELF shared library/, /./],
  ['an ELF library', () => fileOf('other.so', elfWithoutMetadata), 'read',
    /is an ELF shared library; this WebAssembly build loads \.wasm plugins/, /both platforms/],
  ['a gzip file', () => new Uint8Array([0x1f, 0x8b, 8, 0]), 'read', /gzip/, /./],
  ['no bytes', () => new Uint8Array(), 'read', /empty/, /./],
  ['one byte', () => swishBytes.slice(0, 1), 'read', /truncated|header/, /./],
  ['text', () => Buffer.from('hello'), 'read', /unknown kind.*68 65 6c 6c 6f/, /./],
  ['a component', () => new Uint8Array([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]), 'read', /is a WebAssembly component/, /side module/],
  ['an empty module', () => new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), 'read', /not a side module/, /SIDE_MODULE/],
  ['the engine itself', () => new URL('../../dist/core/minitensor.wasm', import.meta.url), 'read',
    /minitensor\.wasm is MiniTensor's own core, not a plugin/, /./],
  ['a plugin without metadata', () => testPlugin('no_metadata'), 'metadata', /has no MiniTensor metadata/, /MT_PLUGIN_METADATA/],
  ['a plugin of another ABI version', () => testPlugin('wrong_abi'), 'metadata', /ABI version 2/, /SDK/],
  ['a plugin that needs a newer MiniTensor', () => testPlugin('needs_newer'), 'version', /99\.0\.0/, null],
  ['a plugin that takes older MiniTensors only', () => testPlugin('too_new'), 'version', /0\.0\.1/, null],
  ['a plugin that needs a feature', () => testPlugin('needs_feature'), 'version', /time-travel/, /newer/, ['time-travel']],
  ['a plugin with missing imports', () => testPlugin('missing_import'), 'imports',
    /host_of_nothing.*another_missing|another_missing.*host_of_nothing/, /define it in the plugin/,
    ['another_missing', 'host_of_nothing']],
  ['a plugin whose create_plugin refuses', () => testPlugin('create_fails'), 'create', /no licence/, null],
  ['a plugin whose initialize fails', () => testPlugin('init_fails'), 'initialize', /initialize fails after registering/, null],
  ['a plugin with an op of the engine\'s name', () => testPlugin('clash'), 'metadata', /op "add", .*engine/, null],
  ['a plugin that is not what its metadata says', () => testPlugin('metadata_disagrees'), 'create', /somebody_else/, null],
  ['a plugin with an op that is none', () => testPlugin('bad_op'), 'initialize', /bad_op_op/, null],
];

describe('loadPlugin refuses', () => {
  test.each(badInputs)('%s, and all is as before', async (...[, source, phase, message, hint, symbols]) => {
    const before = stateOf(mt);
    const error = expectPluginError(await rejectionOf(plugins.loadPlugin(wrong(await source()))), phase, message);
    if (hint) expect(error.hint).toMatch(hint);
    if (symbols) expect([...error.symbols].sort()).toEqual(symbols);
    expect(stateOf(mt)).toEqual(before);
    await expectSwishLoads();
    // And once more, the same: nothing of the first time is left.
    expectPluginError(await rejectionOf(plugins.loadPlugin(wrong(await source()))), phase, message);
  });

  test.each(badInputs.filter(([, , phase]) => phase === 'fetch' || phase === 'read'))('%s; so does inspectPlugin', async (what, source, phase, message) => {
    // An ELF library it reads, since it loads nothing.
    const expected = what === 'an ELF library' ? 'metadata' : phase;
    const text = what === 'an ELF library' ? /has no MiniTensor metadata/ : message;
    expectPluginError(await rejectionOf(plugins.inspectPlugin(wrong(await source()))), expected, text);
  });

  test('a file cut off anywhere', async () => {
    const step = Math.ceil(swishBytes.length / 150);
    for (let length = 1; length < swishBytes.length; length += step) {
      const error = await rejectionOf(plugins.loadPlugin(swishBytes.slice(0, length)));
      expect(error).toBeInstanceOf(PluginError);
      const { phase, message, hint } = /** @type {PluginError} */ (error);
      // At the end of a section it is a module still, of which something is missing.
      expect(['read', 'metadata', 'compile', 'create', 'link']).toContain(phase);
      expect(message.length * hint.length).toBeGreaterThan(0);
    }
    await expectSwishLoads();
  });

  // Other code may do anything to the memory that it shares with the engine, which is in order all the same.
  test('a file with one byte changed that is not code, or loads it, and works on', async () => {
    const code = codeSectionOf(swishBytes);
    for (let i = 0; i < 300; i++) {
      const bytes = swishBytes.slice();
      const at = (i * 7919) % bytes.length;
      if (at >= code.start && at < code.end) continue;
      bytes[at] = Number(bytes[at]) ^ (1 << (i % 8));
      try {
        const { name } = await plugins.loadPlugin(bytes);
        plugins.unloadPlugin(name);
      } catch (error) {
        expect(error).toBeInstanceOf(PluginError);
      }
    }
    await expectSwishLoads();
  });

  test('a plugin with an op that JavaScript has registered, until it is gone', async () => {
    customOps.register({ name: 'swish', numInputs: 1, forward: ([x]) => x.add(1) });
    expectPluginError(await rejectionOf(plugins.loadPlugin(SWISH)), 'metadata', /op "swish"/);
    expect(mt.tidy(() => customOps.execute('swish', [1]).item())).toBe(2);
    customOps.unregister('swish');
    await expectSwishLoads();
  });

  test('a plugin whose op is taken while it is compiled', async () => {
    const loading = plugins.loadPlugin(swishBytes);
    customOps.register({ name: 'swish', numInputs: 1, forward: ([x]) => x });
    expectPluginError(await rejectionOf(loading), 'metadata', /op "swish"/);
    customOps.unregister('swish');
    await expectSwishLoads();
  });

  test('a Response that was read already', async () => {
    const response = new Response(swishBytes);
    await response.arrayBuffer();
    const error = await rejectionOf(plugins.loadPlugin(response));
    expect(error instanceof TypeError || error instanceof PluginError).toBe(true);
    await expectSwishLoads();
  });
});

test.each(['unloadPlugin', 'getPluginInfo', 'isPluginLoaded', 'createLayer'])('%s refuses what is no text', (method) => {
  for (const value of [undefined, null, 1, {}, [], Symbol('x'), '\ud800']) {
    expectError(thrownBy(() => Reflect.apply(Reflect.get(plugins, method), plugins, [value])), TypeError, method);
  }
});
