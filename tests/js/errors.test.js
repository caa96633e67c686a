import { describe, expect, test } from '@jest/globals';
import * as minitensor from '../../js/exports.js';

import createCore from '../../dist/core/minitensor.js';
import { callsOf } from '../../js/calls.js';
import { dtypes } from '../../js/dtype.js';
import { errorClasses, errorFromCore } from '../../js/errors.js';
import { compileWasm } from '../../js/load.js';

const wasm = await compileWasm(new URL('../../dist/core/minitensor.wasm', import.meta.url));
const core = /** @type {import('../../js/core_module.js').CoreModule} */ (
  await createCore({
    callbacks: { call: () => 0, release: () => {} },
    /** @type {(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => object} */
    instantiateWasm: (imports, receive) => {
      receive(new WebAssembly.Instance(wasm, imports));
      return {};
    },
  })
);
const enums = Object.assign(core, callsOf(core)).describeEnums();

describe('the classes of errors', () => {
  test.each(Object.entries(enums.errors))('%s of the core becomes a %s', (code, name) => {
    const noted = { code, message: 'm', phase: 'p', plugin: 'q', symbols: ['s'], hint: 'h', callbackError: 0 };
    const error = errorFromCore(noted);
    expect(error).toMatchObject({ code, message: 'm', name });
    expect(error.constructor).toBe(Reflect.get(minitensor, name));
    if (error instanceof minitensor.PluginError) {
      expect(error).toMatchObject({ phase: 'p', plugin: 'q', symbols: ['s'], hint: 'h' });
    }
  });

  test('each belongs to a code of the core', () => {
    for (const [code, Class] of Object.entries(errorClasses)) expect(enums.errors[code]).toBe(Class.name);
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

  test('a cause is kept, and there is none where none was given', () => {
    const cause = new Error('below');
    expect(new minitensor.PluginError('x', { cause }).cause).toBe(cause);
    expect(new minitensor.MiniTensorError('x', { cause }).cause).toBe(cause);
    expect('cause' in new minitensor.PluginError('x')).toBe(false);
  });
});

test('the dtypes are those of the core, with arrays of their size', () => {
  expect(Object.fromEntries(Object.entries(dtypes).map(([name, { number }]) => [name, number]))).toEqual(enums.dtypes);
  for (const [name, { Array: TypedArray }] of Object.entries(dtypes)) {
    const kind = TypedArray.name.replace(/^Big/, '').replace('Array', '').toLowerCase();
    expect(kind).toBe(name === 'bool' ? 'uint8' : name);
  }
});
