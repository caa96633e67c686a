/* Ops of compiled plugins for all dtypes, as plugin.hpp gives them to authors. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DTypeError } from 'minitensor';

import { expectError, thrownBy } from './support/errors.js';
import { instanceForTests } from './support/instance.js';
import { testPlugin } from './support/plugin_files.js';

const mt = await instanceForTests();
const { customOps, plugins } = mt;

/** @typedef {import('minitensor').DType} DType */

/**
 * @param {string} op
 * @param {readonly (number | bigint | boolean)[]} values
 * @param {DType} dtype
 */
const run = (op, values, dtype) => mt.tidy(() => {
  const result = customOps.execute(op, [new mt.Tensor(/** @type {number[]} */ (values), { dtype })]);
  return [result.dtype, ...result.toTypedArray()];
});

beforeAll(async () => {
  await plugins.loadPlugin(testPlugin('cpp_dtypes'));
  return () => plugins.unloadPlugin('cpp_dtypes');
});

describe('an op in C++', () => {
  test('reads and writes integers, exactly', () => {
    expect(run('cpp_next', [1, -5, 0], 'int32')).toEqual(['int32', 2, -4, 1]);
    expect(run('cpp_next', [2n ** 53n, -1n], 'int64')).toEqual(['int64', 2n ** 53n + 1n, 0n]);
    expect(run('cpp_next', [0, 255], 'uint8')).toEqual(['uint8', 1, 0]);
  });

  test('is given no dtype that it does not take', () => {
    for (const dtype of /** @type {const} */ (['float32', 'float64', 'bool'])) {
      expectError(thrownBy(() => run('cpp_next', [1], dtype)), DTypeError, 'cpp_next');
    }
  });

  test('gives bool for all others', () => {
    for (const dtype of /** @type {const} */ (['float32', 'float64', 'int32'])) {
      expect(run('cpp_is_positive', [-1, 0, 2], dtype)).toEqual(['bool', 0, 0, 1]);
    }
    expect(run('cpp_is_positive', [-1n, 0n, 2n ** 40n], 'int64')).toEqual(['bool', 0, 0, 1]);
    expect(run('cpp_is_positive', [0, 200], 'uint8')).toEqual(['bool', 0, 1]);
  });

  test('names a dtype in a message as others do', () => {
    const error = thrownBy(() => run('cpp_is_positive', [true], 'bool'));
    expectError(error, DTypeError, 'op "cpp_is_positive": x must be of numbers, but it is bool');
  });

  test('fills a tensor of any', () => {
    for (const dtype of /** @type {const} */ (['float32', 'float64', 'int32', 'uint8'])) {
      expect(run('cpp_seven', [1, 2], dtype)).toEqual([dtype, 7, 7]);
    }
    expect(run('cpp_seven', [1n], 'int64')).toEqual(['int64', 7n]);
    expect(run('cpp_seven', [false], 'bool')).toEqual(['bool', 1]);
  });
});
