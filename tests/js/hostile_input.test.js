/*
 * Every public function and class with every kind of argument that it was not made for. What comes out is a TypeError
 * or one of ours (or what a getter of the argument itself threw), and nothing has changed.
 */
import { afterAll, describe, expect, test } from '@jest/globals';
import * as minitensor from 'minitensor';
import * as files from 'minitensor/files';
import * as optim from 'minitensor/optim';

import { opNames } from '../../js/generated/ops.js';
import { builderFor, instanceForTests, stateOf } from './support/instance.js';
import { examplePlugin } from './support/plugin_files.js';

const { MiniTensorError, init } = minitensor;
const mt = await instanceForTests();
const other = await init();
const closable = await init();
const { plugins } = mt;
const isolated = await plugins.loadPlugin(examplePlugin('swish'), { isolated: true });
const closed = await plugins.loadPlugin(examplePlugin('swish'), { isolated: true });

class GetterError extends Error {}

/** @type {ProxyHandler<object>} */
const throwing = {
  get: () => {
    throw new GetterError('a getter');
  },
};
const disposed = new mt.Tensor([1]);
disposed.dispose();
const disposedLayer = new plugins.CustomLayer('gone');
disposedLayer.dispose();
const foreign = new other.Tensor([1]);
const someTensor = new mt.Tensor([1]);
const parameter = new mt.Tensor([1], { requiresGrad: true });
const { proxy: revoked, revoke } = Proxy.revocable([], {});
revoke();

/** @type {Record<string, unknown>} */
const hostile = {
  undefined,
  'null': null,
  NaN,
  'a negative number': -1,
  'a fraction': 0.5,
  '2 to the 53rd': 2 ** 53,
  'infinity': Infinity,
  'a bigint': 10n,
  'a boolean': true,
  'a symbol': Symbol('hostile'),
  'empty text': '',
  'long text': 'x'.repeat(1_000_000),
  'text with a lone surrogate': '\ud800',
  'text with NUL': 'a\0b',
  'an object': {},
  'an object without prototype': Object.create(null),
  'an empty array': [],
  'an array of undefined': [undefined],
  'a sparse array of enormous length': new Array(2 ** 32 - 1),
  'an array of a disposed tensor': [disposed],
  'an array of a foreign tensor': [foreign],
  'a proxy of an array': new Proxy([1, 2], {}),
  'a revoked proxy': revoked,
  'a proxy that throws': new Proxy({}, throwing),
  'a proxy of an array that throws': new Proxy([1], throwing),
  'a proxy of a function that throws': new Proxy(() => {}, throwing),
  'a getter that throws': { get name() { throw new GetterError('name'); }, get dtype() { throw new GetterError('dtype'); } },
  'an object whose text throws': { toString() { throw new GetterError('text'); }, valueOf() { throw new GetterError('value'); } },
  'a disposed tensor': disposed,
  'a foreign tensor': foreign,
  'a disposed layer': disposedLayer,
  'a Date': new Date(NaN),
  'a RegExp': /x/,
  'a Map': new Map([[1, 2]]),
  'a class': class {},
  'an ArrayBuffer': new ArrayBuffer(3),
  'a DataView': new DataView(new ArrayBuffer(3)),
  'big integers': new BigInt64Array(2),
};

/** @param {unknown} error */
function isAcceptable(error) {
  return error instanceof TypeError || error instanceof MiniTensorError || error instanceof GetterError;
}

/**
 * Whether this is what an op with several outputs gives.
 * @param {unknown} value
 * @returns {value is Record<string, import('minitensor').Tensor>}
 */
function isResults(value) {
  return value?.constructor === Object && Object.values(value)[0] instanceof mt.Tensor;
}

/** Releases what a call has made, as far as it worked. @param {unknown} value */
function discard(value) {
  // A method of a foreign tensor gives foreign ones.
  const isOne = [mt.Tensor, other.Tensor, plugins.CustomLayer].some((Class) => value instanceof Class);
  if (isOne) /** @type {import('minitensor').Tensor} */ (value).dispose();
  // The gradients of an isolated plugin outlive every scope.
  else if (Array.isArray(value) && value[0] instanceof mt.Tensor) for (const tensor of value) tensor.dispose();
  else if (isResults(value)) for (const tensor of Object.values(value)) tensor.dispose();
}

/**
 * A function with what it needs: `good` are arguments that it takes; one after the other is replaced by each hostile
 * value.
 * @typedef {object} Target
 * @property {() => unknown} self `this`
 * @property {() => readonly unknown[]} good
 * @property {(self: unknown) => void} [undo] what a call that worked has done
 */

const VersionInfo = minitensor.VersionInfo;
const version = new VersionInfo(1, 2, 3);
const tensor = () => new mt.Tensor([1]);
const layer = () => new plugins.CustomLayer('l');
const builder = () => builderFor(mt, 'p');
const registry = () => new plugins.PluginRegistry();
const plugin = () => builder().build();
const none = () => undefined;
const op = { name: 'hostile', numInputs: 1, forward: () => foreign };
const unregisterAll = () => {
  for (const name of mt.customOps.list()) mt.customOps.unregister(name);
};

/** @type {Record<string, Target>} */
const functions = {
  'mt.tidy': { self: () => mt, good: () => [() => 1] },
  'mt.asyncTidy': { self: () => mt, good: () => [async () => 1] },
  'mt.close': { self: () => closable, good: () => [] },
  'mt.liveHandles': { self: () => mt, good: () => [] },
  'mt.noGrad': { self: () => mt, good: () => [() => 1] },
  'mt.gradcheck': { self: () => mt, good: () => [() => foreign, []] },
  'mt.keep': { self: () => mt, good: () => [] },
  'mt.manualSeed': { self: () => mt, good: () => [0] },
  'mt.memory': { self: () => mt, good: () => [] },
  'customOps.register': { self: () => mt.customOps, good: () => [op], undo: unregisterAll },
  'customOps.execute': { self: () => mt.customOps, good: () => ['sum', [[1, 2]], { axis: [0] }] },
  'customOps.gradients': { self: () => mt.customOps, good: () => ['sum', [[1, 2]], 1, { axis: [0] }] },
  'customOps.describe': { self: () => mt.customOps, good: () => ['add'] },
  'customOps.list': { self: () => mt.customOps, good: () => [] },
  'customOps.isRegistered': { self: () => mt.customOps, good: () => ['add'] },
  'customOps.unregister': { self: () => mt.customOps, good: () => [] },
  'plugins.inspectPlugin': { self: () => plugins, good: () => ['nowhere.wasm', {}] },
  'plugins.loadPlugin': { self: () => plugins, good: () => ['nowhere.wasm', {}] },
  'IsolatedPlugin.execute': { self: () => isolated, good: () => ['swish', [1], { beta: 1 }] },
  'IsolatedPlugin.gradients': { self: () => isolated, good: () => ['swish', [1], 1, { beta: 1 }] },
  'IsolatedPlugin.describe': { self: () => isolated, good: () => ['swish'] },
  'IsolatedPlugin.close': { self: () => closed, good: () => [] },
  'plugins.unloadPlugin': { self: () => plugins, good: () => ['x', {}] },
  'plugins.listPlugins': { self: () => plugins, good: () => [] },
  'plugins.getPluginInfo': { self: () => plugins, good: () => [] },
  'plugins.isPluginLoaded': { self: () => plugins, good: () => ['x'] },
  'plugins.listLayerTypes': { self: () => plugins, good: () => [] },
  'plugins.describeLayerType': { self: () => plugins, good: () => [] },
  'plugins.createLayer': { self: () => plugins, good: () => [] },
  'Tensor.toTypedArray': { self: tensor, good: () => [] },
  'Tensor.toArray': { self: tensor, good: () => [] },
  'Tensor.item': { self: tensor, good: () => [] },
  'Tensor.backward': { self: tensor, good: () => [1, {}] },
  'Tensor.detach': { self: tensor, good: () => [] },
  'Tensor.assign': { self: tensor, good: () => [[1]] },
  'Tensor.dispose': { self: tensor, good: () => [] },
  'Tensor.toString': { self: tensor, good: () => [] },
  'files.decodeNpy': { self: () => files, good: () => [mt, files.encodeNpy(someTensor)] },
  'files.decodeSafetensors': { self: () => files, good: () => [mt, files.encodeSafetensors({})] },
  'files.encodeNpy': { self: () => files, good: () => [someTensor] },
  'files.encodeSafetensors': { self: () => files, good: () => [{}, { metadata: {} }] },
  'files.readNpy': { self: () => files, good: () => [mt, files.encodeNpy(someTensor)] },
  'files.readSafetensors': { self: () => files, good: () => [mt, files.encodeSafetensors({})] },
  ...Object.fromEntries(Object.entries(optim).flatMap(([name, Class]) => {
    const self = () => new Class(mt, [parameter]);
    return [
      [`${name}.step`, { self, good: () => [] }],
      [`${name}.zeroGrad`, { self, good: () => [] }],
      [`${name}.stateDict`, { self, good: () => [] }],
      [`${name}.loadStateDict`, { self, good: () => [{}] }],
    ];
  })),
  'CustomLayer.setForward': { self: layer, good: () => [none] },
  'CustomLayer.addParameter': { self: layer, good: () => ['w'] },
  'CustomLayer.getParameter': { self: layer, good: () => [] },
  'CustomLayer.listParameters': { self: layer, good: () => [] },
  'CustomLayer.namedParameters': { self: layer, good: () => [] },
  'CustomLayer.stateDict': { self: layer, good: () => [] },
  'CustomLayer.loadStateDict': { self: layer, good: () => [{}] },
  'CustomLayer.forward': { self: layer, good: () => [[]] },
  'CustomLayer.dispose': { self: layer, good: () => [] },
  'PluginBuilder.name': { self: builder, good: () => ['x'] },
  'PluginBuilder.version': { self: builder, good: () => [version] },
  'PluginBuilder.description': { self: builder, good: () => ['x'] },
  'PluginBuilder.author': { self: builder, good: () => ['x'] },
  'PluginBuilder.minMinitensorVersion': { self: builder, good: () => [version] },
  'PluginBuilder.maxMinitensorVersion': { self: builder, good: () => [version] },
  'PluginBuilder.build': { self: builder, good: () => [] },
  'PluginRegistry.register': { self: registry, good: () => [] },
  'PluginRegistry.unregister': { self: registry, good: () => [] },
  'PluginRegistry.listPlugins': { self: registry, good: () => [] },
  'PluginRegistry.getPlugin': { self: registry, good: () => [] },
  'PluginRegistry.isRegistered': { self: registry, good: () => ['x'] },
  'CustomPlugin.setInitializeFn': { self: plugin, good: () => [none] },
  'CustomPlugin.setCleanupFn': { self: plugin, good: () => [none] },
  'CustomPlugin.setCustomOperationsFn': { self: plugin, good: () => [none] },
  'CustomPlugin.asCallback': { self: plugin, good: () => [] },
  'VersionInfo.isCompatibleWith': { self: () => version, good: () => [version] },
  'VersionInfo.compareTo': { self: () => version, good: () => [version] },
  'VersionInfo.equals': { self: () => version, good: () => [version] },
  'VersionInfo.toString': { self: () => version, good: () => [] },
  'VersionInfo.toJSON': { self: () => version, good: () => [] },
  'VersionInfo.parse': { self: () => VersionInfo, good: () => ['1.2.3'] },
  'VersionInfo.current': { self: () => VersionInfo, good: () => [] },
  'PluginInfo.equals': { self: () => plugin().info, good: () => [plugin().info] },
  'PluginInfo.toString': { self: () => plugin().info, good: () => [] },
  ...Object.fromEntries(opNames.flatMap((name) => [
    [`mt.${name}`, { self: () => mt, good: () => [[1], [1]] }],
    ...(name in mt.Tensor.prototype ? [[`Tensor.${name}`, { self: tensor, good: () => [[1]] }]] : []),
  ])),
};

/** @type {Record<string, () => readonly unknown[]>} Classes, and arguments that they take. */
const classes = {
  AdamW: () => [mt, [parameter], { lr: 1, betas: [0.5, 0.5], eps: 1, weightDecay: 1 }],
  SGD: () => [mt, [parameter], { lr: 1, momentum: 1, nesterov: true }],
  Tensor: () => [[1, 2], { dtype: 'float32', shape: [2] }],
  CustomLayer: () => ['l'],
  PluginBuilder: () => [],
  PluginRegistry: () => [],
  CustomPlugin: () => [plugin().info],
  PluginInfo: () => [{ name: 'x', version, description: '', author: '', minMinitensorVersion: version }],
  VersionInfo: () => [1, 2, 3],
};

/** @param {string} name */
const classOf = (name) => (name === 'Tensor' ? mt.Tensor : Reflect.get(Object.hasOwn(optim, name) ? optim : plugins, name));

/** Public method names of a class. @param {Function} Class */
function methodsOf(Class) {
  const names = new Set();
  for (let at = Class.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
    }
  }
  return [...names];
}

/**
 * Arguments with each hostile value in each place, and one place beyond.
 * @param {readonly unknown[]} good
 */
function* argumentLists(good) {
  for (const [kind, value] of Object.entries(hostile)) {
    for (let place = 0; place <= good.length; place++) {
      const args = [...good.slice(0, place), value, ...good.slice(place + 1)];
      yield { kind: `${kind} as argument ${place}`, args };
    }
  }
}

test('every public function and class has its place here', () => {
  const expected = [
    ...methodsOf(mt.constructor).map((name) => `mt.${name}`),
    ...opNames.map((name) => `mt.${name}`),
    ...methodsOf(mt.customOps.constructor).map((name) => `customOps.${name}`),
    ...methodsOf(plugins.constructor).map((name) => `plugins.${name}`),
    ...methodsOf(isolated.constructor).map((name) => `IsolatedPlugin.${name}`),
    ...Object.keys(files).map((name) => `files.${name}`),
    ...Object.keys(classes).flatMap((name) => methodsOf(classOf(name)).map((method) => `${name}.${method}`)),
    ...Object.getOwnPropertyNames(VersionInfo)
      .filter((name) => typeof Reflect.get(VersionInfo, name) === 'function' && name !== 'prototype')
      .map((name) => `VersionInfo.${name}`),
  ];
  expect(Object.keys(functions).sort()).toEqual([...new Set(expected)].sort());
  expect([...Object.keys(plugins), ...Object.keys(optim), 'Tensor'].sort()).toEqual(Object.keys(classes).sort());
  const exported = Object.keys(minitensor).filter((name) => !/Error$/.test(name)).sort();
  expect(exported).toEqual(['PluginInfo', 'VERSION', 'VersionInfo', 'init']);
});

describe.each(Object.entries(functions))('%s', (name, { self, good, undo }) => {
  const method = name.split('.')[1] ?? '';

  test('refuses or copes with anything', async () => {
    /** @type {string[]} */
    const wrongErrors = [];
    const before = stateOf(mt);
    for (const { kind, args } of argumentLists(good())) {
      const object = /** @type {object} */ (self());
      try {
        const result = await Reflect.apply(Reflect.get(object, method), object, args);
        if (result !== object) discard(result);
        undo?.(object);
      } catch (error) {
        if (!isAcceptable(error)) wrongErrors.push(`${kind}: ${error}`);
      }
      discard(object);
    }
    expect(wrongErrors).toEqual([]);
    expect(stateOf(mt)).toEqual(before);
  });

  test('refuses any other `this`', async () => {
    const own = self();
    const call = Reflect.get(/** @type {object} */ (own), method);
    /** @type {string[]} */
    const wrongErrors = [];
    for (const [kind, value] of Object.entries(hostile)) {
      try {
        discard(await Reflect.apply(call, value, good()));
      } catch (error) {
        // As text, the array of enormous length is too long a string.
        if (!isAcceptable(error) && !(error instanceof RangeError)) wrongErrors.push(`${kind}: ${error}`);
      }
    }
    discard(own);
    expect(wrongErrors).toEqual([]);
  });
});

describe.each(Object.entries(classes))('new %s', (name, good) => {
  test('refuses or copes with anything', () => {
    /** @type {string[]} */
    const wrongErrors = [];
    for (const { kind, args } of argumentLists(good())) {
      try {
        discard(Reflect.construct(classOf(name), args));
      } catch (error) {
        if (!isAcceptable(error)) wrongErrors.push(`${kind}: ${error}`);
      }
    }
    expect(wrongErrors).toEqual([]);
  });

  test('cannot be called without new', () => {
    expect(() => Reflect.apply(classOf(name), undefined, good())).toThrow(TypeError);
  });
});

test('init refuses anything but options', async () => {
  /** @type {string[]} */
  const wrongErrors = [];
  for (const [kind, value] of Object.entries(hostile)) {
    for (const options of [value, { wasm: value }]) {
      try {
        await init(/** @type {{}} */ (options));
      } catch (error) {
        if (!isAcceptable(error)) wrongErrors.push(`${kind}: ${error}`);
      }
    }
  }
  expect(wrongErrors).toEqual([]);
});

describe.each(Object.keys(op).concat('summary', 'attributes', 'backward', 'validate', 'outputShape', 'outputDtype'))(
  'customOps.register with a hostile %s',
  (field) => {
    test('refuses it, or registers an op that can be removed', () => {
      for (const [kind, value] of Object.entries(hostile)) {
        try {
          mt.customOps.register(/** @type {typeof op} */ ({ ...op, [field]: value }));
          discard(mt.customOps.execute(String(mt.customOps.list()[0]), [[1]]));
        } catch (error) {
          if (!isAcceptable(error)) throw new Error(`${kind}: ${error}`, { cause: error });
        } finally {
          unregisterAll();
        }
      }
    });
  },
);

afterAll(() => {
  foreign.dispose();
  someTensor.dispose();
  parameter.dispose();
  isolated.close();
  expect(other.memory().tensors).toBe(0);
  expect(mt.tidy(() => mt.add(1, 2).item())).toBe(3);
});
