import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';
import * as dynamicBuild from 'minitensor';
import * as staticBuild from 'minitensor/static';

import { expectError, expectPluginError, rejectionOf, thrownBy } from './support/errors.js';
import { coreExportNames, readCoreFile } from './support/core_files.js';
import { builderFor, instanceForTests } from './support/instance.js';
import { examplePlugin } from './support/plugin_files.js';

const mt = await instanceForTests(staticBuild.init);

/** The public names of a value, and of what hangs off it. @param {object} value */
function namesOf(value) {
  const names = new Set();
  for (let at = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  return [...names].sort();
}

describe('the build without dynamic loading', () => {
  test('exports the same', () => {
    expect(Object.keys(staticBuild).sort()).toEqual(Object.keys(dynamicBuild).sort());
    for (const name of Object.keys(staticBuild)) {
      if (name !== 'init') expect(Reflect.get(staticBuild, name)).toBe(Reflect.get(dynamicBuild, name));
    }
  });

  test('has the same API', async () => {
    const other = await dynamicBuild.init();
    expect(namesOf(mt)).toEqual(namesOf(other));
    expect(namesOf(mt.plugins)).toEqual(namesOf(other.plugins));
    expect(namesOf(mt.customOps)).toEqual(namesOf(other.customOps));
  });

  test('computes', () => {
    expect(mt.tidy(() => mt.matmul([[1, 2]], [[3], [4]]).toArray())).toEqual([[11]]);
  });

  test('has ops, plugins and layers of JavaScript', () => {
    const registry = new mt.plugins.PluginRegistry();
    const plugin = builderFor(mt, 'p').build();
    plugin.setCustomOperationsFn(() => [{ name: 'op', numInputs: 1, forward: ([x]) => x.add(1) }]);
    registry.register(plugin);
    const layer = new mt.plugins.CustomLayer('l');
    layer.setForward(([x]) => mt.customOps.execute('op', [x]));
    expect(mt.tidy(() => layer.forward([1]).item())).toBe(2);
    layer.dispose();
    registry.unregister('p');
  });

  test.each([examplePlugin('swish'), new Uint8Array(), 'nowhere', undefined])(
    'rejects loadPlugin with a NotImplementedError, whatever it is given (%#)',
    async (source) => {
      const loading = mt.plugins.loadPlugin(/** @type {string} */ (source));
      expect(loading).toBeInstanceOf(Promise);
      const error = expectError(await rejectionOf(loading), staticBuild.NotImplementedError, 'dynamic loading');
      expect(error.code).toBe('MT_NOT_IMPLEMENTED');
      for (const options of [{ name: 'x' }, { isolated: true }, { unknown: 1 }, null]) {
        const call = mt.plugins.loadPlugin(/** @type {string} */ (source), /** @type {{}} */ (options));
        expectError(await rejectionOf(call), staticBuild.NotImplementedError, 'dynamic loading');
      }
    },
  );

  test('has no plugins loaded', () => {
    expect(mt.plugins.listPlugins()).toEqual([]);
    expect(mt.plugins.isPluginLoaded('swish')).toBe(false);
    expect(mt.plugins.listLayerTypes()).toEqual([]);
    expectPluginError(thrownBy(() => mt.plugins.getPluginInfo('swish')), 'lookup', 'none');
    expectPluginError(thrownBy(() => mt.plugins.unloadPlugin('swish')), 'lookup', 'none');
    expectError(thrownBy(() => mt.plugins.createLayer('RMSNorm')), staticBuild.ValueError, 'none');
  });

  test('inspects plugins all the same', async () => {
    const { info, ops } = await mt.plugins.inspectPlugin(examplePlugin('swish'));
    expect([info.name, ops]).toEqual(['swish', ['swish']]);
  });

  test.each(['minitensor.js', 'minitensor.wasm'])('has no trace of dynamic linking in %s', (file) => {
    const text = readCoreFile('core-static', file);
    for (const word of ['dlopen', 'dlsym', 'dlclose', 'pluginLinker', 'mt_linker', 'loadDylib', 'GOTHandler']) {
      expect({ word, found: text.includes(word) }).toEqual({ word, found: false });
    }
    if (file.endsWith('.js')) expect(text).not.toMatch(/dylink|\bGOT\b/);
  });
});

describe.each(['core', 'core-static'])('the glue of %s', (folder) => {
  const glue = readCoreFile(folder, 'minitensor.js');
  const wasm = new WebAssembly.Module(new Uint8Array(Buffer.from(readCoreFile(folder, 'minitensor.wasm'), 'latin1')));

  test('evaluates no text, as a content security policy wants it', () => {
    expect(glue).not.toMatch(/\beval\s*\(/);
    expect(glue).not.toMatch(/\bFunction\s*\(/);
    expect(glue).not.toMatch(/set(Timeout|Interval)\s*\(\s*["'`]/);
  });

  test('prints nothing of its own, and asks for nothing of Node', () => {
    expect(glue).not.toMatch(/\brequire\s*\(|node:/);
  });

  test('has exactly the symbols that are listed, and Emscripten\'s', () => {
    const list = readFileSync(fileURLToPath(new URL('../../src/minitensor/loader/exported_symbols.txt', import.meta.url)), 'utf8');
    const listed = list.split('\n').map((line) => /^(\w+) (plugin|api)$/.exec(line)).filter((match) => match !== null);
    const groups = folder === 'core' ? ['plugin', 'api'] : ['api'];
    const wanted = listed.filter(([, , group]) => groups.includes(String(group)))
      .map(([, name, group]) => (group === 'plugin' ? `mt_plugin_${name}` : String(name)));
    const names = coreExportNames(folder);
    // Beside those, what the linker for plugins uses.
    const linker = folder === 'core' ? ['__stack_pointer', 'mt_linker_run', 'mt_linker_host'] : [];
    expect([...names.keys()].toSorted()).toEqual([...wanted, ...linker].toSorted());
    const others = WebAssembly.Module.exports(wasm).filter(({ name }) => ![...names.values()].includes(name));
    // What runs first, what ends the program, the two functions of the stack pointer; and the table, for the linker.
    const emscripten = ['function', 'function', 'function', 'function', ...(folder === 'core' ? ['table'] : [])];
    expect(others.map(({ kind }) => String(kind)).toSorted()).toEqual(emscripten);
  });
});
