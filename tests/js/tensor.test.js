import { describe, expect, test } from '@jest/globals';
import { DTypeError, MiniTensorError, ShapeError, ValueError, init } from 'minitensor';

import { callWith, expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

/** @typedef {import('./support/instance.js').MiniTensor} MiniTensor */
/** @typedef {InstanceType<MiniTensor['Tensor']>} Tensor */

const mt = await instanceForTests();
const { Tensor } = mt;

/**
 * What a tensor is; it is disposed.
 * @param {ConstructorParameters<typeof Tensor>} args
 */
function made(...args) {
  return mt.tidy(() => {
    const { dtype, shape, strides, ndim, size, ...rest } = describeTensor(new Tensor(...args));
    return { dtype, shape, strides, ndim, size, ...rest };
  });
}

/** @param {Tensor} tensor */
function describeTensor(tensor) {
  const { dtype, shape, strides, ndim, size } = tensor;
  return { dtype, shape: [...shape], strides: [...strides], ndim, size, values: tensor.toArray() };
}

describe('a new Tensor', () => {
  test('of a number has no axes', () => {
    expect(made(5)).toEqual({ dtype: 'float32', shape: [], strides: [], ndim: 0, size: 1, values: 5 });
  });

  test('of arrays has their shape, and is row-major', () => {
    expect(made([[1, 2, 3], [4, 5, 6]])).toEqual({
      dtype: 'float32', shape: [2, 3], strides: [3, 1], ndim: 2, size: 6, values: [[1, 2, 3], [4, 5, 6]],
    });
  });

  test.each([[[]], [[[]]], [[[], []]]])('may be empty: %j', (...values) => {
    expect(made(wrong(values))).toMatchObject({ size: 0, values });
  });

  test('has up to 8 axes', () => {
    expect(made([[[[[[[[7]]]]]]]]).ndim).toBe(8);
    expectError(thrownBy(() => new Tensor(wrong([[[[[[[[[7]]]]]]]]]))), ShapeError, 'more than 8 deep');
  });

  test('of flat values takes a shape', () => {
    expect(made([1, 2, 3, 4], { shape: [2, 2] }).values).toEqual([[1, 2], [3, 4]]);
    expect(made(new Float32Array(6), { shape: [1, 2, 3] }).strides).toEqual([6, 3, 1]);
    expect(made([[1, 2], [3, 4]], { shape: [4] }).values).toEqual([1, 2, 3, 4]);
    expect(made(5, { shape: [1, 1] }).values).toEqual([[5]]);
    expect(made([], { shape: [0, 3] })).toMatchObject({ shape: [0, 3], size: 0, values: [] });
  });

  /** @type {[string, ArrayLike<number | bigint>, string][]} */
  const typedArrays = [
    ['Int8Array', new Int8Array([-128, 127]), 'int32'],
    ['Uint8Array', new Uint8Array([0, 255]), 'uint8'],
    ['Uint8ClampedArray', new Uint8ClampedArray([0, 255]), 'uint8'],
    ['Int16Array', new Int16Array([-32768, 32767]), 'int32'],
    ['Uint16Array', new Uint16Array([0, 65535]), 'int32'],
    ['Int32Array', new Int32Array([-(2 ** 31), 2 ** 31 - 1]), 'int32'],
    ['Uint32Array', new Uint32Array([0, 2 ** 32 - 1]), 'int64'],
    ['BigInt64Array', new BigInt64Array([-(2n ** 63n), 2n ** 63n - 1n]), 'int64'],
    ['BigUint64Array', new BigUint64Array([2n ** 53n, 2n ** 63n - 1n]), 'int64'],
    ['Float32Array', new Float32Array([0.1, NaN]), 'float32'],
    ['Float64Array', new Float64Array([0.1, Infinity]), 'float64'],
  ];
  test.each(typedArrays)('of a %s holds every value of it', (_, values, dtype) => {
    const { values: got, dtype: gotDtype } = made(wrong(values));
    expect(gotDtype).toBe(dtype);
    expect(got).toEqual(Array.from(values));
  });

  test('of a part of a buffer takes that part', () => {
    const { buffer } = new Float32Array([1, 2, 3, 4]);
    expect(made(new Float32Array(buffer, 4, 2)).values).toEqual([2, 3]);
  });

  test('of a Buffer takes its bytes', () => {
    expect(made(Buffer.from([1, 2])).values).toEqual([1, 2]);
  });

  test('of a DataView is refused', () => {
    const view = new DataView(new ArrayBuffer(8));
    expect(expectError(thrownBy(() => new Tensor(wrong(view))), DTypeError, 'no dtype').code).toBe('MT_DTYPE');
  });

  test('of a detached array is refused', () => {
    const values = new Float32Array(2);
    structuredClone(values, { transfer: [values.buffer] });
    const known = 'detached' in values.buffer;
    // An engine without that property cannot tell it from an empty one.
    if (known) expectError(thrownBy(() => new Tensor(values)), TypeError, 'detached');
  });

  test('is rounded to its dtype', () => {
    expect(made([0.1]).values).toEqual([Math.fround(0.1)]);
    expect(made([0.1], { dtype: 'float64' }).values).toEqual([0.1]);
    expect(made(new Float64Array([0.1]), { dtype: 'float32' }).values).toEqual([Math.fround(0.1)]);
  });

  test('keeps NaN, infinities and the sign of zero', () => {
    for (const dtype of /** @type {const} */ (['float32', 'float64'])) {
      expect(made([NaN, Infinity, -Infinity, -0], { dtype }).values).toEqual([NaN, Infinity, -Infinity, -0]);
    }
  });

  test('does not follow its source', () => {
    const values = new Float32Array([1, 2]);
    const tensor = new Tensor(values);
    values[0] = 9;
    expect(tensor.toArray()).toEqual([1, 2]);
    tensor.dispose();
  });

  /** @type {[unknown, RegExp][]} */
  const ragged = [
    [[[1, 2], [3]], /ragged: \[1\] has length 1, others have 2/],
    [[[1], 2], /ragged: \[1\] is a number, others are arrays of 1/],
    [[1, [2]], /ragged: \[1\] is an array of 1, others are numbers/],
    [[[[1], [2]], [[3], [4, 5]]], /ragged: \[1\]\[1\] has length 2/],
  ];
  test.each(ragged)('of arrays of different lengths is a ShapeError that says where: %j', (values, message) => {
    expect(expectError(thrownBy(() => new Tensor(wrong(values))), ShapeError, message).code).toBe('MT_SHAPE');
  });

  /** @type {[unknown, RegExp][]} */
  const noNumbers = [
    [['1'], /Tensor\[0\] must be a number, not "1"/],
    [[[1, null]], /\[0\]\[1\] must be a number, not null/],
    [[undefined], /\[0\].*undefined/],
    [new Array(3), /\[0\].*undefined/],
    [undefined, /undefined/],
    [null, /null/],
    ['text', /"text"/],
    [{}, /an object/],
    [new Map(), /an object/],
    [() => {}, /a function/],
    [Symbol('x'), /a symbol/],
  ];
  test.each(noNumbers)('of what is no number is a TypeError that says where (%#)', (values, message) => {
    expectError(thrownBy(() => new Tensor(wrong(values))), TypeError, message);
  });

  test('of an array that contains itself is refused', () => {
    /** @type {unknown[]} */
    const values = [];
    values.push(values);
    expectError(thrownBy(() => new Tensor(wrong(values))), ShapeError, 'deep');
  });

  /** @type {[unknown, new (...args: never[]) => Error, RegExp][]} */
  const shapes = [
    [[3], ShapeError, /4 values do not fill the shape \[3\]/],
    [[], ShapeError, /do not fill/],
    [[-1], ShapeError, /from 0 up, not -1/],
    [[-2, -2], ShapeError, /from 0 up/],
    [[1.5], ShapeError, /not 1.5/],
    [[NaN], ShapeError, /NaN/],
    [[2 ** 53], ShapeError, /9007199254740992/],
    [[2 ** 40, 2 ** 40], ShapeError, /do not fill/],
    [[4, 1, 1, 1, 1, 1, 1, 1, 1], ShapeError, /8/],
    [['4'], TypeError, /"4"/],
    [4, TypeError, /array/],
    [null, TypeError, /array/],
    ['4', TypeError, /array/],
  ];
  test.each(shapes)('of 4 values refuses the shape %j', (shape, Class, message) => {
    expectError(thrownBy(() => new Tensor([1, 2, 3, 4], { shape: wrong(shape) })), Class, message);
  });

  test('of no values may still have large sizes', () => {
    for (const shape of [[0, 2 ** 40], [2 ** 40, 0, 2 ** 40]]) {
      const x = new Tensor([], { shape });
      expect([x.shape, x.size, mt.tidy(() => x.exp().shape)]).toEqual([shape, 0, shape]);
      expect(String(x)).toBe(`Tensor([${shape}], float32) []`);
      x.dispose();
    }
  });

  test.each(['int8', '', 'FLOAT32', 'toString', '__proto__'])('refuses the dtype %j and lists the known ones', (dtype) => {
    expectError(thrownBy(() => new Tensor([1], { dtype: wrong(dtype) })), DTypeError, 'float32, float64');
  });

  test.each([null, 1, {}, ['float32']])('refuses a dtype that is no text (%#)', (dtype) => {
    expectError(thrownBy(() => new Tensor([1], { dtype: wrong(dtype) })), TypeError, 'dtype');
  });

  test.each([null, 1, 'float32', true])('refuses options that are no object (%#)', (options) => {
    expectError(thrownBy(() => new Tensor([1], wrong(options))), TypeError, 'options must be an object');
  });

  test('refuses an option of another name', () => {
    expectError(thrownBy(() => new Tensor([1], wrong({ dtyp: 'int32' }))), ValueError, 'unknown option "dtyp"');
  });

  test('too large for memory is an error with the bytes, and the instance works on', () => {
    mt.tidy(() => {
      new Tensor(new Float32Array(25_000_000));
      const x = new Tensor(new Float64Array(16_300), { shape: [16_300, 1] });
      const error = thrownBy(() => x.add(x.transpose()));
      expectError(error, MiniTensorError, /out of memory: 2125520000 bytes wanted, 100130400 bytes in use by tensors; the limit is 2147483648 bytes/);
      expect(error).toMatchObject({ code: 'MT_MEMORY' });
    });
    expect(mt.tidy(() => mt.add(1, 2).item())).toBe(3);
  });

  test('with more elements than can be counted is a ShapeError', () => {
    const x = new Tensor(new Float32Array(60_000), { shape: [60_000, 1] });
    const y = x.transpose();
    expectError(thrownBy(() => x.add(y)), ShapeError, '[60000,60000] has more than 268435455 elements');
    x.dispose();
    y.dispose();
  });
});

describe('a source that changes while it is read', () => {
  /** An array whose length is what is said, without having as many elements. @param {unknown} length */
  const lying = (length) => new Proxy([1, 2, 3], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) });

  test.each([0.5, 1.5, -1, NaN, '2', 2 ** 53, null])('of length %p is refused', (length) => {
    expectError(thrownBy(() => new Tensor(wrong(lying(length)))), TypeError, /length/);
  });

  test('of another shape at each look does no harm', () => {
    let looks = 0;
    const shape = new Proxy([2], { get: (target, key) => (key === '0' ? [2, 1, 3][looks++ % 3] : Reflect.get(target, key)) });
    for (let i = 0; i < 30; i++) {
      try {
        new Tensor([1, 2], { shape }).dispose();
      } catch (error) {
        expectError(error, ShapeError, 'fill');
      }
    }
  });

  test('that shrinks or grows leaves nothing behind', () => {
    for (const size of [4, 12]) {
      const buffer = Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]);
      const values = new Float32Array(buffer);
      const options = { get dtype() { buffer.resize(size); return /** @type {const} */ ('float32'); } };
      try {
        new Tensor(values, options).dispose();
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});

describe('reading', () => {
  test('toTypedArray gives a copy in the dtype\'s own array type', () => {
    const tensor = new Tensor([1, 2]);
    const values = tensor.toTypedArray();
    expect(values).toBeInstanceOf(Float32Array);
    values[0] = 9;
    expect(tensor.toArray()).toEqual([1, 2]);
    tensor.dispose();
    expect(mt.tidy(() => new Tensor([1], { dtype: 'float64' }).toTypedArray())).toBeInstanceOf(Float64Array);
  });

  test('a view is read in its own order', () => {
    const values = mt.tidy(() => {
      const x = new Tensor([[1, 2, 3], [4, 5, 6]]).transpose();
      return { strides: [...x.strides], flat: [...x.toTypedArray()], nested: x.toArray(), text: String(x) };
    });
    expect(values).toEqual({
      strides: [1, 3],
      flat: [1, 4, 2, 5, 3, 6],
      nested: [[1, 4], [2, 5], [3, 6]],
      text: 'Tensor([3,2], float32)\n[[1., 4.],\n [2., 5.],\n [3., 6.]]',
    });
  });

  test('what was read stays when memory grows', () => {
    const x = new Tensor([1, 2, 3]);
    const values = x.toTypedArray();
    const large = new Tensor(new Float64Array(5_000_000));
    expect([...values]).toEqual([1, 2, 3]);
    expect(x.toArray()).toEqual([1, 2, 3]);
    large.dispose();
    x.dispose();
  });

  test('toArray refuses what has no elements, and more arrays than memory holds', () => {
    mt.tidy(() => {
      expectError(thrownBy(() => mt.zeros([1e6, 1e6, 0]).toArray()), ShapeError, 'toArray: shape [1000000,1000000,0]');
      expect(mt.zeros([2, 0, 1e6]).toArray()).toEqual([[], []]);
    });
  });

  test('item gives the one element, and refuses other counts', () => {
    expect(mt.tidy(() => [new Tensor(3).item(), new Tensor([[3]]).item()])).toEqual([3, 3]);
    for (const values of [[], [1, 2]]) {
      expectError(thrownBy(() => mt.tidy(() => new Tensor(values).item())), ShapeError, 'not one');
    }
  });

  test('shape and strides are frozen', () => {
    const x = new Tensor([1, 2]);
    expect(Object.isFrozen(x.shape) && Object.isFrozen(x.strides)).toBe(true);
    x.dispose();
  });
});

describe('dispose', () => {
  test('releases, once', () => {
    const before = mt.memory();
    const x = new Tensor([1, 2]);
    expect(mt.memory()).toEqual({ ...before, tensors: before.tensors + 1, bytes: before.bytes + 8 });
    x.dispose();
    x.dispose();
    expect(x.isDisposed).toBe(true);
    expect(String(x)).toBe('Tensor(disposed)');
    expect(mt.memory()).toEqual(before);
  });

  test('leaves views their elements', () => {
    const x = new Tensor([[1, 2], [3, 4]]);
    const y = x.transpose();
    x.dispose();
    expect(mt.memory().bytes).toBe(16);
    expect(y.toArray()).toEqual([[1, 3], [2, 4]]);
    y.dispose();
  });

  test('is what `using` calls', () => {
    const x = new Tensor([1]);
    callWith(x, Symbol.dispose, []);
    expect(x.isDisposed).toBe(true);
  });

  test('makes every later use an error that says so', () => {
    const x = new Tensor([1]);
    x.dispose();
    for (const method of ['toArray', 'toTypedArray', 'item', 'exp', 'sum']) {
      expect(expectError(thrownBy(() => callWith(x, method, [])), MiniTensorError, 'disposed').code).toBe('MT_DISPOSED');
    }
    for (const getter of ['shape', 'strides', 'dtype', 'ndim', 'size']) {
      expectError(thrownBy(() => Reflect.get(x, getter)), MiniTensorError, 'disposed');
    }
    expectError(thrownBy(() => mt.add(1, x)), MiniTensorError, 'add: input 1 is a disposed Tensor');
    expectError(thrownBy(() => mt.keep(x)), MiniTensorError, 'disposed');
  });
});

test('a tensor of another instance is refused by every op', async () => {
  const other = await init();
  const foreign = new other.Tensor([1]);
  const x = new Tensor([1]);
  for (const call of [() => x.add(foreign), () => foreign.add(x), () => mt.exp(foreign), () => mt.keep(foreign)]) {
    expect(expectError(thrownBy(call), ValueError, 'another instance').code).toBe('MT_VALUE');
  }
  foreign.dispose();
  x.dispose();
});

test('instances do not mix their classes', async () => {
  const other = await init();
  const x = new Tensor([1]);
  expect(x).toBeInstanceOf(Tensor);
  expect(x).not.toBeInstanceOf(other.Tensor);
  expect(Tensor.name).toBe('Tensor');
  x.dispose();
});
