/*
 * Plugins that go behind the loader's back, in ways that it cannot see in a file, or only there.
 */
import { expect, test } from '@jest/globals';
import { init } from 'minitensor';

import { initMeasured } from './support/core_memory.js';
import { expectPluginError, rejectionOf, thrownBy } from './support/errors.js';
import { bytesOf, examplePlugin, testPlugin } from './support/plugin_files.js';

const SWISH = bytesOf(examplePlugin('swish'));

/** @param {string} text */
function named(text) {
  return [text.length, ...Buffer.from(text)];
}

/**
 * A section of a module, whose content has less than 16 KB.
 * @param {number} id
 * @param {readonly number[]} content
 */
function section(id, content) {
  return [id, (content.length & 0x7f) | 0x80, content.length >> 7, ...content];
}

/**
 * A module that says that it is swish, with a function of these instructions: create_plugin, and if it is to be the
 * first to run, too.
 * @param {object} options
 * @param {readonly number[]} options.body
 * @param {boolean} [options.isStart]
 * @param {readonly number[]} [options.more] sections at the end
 * @param {readonly number[]} [options.slots] the number that it asks of the table, as LEB128
 * @param {readonly string[]} [options.offsets] other names of the function, by which it asks for its place
 */
function moduleOf({ body, isStart = false, more = [], slots = [0], offsets = [] }) {
  const [metadata = new ArrayBuffer()] = WebAssembly.Module.customSections(new WebAssembly.Module(SWISH), 'minitensor.plugin');
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(0, [...named('dylink.0'), 1, 3 + slots.length, 64, 4, ...slots, 0]),
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [3 + offsets.length, ...named('env'), ...named('__stack_pointer'), 3, 0x7f, 1,
      ...named('env'), ...named('memory'), 2, 0, 1, ...named('env'), ...named('__memory_base'), 3, 0x7f, 0,
      ...offsets.flatMap((name) => [...named('GOT.func'), ...named(name), 3, 0x7f, 1])]),
    ...section(3, [1, 0]),
    ...section(7, [1 + offsets.length, ...['create_plugin', ...offsets].flatMap((name) => [...named(name), 0, 0])]),
    ...(isStart ? section(8, [0]) : []),
    ...section(10, [1, body.length + 2, 0, ...body, 0x0b]),
    ...more,
    ...section(0, [...named('minitensor.plugin'), ...new Uint8Array(metadata)]),
  ]);
}

const UNREACHABLE = 0x00;
/** __stack_pointer -= 65536 */
const LOWER_THE_STACK = [0x23, 0, 0x41, 0x80, 0x80, 4, 0x6b, 0x24, 0];

test('a plugin that lets memory grow by itself leaves the loader able to load, and to say why one stopped', async () => {
  const { mt, measure } = await initMeasured();
  await mt.plugins.loadPlugin(testPlugin('hangs'));
  const before = measure().bytes;
  expect(mt.customOps.execute('grow_page', [0]).item()).toBe(1);
  expect(measure().bytes).toBe(before + 65536);
  await mt.plugins.loadPlugin(testPlugin('faults_in_op'));
  mt.customOps.execute('grow_page', [0]);
  expectPluginError(thrownBy(() => mt.customOps.execute('divide', [0])), 'call', /stopped: divide by zero$/);
  expect(mt.plugins.getPluginInfo('faults_in_op').fault).toBe('op "divide": divide by zero');
  mt.customOps.execute('grow_page', [0]);
  await mt.plugins.loadPlugin(SWISH);
  expect(mt.customOps.execute('swish', [[0, 1]]).toArray()).toEqual([0, expect.closeTo(0.7310586, 6)]);
  mt.customOps.execute('grow_page', [0]);
  for (const name of ['swish', 'faults_in_op', 'hangs']) mt.plugins.unloadPlugin(name);
  expect(mt.add([1, 2], 1).toArray()).toEqual([2, 3]);
  mt.close();
});

test.each(/** @type {[string, (bytes: Uint8Array) => Uint8Array | WebAssembly.Module][]} */ ([
  ['a file', (bytes) => bytes],
  ['a module', (bytes) => new WebAssembly.Module(Uint8Array.from(bytes))],
]))('a start function of %s, which runs when it is linked, cannot take the stack away', async (_, given) => {
  const mt = await init();
  const source = given(moduleOf({ body: [...LOWER_THE_STACK, UNREACHABLE], isStart: true }));
  for (let i = 0; i < 20; i++) expectPluginError(await rejectionOf(mt.plugins.loadPlugin(source)), 'link', 'unreachable');
  await mt.plugins.loadPlugin(SWISH);
  expect(mt.customOps.execute('swish', [[0]]).toArray()).toEqual([0]);
  mt.close();
});

test('data that would go anywhere in memory are refused', async () => {
  const mt = await init();
  // At the stack pointer, which is no place that the host gives to a plugin.
  const data = section(11, [1, 0, 0x23, 0, 0x0b, 3, 1, 2, 3]);
  expectPluginError(await rejectionOf(mt.plugins.loadPlugin(moduleOf({ body: [], more: data }))), 'read',
    'places of its own in memory');
  mt.close();
});

test('names that JavaScript has for objects link like others', async () => {
  const mt = await init();
  // A global that holds the place of a function called constructor, as a linker asks for with -sSIDE_MODULE=1.
  const module = moduleOf({ body: [UNREACHABLE], offsets: ['constructor', 'toString', '__proto__'] });
  // It is linked, and called; that its type is not that of a create_plugin ends it.
  expectPluginError(await rejectionOf(mt.plugins.loadPlugin(module)), 'create', 'create_plugin stopped');
  mt.close();
});

test('a section of megabytes of a module is read like that of a file', async () => {
  const mt = await init();
  const size = 8 * 1024 * 1024;
  const title = Buffer.from('minitensor.plugin');
  const length = size + title.length + 1;
  const leb128 = [0, 7, 14, 21].map((shift) => ((length >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
  const start = moduleOf({ body: [] }).subarray(0, 8);
  const dylink = section(0, [...named('dylink.0'), 1, 4, 0, 0, 0, 0]);
  const head = Buffer.from([...dylink, 0, ...leb128, title.length, ...title]);
  const bytes = Buffer.concat([start, head, Buffer.alloc(size)]);
  const ofFile = await rejectionOf(mt.plugins.loadPlugin(bytes));
  const ofModule = await rejectionOf(mt.plugins.loadPlugin(new WebAssembly.Module(bytes)));
  expectPluginError(ofFile, 'metadata', /^plugin file <bytes>/);
  expectPluginError(ofModule, 'metadata', String(/** @type {Error} */ (ofFile).message).replace('<bytes>', '<WebAssembly.Module>'));
  mt.close();
});

test('a failed load of a plugin with a large table costs later ones nothing', async () => {
  const { mt, measure } = await initMeasured();
  const wide = moduleOf({ body: [UNREACHABLE], slots: [0xc0, 0x84, 0x3d] }); // 1,000,000
  const { slots } = measure();
  expect(await rejectionOf(mt.plugins.loadPlugin(wide))).toMatchObject({ plugin: 'swish' });
  expect(measure().slots).toBeGreaterThan(slots + 1_000_000);
  /** @type {number[]} */
  const tables = [];
  const { Table } = WebAssembly;
  WebAssembly.Table = /** @type {typeof Table} */ (/** @type {unknown} */ (class extends Table {
    /** @param {WebAssembly.TableDescriptor} descriptor */
    constructor(descriptor) {
      super(descriptor);
      tables.push(descriptor.initial);
    }
  }));
  try {
    await mt.plugins.loadPlugin(SWISH);
  } finally {
    WebAssembly.Table = Table;
  }
  for (const size of tables) expect(size).toBeLessThan(slots + 100);
  mt.close();
});
