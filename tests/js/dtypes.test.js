import vm from 'node:vm';

import { describe, expect, test } from '@jest/globals';
import { DTypeError, ShapeError, ValueError } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor } = mt;

/**
 * The dtype and the elements of a tensor, which is released.
 * @param {() => import('minitensor').Tensor} make
 */
function read(make) {
  return mt.tidy(() => {
    const tensor = make();
    return [tensor.dtype, /** @type {unknown} */ (tensor.toArray())];
  });
}

describe('elements of every dtype', () => {
  /** @type {[string, unknown, unknown, Function][]} */
  const cases = [
    ['float32', [1.5, -0], [1.5, -0], Float32Array],
    ['float64', [0.1, NaN], [0.1, NaN], Float64Array],
    ['int32', [1, -2147483648], [1, -2147483648], Int32Array],
    ['int64', [1, 2n ** 62n, -(2n ** 63n)], [1, 2n ** 62n, -(2n ** 63n)], BigInt64Array],
    ['uint8', [0, 255], [0, 255], Uint8Array],
    ['bool', [true, false], [true, false], Uint8Array],
  ];
  test.each(cases)('%s goes in and comes out', (dtype, values, result, TypedArray) => {
    expect(read(() => new Tensor(wrong(values), { dtype: wrong(dtype) }))).toEqual([dtype, result]);
    expect(mt.tidy(() => new Tensor(wrong(values), { dtype: wrong(dtype) }).toTypedArray())).toBeInstanceOf(TypedArray);
  });

  test('int64 comes out as numbers where that is exact', () => {
    const limit = BigInt(Number.MAX_SAFE_INTEGER);
    const values = [limit, limit + 1n, -limit, -limit - 1n, 0n];
    expect(read(() => new Tensor(values))).toEqual([
      'int64', [Number(limit), limit + 1n, -Number(limit), -limit - 1n, 0],
    ]);
    expect(mt.tidy(() => new Tensor(5n).item())).toBe(5);
    expect(mt.tidy(() => new Tensor(2n ** 60n).item())).toBe(2n ** 60n);
  });

  test('values have a dtype by themselves', () => {
    expect(read(() => new Tensor([1, 2]))[0]).toBe('float32');
    expect(read(() => new Tensor([1n, 2]))).toEqual(['int64', [1, 2]]);
    expect(read(() => new Tensor([[true], [false]]))).toEqual(['bool', [[true], [false]]]);
    expect(read(() => new Tensor([true, 2]))).toEqual(['float32', [1, 2]]);
    expectError(thrownBy(() => new Tensor([1n, 0.5])), TypeError, 'BigInts');
  });

  test('what int64 cannot hold is refused', () => {
    for (const value of [2n ** 63n, -(2n ** 63n) - 1n]) {
      expectError(thrownBy(() => new Tensor(value)), ValueError, 'does not fit int64');
    }
    expectError(thrownBy(() => new Tensor(new BigUint64Array([2n ** 63n]))), ValueError, 'does not fit int64');
  });

  test('are cast by one rule', () => {
    const values = new Float64Array([1.9, -1.9, NaN, Infinity, -Infinity, 300, -1]);
    expect(read(() => new Tensor(values, { dtype: 'int32' }))[1]).toEqual([1, -1, 0, 2147483647, -2147483648, 300, -1]);
    expect(read(() => new Tensor(values, { dtype: 'uint8' }))[1]).toEqual([1, 0, 0, 255, 0, 255, 0]);
    expect(read(() => new Tensor(values, { dtype: 'bool' }))[1]).toEqual(Array.from(values, (value) => value !== 0));
    expect(read(() => new Tensor(new Int32Array([-1, 256]), { dtype: 'uint8' }))[1]).toEqual([255, 0]);
    expect(read(() => mt.cast(new Tensor([2n ** 60n + 1n]), { dtype: 'float64' }))[1]).toEqual([2 ** 60]);
  });

  test('are refused where they are numbers that the dtype does not hold', () => {
    /** @type {[import('minitensor').DType, number | bigint][]} */
    const beyond = [
      ['uint8', 256], ['uint8', -1], ['uint8', 256n], ['int32', 2 ** 31], ['int32', -(2 ** 31) - 1], ['int32', NaN],
      ['int64', 2 ** 63], ['int64', Infinity],
    ];
    for (const [dtype, value] of beyond) {
      const shown = typeof value === 'bigint' ? `${value}n` : value;
      const make = () => new Tensor([0, value], { dtype });
      expectError(thrownBy(make), ValueError, `Tensor: ${shown} does not fit ${dtype}`);
    }
    expectError(thrownBy(() => mt.arange(300, { dtype: 'uint8' })), ValueError, 'arange: 299 does not fit uint8');
    expectError(thrownBy(() => mt.linspace(-1, 1, { dtype: 'uint8' })), ValueError, 'linspace: -1 does not fit uint8');
    const full = (/** @type {number} */ value) => mt.full([1], value, { dtype: 'int32' });
    expectError(thrownBy(() => full(2 ** 31)), ValueError, 'full: 2147483648 does not fit int32');
    const large = () => mt.full([1], 2 ** 63, { dtype: 'int64' });
    expectError(thrownBy(large), ValueError, 'full: 9223372036854776000 does not fit int64');
    expect(read(() => new Tensor([255.9, -0.9], { dtype: 'uint8' }))[1]).toEqual([255, 0]);
    expect(read(() => mt.full([1], -(2 ** 63), { dtype: 'int64' }))[1]).toEqual([-(2n ** 63n)]);
  });

  test('of BigUint64Arrays are refused, whatever realm made them', () => {
    const make = (/** @type {string} */ text) => vm.runInNewContext(text);
    expect(read(() => new Tensor(make('new BigUint64Array([1n, 2n ** 63n - 1n])')))[1]).toEqual([1, 2n ** 63n - 1n]);
    for (const dtype of /** @type {const} */ (['int64', 'float64'])) {
      const large = make('new BigUint64Array([2n ** 63n])');
      expectError(thrownBy(() => new Tensor(large, { dtype })), ValueError, '9223372036854775808n does not fit int64');
    }
  });

  test('of numbers without a tensor beside them are those of one array of all', () => {
    const odd = 2n ** 53n + 1n;
    expect(read(() => mt.where([true], odd, 0))).toEqual(['int64', [odd]]);
    expect(read(() => mt.stack([0, odd]))).toEqual(['int64', [0, odd]]);
    expect(read(() => mt.equal([2 ** 53], [odd]))[1]).toEqual([false]);
    expect(read(() => mt.add([1], [0.5]))).toEqual(['float32', [1.5]]);
    expect(read(() => mt.where([], 1, 2))).toEqual(['float32', []]);
  });

  test('are printed', () => {
    expect(mt.tidy(() => String(new Tensor([true, false])))).toBe('Tensor([2], bool) [ true, false]');
    const large = '1152921504606846976';
    expect(mt.tidy(() => String(new Tensor([1n, 2n ** 60n]))))
      .toBe(`Tensor([2], int64) [${'1'.padStart(large.length)}, ${large}]`);
  });
});

describe('numbers beside a tensor', () => {
  /** @type {[string, unknown, string, unknown][]} */
  const cases = [
    ['int32', 2, 'int32', [3]],
    ['int32', 2n, 'int32', [3]],
    ['int32', 0.5, 'float32', [1.5]],
    ['uint8', [1, 2], 'uint8', [2, 3]],
    ['uint8', true, 'uint8', [2]],
    ['float32', 2 ** 53, 'float32', [2 ** 53]],
    ['float64', 0.1, 'float64', [1.1]],
    ['bool', 1, 'int64', [2]],
    ['bool', true, 'bool', [true]],
    ['int32', new Int32Array([1]), 'int32', [2]],
    ['int32', new Float64Array([1]), 'float64', [2]],
  ];
  test.each(cases)('of %s: %p gives %s', (dtype, other, resultDtype, result) => {
    expect(read(() => mt.add(new Tensor([1], { dtype: wrong(dtype) }), wrong(other)))).toEqual([resultDtype, result]);
    expect(read(() => mt.add(wrong(other), new Tensor([1], { dtype: wrong(dtype) })))).toEqual([resultDtype, result]);
  });

  test('must fit its dtype', () => {
    mt.tidy(() => {
      const x = new Tensor([1], { dtype: 'uint8' });
      expectError(thrownBy(() => x.add(256)), ValueError, 'add: input 1: 256 does not fit uint8');
      expectError(thrownBy(() => x.add([0, -1])), ValueError, '-1 does not fit uint8');
    });
  });
});

describe('views', () => {
  test('of slices share the elements', () => {
    mt.tidy(() => {
      const x = new Tensor([[1, 2, 3], [4, 5, 6]]);
      const column = x.slice({ start: 1, stop: 2, axes: -1 });
      expect(column.toArray()).toEqual([[2], [5]]);
      x.assign([[10, 20, 30], [40, 50, 60]]);
      expect(column.toArray()).toEqual([[20], [50]]);
      expect(x.slice({ start: [-1, -1], step: [-1, -2] }).strides).toEqual([-3, -2]);
    });
  });

  test('are assigned through', () => {
    mt.tidy(() => {
      const x = new Tensor([[1, 2, 3], [4, 5, 6]]);
      x.slice({ start: 0, step: 2, axes: 1 }).assign([[0, -1], [-2, -3]]);
      expect(x.toArray()).toEqual([[0, 2, -1], [-2, 5, -3]]);
      x.transpose().assign(x.transpose());
      expect(x.toArray()).toEqual([[0, 2, -1], [-2, 5, -3]]);
      expectError(thrownBy(() => x.assign([1])), ShapeError, 'assign');
    });
  });
});

test('an op says which dtypes it does not take', () => {
  mt.tidy(() => expectError(thrownBy(() => new Tensor([true]).neg()), DTypeError, 'neg: takes numbers, not bool'));
});
