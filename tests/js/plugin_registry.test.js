import { describe, expect, jest, test } from '@jest/globals';
import { KeyError, MiniTensorError, PluginError, ValueError, VersionInfo } from 'minitensor';

import { expectError, expectPluginError, thrownBy, wrong } from './support/errors.js';
import { builderFor, instanceForTests, stateOf } from './support/instance.js';

/** @typedef {import('./support/instance.js').MiniTensor} MiniTensor */
/** @typedef {InstanceType<MiniTensor['plugins']['PluginRegistry']>} Registry */
/** @typedef {Parameters<MiniTensor['customOps']['register']>[0]} OpDefinition */

const mt = await instanceForTests();
const { plugins, customOps } = mt;

/** @param {string} name @returns {OpDefinition} */
const double = (name) => ({ name, numInputs: 1, forward: ([x]) => x.add(x) });

/** @param {string} name @param {readonly OpDefinition[]} [ops] */
function pluginOf(name, ops = []) {
  const plugin = builderFor(mt, name).build();
  plugin.setCustomOperationsFn(() => ops);
  return plugin;
}

/** @param {string} op */
const run = (op) => mt.tidy(() => customOps.execute(op, [[1, 2]]).toArray());

describe('register', () => {
  test('adds the plugin, and its ops as real ops of the engine', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', [double('p.double'), double('p.again')]);
    registry.register(plugin);
    expect(registry.isRegistered('p')).toBe(true);
    expect(registry.getPlugin('p')).toBe(plugin);
    expect(registry.listPlugins().map(String)).toEqual(['p 1.2.3']);
    expect(customOps.list()).toEqual(['p.double', 'p.again']);
    expect(customOps.describe('p.double').owner).toBe('p');
    expect(run('p.double')).toEqual([2, 4]);
    registry.unregister('p');
  });

  test('calls initialize with the registry, and then asks for the ops', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p');
    /** @type {unknown[]} */
    const calls = [];
    plugin.setInitializeFn((given) => calls.push('initialize', given === registry, given.isRegistered('p')));
    plugin.setCustomOperationsFn(() => {
      calls.push('ops');
      return [];
    });
    plugin.setCleanupFn((given) => calls.push('cleanup', given === registry));
    registry.register(plugin);
    registry.unregister('p');
    expect(calls).toEqual(['initialize', true, false, 'ops', 'cleanup', true]);
  });

  test('takes a plugin without callbacks, and lists plugins in order of registration', () => {
    const registry = new plugins.PluginRegistry();
    for (const name of ['z', 'a', 'm']) registry.register(builderFor(mt, name).build());
    expect(registry.listPlugins().map(({ name }) => name)).toEqual(['z', 'a', 'm']);
    for (const name of ['a', 'z', 'm']) registry.unregister(name);
  });

  test('refuses a name that is taken, and does not call the second plugin', () => {
    const registry = new plugins.PluginRegistry();
    registry.register(pluginOf('p', [double('op')]));
    const before = stateOf(mt);
    const second = pluginOf('p');
    const initialize = jest.fn();
    second.setInitializeFn(initialize);
    const error = expectError(thrownBy(() => registry.register(second)), ValueError, '"p"');
    expect(error.code).toBe('MT_VALUE');
    expect(initialize).not.toHaveBeenCalled();
    expect(stateOf(mt)).toEqual(before);
    registry.unregister('p');
  });

  test('two registries may each have a plugin of the same name, but not of the same op', () => {
    const [one, two] = [new plugins.PluginRegistry(), new plugins.PluginRegistry()];
    one.register(pluginOf('p', [double('op')]));
    expectError(thrownBy(() => two.register(pluginOf('p', [double('op')]))), ValueError, '"op"');
    two.register(pluginOf('p', [double('other')]));
    expect(two.isRegistered('p')).toBe(true);
    one.unregister('p');
    expect(two.isRegistered('p')).toBe(true);
    expect(run('other')).toEqual([2, 4]);
    two.unregister('p');
  });

  test.each([
    ['needs a newer version', new VersionInfo(99, 0, 0), undefined],
    ['was made for an older one', new VersionInfo(0, 0, 1), new VersionInfo(0, 0, 2)],
  ])('refuses a plugin that %s', (_, minimum, maximum) => {
    const registry = new plugins.PluginRegistry();
    const builder = builderFor(mt, 'p').minMinitensorVersion(minimum);
    if (maximum) builder.maxMinitensorVersion(maximum);
    const plugin = builder.build();
    const initialize = jest.fn();
    plugin.setInitializeFn(initialize);
    const error = expectPluginError(thrownBy(() => registry.register(plugin)), 'version', String(VersionInfo.current()));
    expect(error.plugin).toBe('p');
    expect(error.message).toContain(String(maximum ?? minimum));
    expect(initialize).not.toHaveBeenCalled();
    expect(registry.isRegistered('p')).toBe(false);
  });

  test('refuses the name of the engine', () => {
    const registry = new plugins.PluginRegistry();
    expectError(thrownBy(() => registry.register(pluginOf('minitensor'))), ValueError, 'engine');
  });

  test.each([undefined, null, 1, 'p', {}, []])('refuses what is no CustomPlugin (%#)', (value) => {
    const registry = new plugins.PluginRegistry();
    expectError(thrownBy(() => registry.register(wrong(value))), TypeError, 'CustomPlugin');
  });
});

describe('a registration that fails', () => {
  const thrown = [new Error('mine'), new ValueError('mine'), null, undefined, 'text', 7, Symbol('s'), { an: 'object' }];

  test.each(thrown)('in initialize reports that same error, and calls no cleanup (%#)', (error) => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', [double('op')]);
    const cleanup = jest.fn();
    plugin.setInitializeFn(() => {
      throw error;
    });
    plugin.setCleanupFn(cleanup);
    expect(thrownBy(() => registry.register(plugin))).toBe(error);
    expect(cleanup).not.toHaveBeenCalled();
    expect(registry.isRegistered('p')).toBe(false);
    expect(customOps.list()).toEqual([]);
  });

  test.each(thrown)('in the custom operations reports that same error, and cleans up (%#)', (error) => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p');
    const cleanup = jest.fn();
    plugin.setCleanupFn(cleanup);
    plugin.setCustomOperationsFn(() => {
      throw error;
    });
    expect(thrownBy(() => registry.register(plugin))).toBe(error);
    expect(cleanup).toHaveBeenCalledTimes(1);
    expect(registry.listPlugins()).toEqual([]);
  });

  test('keeps its error when cleanup throws too, and even when cleanup catches errors of its own', () => {
    const registry = new plugins.PluginRegistry();
    const error = new Error('the first');
    const plugin = pluginOf('p');
    plugin.setCustomOperationsFn(() => {
      throw error;
    });
    plugin.setCleanupFn(() => {
      const other = new plugins.PluginRegistry();
      const inner = builderFor(mt, 'inner').build();
      inner.setInitializeFn(() => {
        throw new Error('caught within');
      });
      expect(() => other.register(inner)).toThrow('caught within');
      throw new Error('the second');
    });
    expect(thrownBy(() => registry.register(plugin))).toBe(error);
  });

  const good = double('first');
  /** @type {[string, readonly unknown[], unknown, RegExp][]} */
  const badOps = [
    ['of a name of the engine', [good, double('add')], ValueError, /"add".*engine/],
    ['of a name given twice', [good, double('first')], ValueError, /"first"/],
    ['without a name', [good, { numInputs: 1, forward: () => {} }], TypeError, /name must be a string/],
    ['of an empty name', [good, double('')], ValueError, /name/],
    ['without forward', [good, { name: 'x', numInputs: 1 }], TypeError, /"x": forward must be a function/],
    ['that is null', [good, null], TypeError, /definition must be an object/],
    ['of an unknown attribute type', [good, { ...double('x'), attributes: { a: { type: 'date' } } }], ValueError, /"date"/],
  ];

  test.each(badOps)('at an op %s adds none of them', (_, ops, Class, message) => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', wrong(ops));
    const error = thrownBy(() => registry.register(plugin));
    expectError(error, wrong(Class), message);
    expect(registry.isRegistered('p')).toBe(false);
    expect(customOps.list()).toEqual([]);
    // Put right, it registers.
    plugin.setCustomOperationsFn(() => [good]);
    registry.register(plugin);
    expect(run('first')).toEqual([2, 4]);
    registry.unregister('p');
  });

  test.each([null, 5, 'ops', {}, new Set(), Promise.resolve([])])('of an op list that is no array says so (%#)', (value) => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', wrong(value));
    if (value === null) {
      // As if there was no callback.
      registry.register(plugin);
      registry.unregister('p');
      return;
    }
    expectError(thrownBy(() => registry.register(plugin)), TypeError, 'must be an array');
  });

  test('of an asynchronous initialize says so', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p');
    plugin.setInitializeFn(async () => {});
    expectError(thrownBy(() => registry.register(plugin)), TypeError, /initialize gave a Promise/);
    expect(registry.isRegistered('p')).toBe(false);
  });

  test('leaves no op behind that cleanup has run', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', [double('mine'), double('add')]);
    plugin.setCleanupFn(() => expect(run('mine')).toEqual([2, 4]));
    expectError(thrownBy(() => registry.register(plugin)), ValueError, '"add"');
    expectError(thrownBy(() => run('mine')), ValueError, 'no op "mine"');
  });
});

describe('unregister', () => {
  test('removes the plugin and its ops', () => {
    const registry = new plugins.PluginRegistry();
    registry.register(pluginOf('p', [double('op')]));
    run('op');
    registry.unregister('p');
    expect(registry.isRegistered('p')).toBe(false);
    expectError(thrownBy(() => run('op')), ValueError, 'no op "op"');
  });

  test('removes both even when cleanup throws, and then reports that same error', () => {
    const registry = new plugins.PluginRegistry();
    const error = new Error('in cleanup');
    const plugin = pluginOf('p', [double('op')]);
    plugin.setCleanupFn(() => {
      throw error;
    });
    registry.register(plugin);
    expect(thrownBy(() => registry.unregister('p'))).toBe(error);
    expect(registry.isRegistered('p')).toBe(false);
    expect(customOps.list()).toEqual([]);
  });

  test('lets cleanup run the ops a last time', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', [double('op')]);
    const cleanup = jest.fn(() => expect(run('op')).toEqual([2, 4]));
    plugin.setCleanupFn(cleanup);
    registry.register(plugin);
    registry.unregister('p');
    expect(cleanup).toHaveBeenCalledTimes(1);
    expectError(thrownBy(() => run('op')), ValueError, 'no op "op"');
  });

  test('of an unknown name is a ValueError', () => {
    const registry = new plugins.PluginRegistry();
    expectError(thrownBy(() => registry.unregister('nobody')), ValueError, '"nobody"');
    expect(registry.isRegistered('nobody')).toBe(false);
  });

  test('copes with ops that the application has removed before', () => {
    const registry = new plugins.PluginRegistry();
    registry.register(pluginOf('p', [double('op')]));
    customOps.unregister('op');
    customOps.register(double('op'));
    registry.unregister('p');
    expect(run('op')).toEqual([2, 4]);
    customOps.unregister('op');
  });

  test('is followed by a new registration of the same plugin', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p', [double('op')]);
    for (let i = 0; i < 100; i++) {
      registry.register(plugin);
      run('op');
      registry.unregister('p');
    }
  });
});

test('getPlugin of an unknown name is a KeyError that lists the known ones', () => {
  const registry = new plugins.PluginRegistry();
  registry.register(pluginOf('known'));
  const error = expectError(thrownBy(() => registry.getPlugin('nobody')), KeyError, '"nobody"');
  expect(error.code).toBe('MT_KEY');
  expect(error.message).toContain('"known"');
  registry.unregister('known');
});

describe('re-entrance', () => {
  test('initialize may register another plugin in the same registry', () => {
    const registry = new plugins.PluginRegistry();
    const outer = pluginOf('outer', [double('outer.op')]);
    outer.setInitializeFn((given) => given.register(pluginOf('inner', [double('inner.op')])));
    registry.register(outer);
    expect(registry.listPlugins().map(({ name }) => name)).toEqual(['inner', 'outer']);
    expect(customOps.list()).toEqual(['inner.op', 'outer.op']);
    registry.unregister('outer');
    registry.unregister('inner');
  });

  test('the custom operations may register another plugin, and ops stay with their own', () => {
    const registry = new plugins.PluginRegistry();
    const outer = pluginOf('outer');
    outer.setCustomOperationsFn(() => {
      registry.register(pluginOf('inner', [double('inner.op')]));
      return [double('outer.op')];
    });
    registry.register(outer);
    expect(customOps.describe('inner.op').owner).toBe('inner');
    expect(customOps.describe('outer.op').owner).toBe('outer');
    registry.unregister('outer');
    expect(customOps.list()).toEqual(['inner.op']);
    registry.unregister('inner');
  });

  test('a plugin cannot register or unregister itself from its own callbacks', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p');
    /** @type {unknown[]} */
    const errors = [];
    plugin.setInitializeFn((given) => {
      errors.push(thrownBy(() => given.register(plugin)), thrownBy(() => given.unregister('p')));
    });
    plugin.setCleanupFn((given) => {
      errors.push(thrownBy(() => given.unregister('p')));
    });
    registry.register(plugin);
    registry.unregister('p');
    expect(errors).toHaveLength(3);
    for (const error of errors) expectError(error, ValueError, '"p"');
  });

  test('initialize may replace the callbacks, and the new ones are used from then on', () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('p');
    plugin.setInitializeFn(() => plugin.setCustomOperationsFn(() => [double('replaced')]));
    registry.register(plugin);
    expect(customOps.list()).toEqual(['replaced']);
    registry.unregister('p');
  });
});

describe('CustomPlugin', () => {
  test.each(['setInitializeFn', 'setCleanupFn', 'setCustomOperationsFn'])('%s refuses what is no function', (setter) => {
    const plugin = pluginOf('p');
    for (const value of [undefined, null, 1, 'f', {}]) {
      expectError(thrownBy(() => Reflect.apply(Reflect.get(plugin, setter), plugin, [value])), TypeError, setter);
    }
  });

  test('is made of a PluginInfo alone', () => {
    const { info } = pluginOf('p');
    expect(new plugins.CustomPlugin(info).info).toBe(info);
    expectError(thrownBy(() => new plugins.CustomPlugin(wrong({ ...info }))), TypeError, 'PluginInfo');
  });
});

test('PluginError and KeyError are MiniTensorErrors and Errors', () => {
  for (const error of [new PluginError('x'), new KeyError('x')]) {
    expect(error).toBeInstanceOf(MiniTensorError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(error.constructor.name);
  }
});

describe('compiled plugins and JavaScript ones', () => {
  const swish = new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm'));

  test('do not take each other\'s ops, whichever comes first', async () => {
    const registry = new plugins.PluginRegistry();
    const plugin = pluginOf('rival', [double('rival.double'), double('swish')]);

    await plugins.loadPlugin(swish);
    const before = stateOf(mt);
    expectError(thrownBy(() => registry.register(plugin)), ValueError, /"swish" of plugin "rival".*by plugin "swish"/);
    expect(stateOf(mt)).toEqual(before);
    expect(registry.listPlugins()).toEqual([]);
    plugins.unloadPlugin('swish');

    registry.register(plugin);
    const after = stateOf(mt);
    await expect(plugins.loadPlugin(swish)).rejects.toThrow('an op "swish", a name that plugin "rival" has already');
    expect(stateOf(mt)).toEqual(after);
    expect(run('swish')).toEqual([2, 4]);
    registry.unregister('rival');
  });
});
