/*
 * The examples of the original documentation (Python and Rust), in the spelling of JavaScript. What is promised there
 * by name is promised here.
 */
import { describe, expect, test } from '@jest/globals';
import { KeyError, NotImplementedError, ValueError, init } from 'minitensor';
import { init as initStatic } from 'minitensor/static';

import { expectError, rejectionOf, thrownBy } from './support/errors.js';
import { instanceForTests } from './support/instance.js';
import { examplePlugin } from './support/plugin_files.js';

const mt = await instanceForTests();
const { plugins } = mt;

/** @param {string} name */
const complete = (name) =>
  new plugins.PluginBuilder()
    .name(name)
    .version(new plugins.VersionInfo(1, 0, 0))
    .description('Demonstrates plugin metadata and callbacks')
    .author('Plugin Developer')
    .minMinitensorVersion(new plugins.VersionInfo(0, 1, 0))
    .build();

test('1. version compatibility: the current version satisfies a minimum', () => {
  const current = plugins.VersionInfo.current();
  const minimum = new plugins.VersionInfo(0, 1, 0);
  expect(current.isCompatibleWith(minimum)).toBe(true);
  expect(`MiniTensor ${current} satisfies the minimum requirement`).toMatch(/^MiniTensor \d+\.\d+\.\d+ /);
});

test('2. plugin metadata: a builder makes a plugin, whose info has what it was given', () => {
  const { info } = complete('my_custom_plugin');
  expect([info.name, String(info.version), info.author]).toEqual(['my_custom_plugin', '1.0.0', 'Plugin Developer']);
  expectError(thrownBy(() => new plugins.PluginBuilder().name('half').build()), ValueError, 'missing');
});

test('3. plugins of the language: callbacks, a registry, and removal', () => {
  /** @type {string[]} */
  const said = [];
  const plugin = complete('example_plugin');
  plugin.setInitializeFn((_registry) => void said.push('Plugin initialized'));
  plugin.setCleanupFn((_registry) => void said.push('Plugin cleaned up'));
  plugin.setCustomOperationsFn(() => []);
  const registry = new plugins.PluginRegistry();
  registry.register(plugin);
  expect(registry.isRegistered('example_plugin')).toBe(true);
  expect(registry.getPlugin('example_plugin').info.name).toBe('example_plugin');
  expectError(thrownBy(() => registry.register(plugin)), ValueError, 'example_plugin');
  registry.unregister('example_plugin');
  expect(said).toEqual(['Plugin initialized', 'Plugin cleaned up']);
});

test('4. custom layers: a forward function that uses a parameter of its layer', () => {
  const layer = new plugins.CustomLayer('scale');
  expectError(thrownBy(() => layer.forward([])), NotImplementedError, 'scale');
  const [weight, input] = [new mt.Tensor([2]), new mt.Tensor([3])];
  layer.addParameter('weight', weight);
  layer.setForward((inputs) => {
    const [x] = inputs;
    return x.mul(layer.getParameter('weight'));
  });
  const out = layer.forward([input]);
  expect(out.toArray()).toEqual([6]);
  expect([layer.name, layer.listParameters()]).toEqual(['scale', ['weight']]);
  expectError(thrownBy(() => layer.getParameter('bias')), KeyError, 'bias');
  for (const tensor of [out, weight, input]) tensor.dispose();
  layer.dispose();
});

describe('5. loading of compiled plugins', () => {
  test('is a NotImplementedError in a build without it', async () => {
    const without = await initStatic();
    expectError(await rejectionOf(without.plugins.loadPlugin('./my_plugin.wasm')), NotImplementedError, 'dynamic loading');
  });

  test('works in a build with it', async () => {
    await plugins.loadPlugin(examplePlugin('swish'));
    plugins.unloadPlugin('swish');
  });
});

test('6. a compiled plugin: its metadata, its ops, and the helpers around it', async () => {
  const own = await init();
  const info = await own.plugins.loadPlugin(examplePlugin('swish'));
  expect(own.plugins.listPlugins().map(({ name }) => name)).toEqual(['swish']);
  expect(own.plugins.getPluginInfo('swish').equals(info)).toBe(true);
  expect(own.plugins.isPluginLoaded('swish')).toBe(true);
  expect(info.maxMinitensorVersion).toBeUndefined();
  expect(own.customOps.list()).toEqual(['swish']);
  own.plugins.unloadPlugin('swish');
  expect(own.plugins.isPluginLoaded('swish')).toBe(false);
  expect(own.customOps.list()).toEqual([]);
});
