import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

import { dtypes } from '../../js/dtype.js';
import { errorClasses, errorFromCore } from '../../js/errors.js';
import * as minitensor from '../../js/exports.js';

/**
 * The entries of one of the core's lists, from its source: what JavaScript mirrors is told by no call.
 * @param {string} header below src/minitensor
 * @param {RegExp} entry with two groups
 */
function listed(header, entry) {
  const text = readFileSync(new URL(`../../src/minitensor/${header}`, import.meta.url), 'utf8');
  return [...text.matchAll(entry)].map(([, first = '', second = '']) => /** @type {const} */ ([first, second]));
}

const codes = listed('base/error.h', /X\(\w+, \d+, "(\w+)", "(\w+)"\)/g);
const dtypeNumbers = listed('tensor/dtype.h', /X\(\w+, (\d+), "(\w+)", [\w:]+\)/g);

describe('the classes of errors', () => {
  test.each(codes)('%s of the core becomes a %s', (code, name) => {
    const noted = { code, message: 'm', phase: 'p', plugin: 'q', symbols: ['s'], hint: 'h', callbackError: 0 };
    const error = errorFromCore(noted);
    expect(error).toMatchObject({ code, message: 'm', name });
    expect(error.constructor).toBe(Reflect.get(minitensor, name));
    if (error instanceof minitensor.PluginError) {
      expect(error).toMatchObject({ phase: 'p', plugin: 'q', symbols: ['s'], hint: 'h' });
    }
  });

  test('each belongs to a code of the core', () => {
    for (const [code, Class] of Object.entries(errorClasses)) expect(codes).toContainEqual([code, Class.name]);
  });

  test('all are exported, and extend MiniTensorError and Error', () => {
    for (const Class of Object.values(errorClasses)) {
      expect(Reflect.get(minitensor, Class.name)).toBe(Class);
      const error = new Class('text');
      expect(error).toBeInstanceOf(minitensor.MiniTensorError);
      expect(error).toBeInstanceOf(Error);
      expect(`${error}`).toBe(`${Class.name}: text`);
      expect(error.stack).toContain('errors.test.js');
    }
  });

  test('names of functions are those of JavaScript, and other names are as they are', () => {
    const told = (/** @type {string} */ message) =>
      errorFromCore({ code: 'MT_VALUE', message, phase: '', plugin: '', symbols: [], hint: '', callbackError: 0 }).message;
    expect(told('load_plugin: plugin "my load_plugin x" (a load_plugin.wasm): imports get_plugin'))
      .toBe('loadPlugin: plugin "my load_plugin x" (a load_plugin.wasm): imports get_plugin');
    expect(told('unload_plugin: x')).toBe('unloadPlugin: x');
    expect(told('register_plugin: the plugin\'s name is empty')).toBe('register: the plugin\'s name is empty');
    expect(told('PluginBuilder: max_minitensor_version 1 is below min_minitensor_version 2'))
      .toBe('PluginBuilder: maxMinitensorVersion 1 is below minMinitensorVersion 2');
    expect(told('layer "a": add_parameter: the name is empty')).toBe('layer "a": addParameter: the name is empty');
    expect(told('op "a": add_parameter may only be called in create')).toBe('op "a": add_parameter may only be called in create');
  });

  test('a cause is kept, and there is none where none was given', () => {
    const cause = new Error('below');
    expect(new minitensor.PluginError('x', { cause }).cause).toBe(cause);
    expect(new minitensor.MiniTensorError('x', { cause }).cause).toBe(cause);
    expect('cause' in new minitensor.PluginError('x')).toBe(false);
  });
});

test('the guide names every phase that the reference does', () => {
  const text = (/** @type {string} */ file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [, described = ''] = /\[phase\] the step that failed: ([^@]*)\n \* @property/.exec(text('js/errors.js')) ?? [];
  const [, guide = ''] = /A `PluginError` has a `phase`(.*?)In a build without/s.exec(text('docs/plugins.md')) ?? [];
  const phases = [...described.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(phases.length).toBeGreaterThan(10);
  const named = new Set([...guide.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(phases.filter((phase) => !named.has(phase))).toEqual([]);
});

test('the dtypes are those of the core, with arrays of their size', () => {
  expect(Object.entries(dtypes).map(([name, { number }]) => [String(number), name])).toEqual(dtypeNumbers);
  for (const [name, { Array: TypedArray }] of Object.entries(dtypes)) {
    const kind = TypedArray.name.replace(/^Big/, '').replace('Array', '').toLowerCase();
    expect(kind).toBe(name === 'bool' ? 'uint8' : name);
  }
});
