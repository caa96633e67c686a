import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';
import * as dynamicBuild from 'minitensor';
import * as staticBuild from 'minitensor/static';

import { expectError, expectPluginError, rejectionOf, thrownBy } from './support/errors.js';
import { builderFor, instanceForTests } from './support/instance.js';
import { examplePlugin } from './support/plugin_files.js';

const mt = await instanceForTests(staticBuild.init);

/** @param {string} name of a file in dist/ */
const read = (name) => readFileSync(fileURLToPath(new URL(`../../dist/${name}`, import.meta.url)), 'latin1');

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
    const text = read(`core-static/${file}`);
    for (const word of ['dlopen', 'dlsym', 'dlclose', 'pluginLinker', 'mt_linker', 'loadDylib', 'GOTHandler']) {
      expect({ word, found: text.includes(word) }).toEqual({ word, found: false });
    }
    if (file.endsWith('.js')) expect(text).not.toMatch(/dylink|\bGOT\b/);
  });
});

describe.each(['core', 'core-static'])('the glue of %s', (folder) => {
  const glue = read(`${folder}/minitensor.js`);
  const wasm = new WebAssembly.Module(new Uint8Array(Buffer.from(read(`${folder}/minitensor.wasm`), 'latin1')));

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
    const exported = WebAssembly.Module.exports(wasm).map(({ name }) => name);
    if (folder === 'core-static') {
      // Emscripten shortens the names there, and its glue knows them.
      for (const name of wanted) expect(glue).toMatch(new RegExp(`\\._${name}=`));
      expect(exported.filter((name) => name.length > 3)).toEqual([]);
      return;
    }
    const others = exported.filter((name) => !wanted.includes(name));
    // Of the linker and of Emscripten's run time.
    const known = [
      'memory', '__indirect_function_table', '__wasm_call_ctors', '__stack_pointer', '__cpp_exception',
      '__trap', '__wasm_apply_data_relocs', 'mt_linker_run', 'emscripten_builtin_memalign', 'strerror', 'setThrew',
      '_emscripten_stack_restore', '_emscripten_stack_alloc', '_emscripten_tempret_set', 'emscripten_stack_get_current',
    ];
    expect(wanted.filter((name) => !exported.includes(name))).toEqual([]);
    expect(others.filter((name) => !known.includes(name) && !/^__cxa_|exception/.test(name))).toEqual([]);
  });
});
