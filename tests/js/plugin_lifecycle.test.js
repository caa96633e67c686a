/*
 * Compiled plugins from one end of their life to the other: what an instance knows of them, what they log, what happens
 * when they are stopped, and that all of it is given back.
 */
import { describe, expect, test } from '@jest/globals';
import { MiniTensorError, PluginInfo, ValueError, init } from 'minitensor';

import { initMeasured } from './support/core_memory.js';
import { expectError, expectPluginError, rejectionOf, thrownBy, wrong } from './support/errors.js';
import { instanceForTests, stateOf } from './support/instance.js';
import { bytesOf, examplePlugin, testPlugin } from './support/plugin_files.js';
import { soak } from './support/soak.js';

const mt = await instanceForTests();
const { plugins, customOps } = mt;

describe('getPluginInfo and listPlugins', () => {
  test('say what a plugin provides and where it is from', async () => {
    const file = examplePlugin('rmsnorm');
    const loaded = await plugins.loadPlugin(file);
    const info = plugins.getPluginInfo('rmsnorm');
    expect(info).toBeInstanceOf(PluginInfo);
    expect(info.equals(loaded)).toBe(true);
    expect(info).toMatchObject({
      origin: file, ops: ['rmsnorm'], layerTypes: ['RMSNorm'], faulted: false, fault: '',
    });
    for (const part of [info, info.ops, info.layerTypes]) expect(Object.isFrozen(part)).toBe(true);
    expect(plugins.listPlugins()).toEqual([info]);
    plugins.unloadPlugin('rmsnorm');
  });

  test('say that a plugin has been stopped, and by what first', async () => {
    await plugins.loadPlugin(testPlugin('faults_in_op'));
    await plugins.loadPlugin(examplePlugin('swish'));
    const before = plugins.getPluginInfo('faults_in_op');
    for (const op of ['divide', 'abort', 'assert']) {
      const error = expectPluginError(thrownBy(() => customOps.execute(op, [0])), 'call', `op "${op}" of plugin "faults_in_op" stopped`);
      expect(error).toMatchObject({ plugin: 'faults_in_op', hint: expect.stringContaining('fault') });
    }
    expect(before.faulted).toBe(false);
    expect(plugins.getPluginInfo('faults_in_op')).toMatchObject({ faulted: true, fault: 'op "divide": divide by zero' });
    expect(plugins.listPlugins().map(({ faulted }) => faulted)).toEqual([true, false]);
    plugins.unloadPlugin('faults_in_op');
    await plugins.loadPlugin(testPlugin('faults_in_op'));
    expect(plugins.getPluginInfo('faults_in_op').faulted).toBe(false);
    for (const name of ['faults_in_op', 'swish']) plugins.unloadPlugin(name);
  });

  test('do not call an error that a plugin reports a fault', async () => {
    await plugins.loadPlugin(testPlugin('cpp_plugin'));
    expect(() => customOps.execute('cpp_throws', [0])).toThrow('thrown');
    expect(plugins.getPluginInfo('cpp_plugin').faulted).toBe(false);
    plugins.unloadPlugin('cpp_plugin');
  });
});

test('describeLayerType says what a layer type is, whose, and what its configuration may contain', async () => {
  expectError(thrownBy(() => plugins.describeLayerType('RMSNorm')), ValueError, 'no layer type "RMSNorm" is registered');
  await plugins.loadPlugin(examplePlugin('rmsnorm'));
  expect(plugins.describeLayerType('RMSNorm')).toMatchObject({
    name: 'RMSNorm',
    plugin: 'rmsnorm',
    attributes: [{ name: 'size', type: 'number' }, { name: 'epsilon', type: 'number' }],
  });
  expectError(thrownBy(() => plugins.describeLayerType(wrong(1))), TypeError, 'describeLayerType: type');
  plugins.unloadPlugin('rmsnorm');
});

describe('unloadPlugin', () => {
  test('by force breaks layers, and their use is an error that says so', async () => {
    await plugins.loadPlugin(examplePlugin('rmsnorm'));
    const layer = plugins.createLayer('RMSNorm', { size: 2 });
    expectPluginError(thrownBy(() => plugins.unloadPlugin('rmsnorm')), 'unload', 'in use by layer "RMSNorm"');
    plugins.unloadPlugin('rmsnorm', { force: true });
    for (let i = 0; i < 2; i++) {
      const error = expectPluginError(thrownBy(() => layer.forward([[1, 1]])), 'call', 'plugin "rmsnorm" was unloaded');
      expect(error).toMatchObject({ plugin: 'rmsnorm', hint: expect.stringContaining('load the plugin again') });
    }
    expect(mt.tidy(() => layer.getParameter('weight').toArray())).toEqual([1, 1]);
    layer.dispose();
  });

  test('is refused while an op of the plugin runs, even by force', async () => {
    await plugins.loadPlugin(testPlugin('call_op_user'));
    customOps.register({
      name: 'no_such_op',
      numInputs: 1,
      forward: ([x]) => {
        plugins.unloadPlugin('call_op_user', { force: true });
        return x;
      },
    });
    expectPluginError(thrownBy(() => customOps.execute('calls_unknown', [0])), 'unload', 'in use by running calls: op "calls_unknown"');
    customOps.unregister('no_such_op');
    plugins.unloadPlugin('call_op_user', { force: true });
  });

  test('refuses options that are none', () => {
    for (const options of [null, 1, 'force', true]) {
      expectError(thrownBy(() => plugins.unloadPlugin('x', wrong(options))), TypeError, 'unloadPlugin: options');
    }
    const typo = thrownBy(() => plugins.unloadPlugin('x', wrong({ Force: true })));
    expectError(typo, ValueError, 'unloadPlugin: unknown option "Force"; known are: force');
    expectError(thrownBy(() => plugins.unloadPlugin('x', { force: wrong(1) })), TypeError, 'force must be a boolean, not 1');
  });

  test('reports what stops a plugin at its end, after it is gone with its memory', async () => {
    for (let i = 0; i < 3; i++) {
      await plugins.loadPlugin(testPlugin('faults_in_destructor'));
      const error = expectPluginError(thrownBy(() => plugins.unloadPlugin('faults_in_destructor')), 'unload', 'static destructor');
      expect(error.message).toContain('is unloaded, but was stopped in a static destructor: unreachable');
      expect(plugins.isPluginLoaded('faults_in_destructor')).toBe(false);
    }
  });

  test('runs cleanup, destroy, what was given to atexit and destructors, each once', async () => {
    await plugins.loadPlugin(testPlugin('lifecycle'));
    const watched = new mt.Tensor([0, 0], { dtype: 'float64' });
    customOps.execute('watch', [watched]).dispose();
    plugins.unloadPlugin('lifecycle');
    expect(watched.toArray()).toEqual([1234, 1]);
    watched.dispose();
  });

  test('refuses while a gradient is recorded, and by force ends that', async () => {
    await plugins.loadPlugin(examplePlugin('swish'));
    const x = new mt.Tensor([0], { requiresGrad: true });
    const total = mt.tidy(() => customOps.execute('swish', [x]).sum());
    expectPluginError(thrownBy(() => plugins.unloadPlugin('swish')), 'unload', 'recorded gradient of op "swish"');
    plugins.unloadPlugin('swish', { force: true });
    const error = thrownBy(() => total.backward());
    expectPluginError(error, 'call', 'op "swish": plugin "swish" was unloaded');
    for (const tensor of [x, total]) tensor.dispose();
  });
});

describe('the log', () => {
  test('goes to onLog, line by line, with the plugin', async () => {
    /** @type {string[][]} */
    const lines = [];
    const own = await init({ onLog: (...line) => lines.push(line) });
    await own.plugins.loadPlugin(testPlugin('registers_late'));
    own.plugins.unloadPlugin('registers_late');
    expect(lines).toEqual([
      ['registers_late', 'registers_late: initialize'],
      ['registers_late', 'registers_late: cleanup'],
    ]);
  });

  test('may throw, use the instance, or try to unload the plugin, and does no harm', async () => {
    /** @type {unknown[]} */
    const seen = [];
    const own = await init({
      onLog: (plugin) => {
        seen.push(own.tidy(() => own.add(1, 2).item()));
        const error = thrownBy(() => own.plugins.unloadPlugin(plugin, { force: true }));
        seen.push(/** @type {Error} */ (error).constructor.name);
        throw new Error('the disk is full');
      },
    });
    await own.plugins.loadPlugin(testPlugin('registers_late'));
    own.plugins.unloadPlugin('registers_late');
    expect(seen).toEqual([3, 'PluginError', 3, 'PluginError']);
    expect(own.memory()).toMatchObject({ tensors: 0, plugins: 0 });
  });

  test('goes nowhere by default, and onLog must be a function', async () => {
    await plugins.loadPlugin(testPlugin('registers_late'));
    plugins.unloadPlugin('registers_late');
    expectError(await rejectionOf(init({ onLog: wrong('console') })), TypeError, 'init: onLog must be a function');
  });

  test('hears a plugin out when its instance is closed, and closing in the log is closing', async () => {
    /** @type {string[]} */
    const lines = [];
    const own = await init({
      onLog: (_, line) => {
        lines.push(line);
        if (line.endsWith('cleanup')) own.close();
      },
    });
    await own.plugins.loadPlugin(testPlugin('registers_late'));
    await own.plugins.loadPlugin(testPlugin('cpp_plugin'));
    own.close();
    expect(lines).toEqual(['registers_late: initialize', 'cpp_plugin: 0 calls', 'registers_late: cleanup']);
    expectError(thrownBy(() => own.memory()), MiniTensorError, 'closed');
  });
});

describe('two plugins that are the same inside', () => {
  test('have types, singletons and static data of their own', async () => {
    for (const name of ['twin_one', 'twin_two']) await plugins.loadPlugin(testPlugin(name));
    const x = new mt.Tensor([0], { dtype: 'float64' });
    const run = (/** @type {string} */ name) => mt.tidy(() => customOps.execute(name, [x]).item());
    expect(['twin_one', 'twin_two', 'twin_one'].map(run)).toEqual([101, 201, 102]);
    plugins.unloadPlugin('twin_one');
    expect(run('twin_two')).toBe(202);
    // Both have an mt_error_pending, as the core does.
    expectError(thrownBy(() => customOps.execute('twin_one', [x])), ValueError, 'no op "twin_one"');
    plugins.unloadPlugin('twin_two');
    x.dispose();
  });
});

test('a plugin of the first header works', async () => {
  await plugins.loadPlugin(testPlugin('old_plugin'));
  const x = new mt.Tensor([1, 2, 3], { dtype: 'float64' });
  mt.tidy(() => {
    expect(customOps.execute('old_scale', [x]).toArray()).toEqual([6, 8, 10]);
    expect(customOps.gradients('old_scale', [x], x)[0]?.toArray()).toEqual([2, 4, 6]);
    expect(customOps.execute('old_late', [x]).toArray()).toEqual([2, 3, 4]);
    expect(customOps.execute('old_constant', []).item()).toBe(2);
  });
  const layer = plugins.createLayer('OldScale', { by: 10 });
  expect(mt.tidy(() => layer.forward([x]).toArray())).toEqual([10, 20, 30]);
  expect(plugins.describeLayerType('OldScale').summary).toBe('');
  layer.dispose();
  x.dispose();
  plugins.unloadPlugin('old_plugin');
});

test('what a callback throws in a life cycle of a plugin is the cause of its error', async () => {
  const thrown = new Error('the application does not want it');
  let isWilling = false;
  customOps.register({
    name: 'asked',
    numInputs: 1,
    forward: ([x]) => {
      if (isWilling) return x.add(1);
      throw thrown;
    },
  });
  const refused = expectPluginError(await rejectionOf(plugins.loadPlugin(testPlugin('asks_in_cycle'))), 'initialize', 'callback');
  expect(refused.cause).toBe(thrown);
  expect(refused.hint).toMatch(/application/);
  isWilling = true;
  await plugins.loadPlugin(testPlugin('asks_in_cycle'));
  isWilling = false;
  const failed = expectPluginError(thrownBy(() => plugins.unloadPlugin('asks_in_cycle')), 'cleanup', 'is unloaded, but');
  expect(failed.cause).toBe(thrown);
  expect(failed.hint).toBe(refused.hint);
  await plugins.loadPlugin(testPlugin('escapes_from_cleanup'));
  const escaped = expectPluginError(thrownBy(() => plugins.unloadPlugin('escapes_from_cleanup')), 'cleanup', 'stopped');
  expect(escaped.hint).toMatch(/fault in the plugin's code/);
  expect(plugins.isPluginLoaded('asks_in_cycle')).toBe(false);
  customOps.unregister('asked');
});

test('a fault is what the engine has thrown, with a name that tells it from others', async () => {
  await plugins.loadPlugin(testPlugin('faults_in_op'));
  const causes = { recurse: 'the stack has run out', exit: 'the plugin called exit(3)', divide: 'divide by zero' };
  for (const [op, reason] of Object.entries(causes)) {
    const error = expectPluginError(thrownBy(() => customOps.execute(op, [0])), 'call', `stopped: ${reason}`);
    expect(error.cause).toMatchObject({ stack: expect.stringContaining('wasm') });
  }
  plugins.unloadPlugin('faults_in_op');
});

test('a wrong pointer to a function finds nothing of the core', async () => {
  const own = await init();
  await own.plugins.loadPlugin(testPlugin('faults_in_op'));
  const before = own.memory();
  let place = 0;
  for (;; place++) {
    const error = thrownBy(() => own.customOps.execute('call_at', [place]));
    if (error instanceof ValueError) break;
    expectPluginError(error, 'call', /stopped: .*(null function|signature mismatch|table)/);
  }
  expect(place).toBeGreaterThan(100);
  expect(own.memory()).toEqual(before);
  expect(own.tidy(() => own.add([1, 2], 1).toArray())).toEqual([2, 3]);
  own.close();
});

test('a plugin that takes all memory gets an error, and the instance has it back', async () => {
  const { mt: own } = await initMeasured();
  await own.plugins.loadPlugin(testPlugin('faults_in_op'));
  for (let i = 0; i < 2; i++) {
    const error = expectPluginError(thrownBy(() => own.customOps.execute('fill_memory', [0])), 'call',
      /^op "fill_memory" of plugin "faults_in_op": out of memory: 8000000 bytes wanted.*the limit is 2147483648 bytes$/);
    expect(error.plugin).toBe('faults_in_op');
    const cause = expectError(error.cause, MiniTensorError,
      /^out of memory: 8000000 bytes wanted.*the limit is 2147483648 bytes$/);
    expect(cause.code).toBe('MT_MEMORY');
    expect(own.tidy(() => own.add([1, 2], 1).toArray())).toEqual([2, 3]);
  }
  expect(own.plugins.getPluginInfo('faults_in_op').fault).toMatch(/^op "fill_memory": out of memory: 8000000 bytes wanted/);
  own.close();
});

describe('a load that fails', () => {
  /** @type {[file: string, phase: string, message: RegExp][]} A step each. */
  const steps = [
    ['faults_in_constructor', 'link', /\): a constructor of a global object stopped: unreachable$/],
    ['escapes_from_constructor', 'link', /\): a constructor of a global object stopped: an exception escaped$/],
    ['create_fails', 'create', /\): create_plugin: no licence$/],
    ['cpp_lists_throw', 'create', /\): create_plugin: the list of ops is lost$/],
    ['escapes_from_create', 'create', /\): create_plugin stopped: an exception escaped$/],
    ['metadata_disagrees', 'create', /its name is "somebody_else", but the file's metadata says "metadata_disagrees"/],
    ['init_fails', 'initialize', /\): initialize: initialize fails after registering an op$/],
    ['escapes_from_initialize', 'initialize', /\): initialize stopped: an exception escaped$/],
    ['broken_undeclared', 'initialize', /registers the ops \[broken_op\], but its metadata names \[another_op\]/],
    ['broken_layer_forward', 'initialize', /layer type "BrokenLayer": it has no forward function/],
  ];

  test.each(steps)('%s: in %s, gives everything back', async (file, phase, message) => {
    const { mt: own, measure } = await initMeasured();
    const bytes = bytesOf(testPlugin(file));
    const load = () => rejectionOf(own.plugins.loadPlugin(testPlugin(file)));
    await load(); // what is made once
    const before = { ...stateOf(own), ...measure() };
    for (let i = 0; i < 30; i++) {
      const error = expectPluginError(await load(), phase, message);
      expect(error.message).toContain(`loadPlugin: plugin "${file}" (${testPlugin(file)}): `);
      expect(error.plugin).toBe(file);
      expect(error.hint).not.toBe('');
      expectPluginError(await rejectionOf(own.plugins.loadPlugin(bytes)), phase, /./);
    }
    expect({ ...stateOf(own), ...measure() }).toEqual(before);
    await own.plugins.loadPlugin(examplePlugin('swish'));
    expect(own.tidy(() => own.customOps.execute('swish', [0]).item())).toBe(0);
    own.close();
  });
});

test('loading, unloading, failing and stopping leave memory and table as they were', async () => {
  for await (const { what, early, late } of soak(300)) {
    expect({ what, ...late, rss: 0 }).toEqual({ what, ...early, rss: 0 });
  }
});
