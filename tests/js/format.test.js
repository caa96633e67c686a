/*
 * Tensors as text, against NumPy's own: tests/fixtures/generate_printed.py.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';

import { expect, jest, test } from '@jest/globals';

import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor } = mt;

/** @typedef {import('../../js/dtype.js').DType} DType */
/** @typedef {{ count: number, offset: number, factor: number }} Progression */
/** @typedef {{ dtype: DType, shape: number[], values: string[] | Progression, text: string }} Printed */

/** @type {Printed[]} */
const cases = JSON.parse(readFileSync(path.join(import.meta.dirname, '../fixtures/printed.json'), 'utf8'));

/** @param {string} text @param {DType} dtype */
function value(text, dtype) {
  if (dtype === 'int64') return BigInt(text);
  if (dtype === 'bool') return text === 'true';
  return Number(text.replace('inf', 'Infinity').replace('nan', 'NaN'));
}

/** @param {Printed} printed */
function make({ dtype, shape, values }) {
  if (Array.isArray(values)) {
    return new Tensor(/** @type {number[]} */ (values.map((text) => value(text, dtype))), { dtype, shape });
  }
  const { count, offset, factor } = values;
  const numbers = Float64Array.from({ length: count }, (_, i) => offset + factor * i);
  return new Tensor(numbers, { shape }).cast({ dtype });
}

test.each(cases.map((printed) => /** @type {const} */ ([printed.dtype, printed.shape.join('x'), printed])))(
  '%s of shape [%s] are printed as NumPy prints them',
  (dtype, _, printed) => {
    const { shape, text } = printed;
    const gap = text.includes('\n') ? '\n' : ' ';
    expect(mt.tidy(() => String(make(printed)))).toBe(`Tensor([${shape}], ${dtype})${gap}${text}`);
  },
);

test('a tensor without elements is printed on one line, whatever its shape', () => {
  expect(mt.tidy(() => String(new Tensor([], { shape: [1e15, 0, 3] })))).toBe('Tensor([1000000000000000,0,3], float32) []');
});

test('what NumPy prints otherwise: names of one width, and a half rounded up', () => {
  expect(mt.tidy(() => String(new Tensor([true, true])))).toBe('Tensor([2], bool) [true, true]');
  // 2^-9 is exactly 0.001953125.
  expect(mt.tidy(() => String(new Tensor([2 ** -9])))).toBe('Tensor([1], float32) [0.00195313]');
});

test('as many edges are printed as seven axes have', () => {
  const text = mt.tidy(() => String(new Tensor(0.5).broadcastTo({ shape: Array.from({ length: 7 }, () => 7) })));
  expect(text.split('0.5')).toHaveLength(6 ** 7 + 1);
});

test('inspecting in Node gives the same text, of views and of what requires a gradient, too', () => {
  mt.tidy(() => {
    const x = new Tensor([[1, 2], [3, 4]], { requiresGrad: true });
    const text = 'Tensor([2,2], float32)\n[[1., 3.],\n [2., 4.]]';
    expect(inspect(x.transpose())).toBe(text);
    expect(`${x.mul(1).transpose()}`).toBe(text);
  });
});

test('printing a large view copies its edges only, and leaves nothing behind', () => {
  mt.tidy(() => {
    const x = new Tensor([[0.5]], { requiresGrad: true }).broadcastTo({ shape: [2 ** 17, 2 ** 10] });
    const copied = jest.spyOn(Object.getPrototypeOf(Tensor.prototype), 'toTypedArray');
    const before = mt.memory();
    const row = '[0.5, 0.5, 0.5, …, 0.5, 0.5, 0.5]';
    const rows = [row, row, row, '…', row, row, row].join(',\n ');
    expect(String(x)).toBe(`Tensor([131072,1024], float32)\n[${rows}]`);
    expect(copied.mock.results.map(({ value: copy }) => copy.length)).toEqual([36]);
    copied.mockRestore();
    expect(mt.memory()).toEqual(before);
  });
});
