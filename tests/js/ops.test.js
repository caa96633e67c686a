import { describe, expect, test } from '@jest/globals';
import { DTypeError, ShapeError, ValueError } from 'minitensor';

import { opNames } from '../../js/generated/ops.js';
import { callWith, expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { Tensor } = mt;

/** @typedef {import('minitensor').Tensor} Tensor */

/**
 * Runs an op, which is a function of the instance and a method of tensors.
 * @param {object} target
 * @param {string} name
 * @param {readonly unknown[]} args
 */
const run = (target, name, args) => /** @type {Tensor} */ (callWith(target, name, args));

/**
 * @typedef {object} Case
 * @property {readonly unknown[]} inputs
 * @property {object} [attributes]
 * @property {unknown} result
 */

const A = [[1, 2, 3], [4, 5, 6]];
const B = [[10], [20]];
const X = [-1000, -1, -0, 0, 0.5, 3, 1000];
const sigmoid = (/** @type {number} */ x) => 1 / (1 + Math.exp(-x));

/** @type {Record<string, Case[]>} Values are by definition, or NumPy's. */
const cases = {
  add: [
    { inputs: [[1, 2], [10, 20]], result: [11, 22] },
    { inputs: [A, B], result: [[11, 12, 13], [24, 25, 26]] },
    { inputs: [A, 1], result: [[2, 3, 4], [5, 6, 7]] },
    { inputs: [[NaN, Infinity], [1, -Infinity]], result: [NaN, NaN] },
    { inputs: [[], [1]], result: [] },
  ],
  sub: [{ inputs: [A, B], result: [[-9, -8, -7], [-16, -15, -14]] }, { inputs: [1, [1, 2]], result: [0, -1] }],
  mul: [
    { inputs: [A, B], result: [[10, 20, 30], [80, 100, 120]] },
    { inputs: [[0, -0], [Infinity, 5]], result: [NaN, -0] },
  ],
  div: [
    { inputs: [[1, -1, 0, 3], [0, 0, 0, 2]], result: [Infinity, -Infinity, NaN, 1.5] },
    { inputs: [[[1, 2]], [[1], [2]]], result: [[1, 2], [0.5, 1]] },
  ],
  neg: [{ inputs: [[1, -2, 0, NaN, Infinity]], result: [-1, 2, -0, NaN, -Infinity] }],
  exp: [{ inputs: [X], result: X.map(Math.exp) }, { inputs: [[NaN, -Infinity, Infinity]], result: [NaN, 0, Infinity] }],
  tanh: [{ inputs: [X], result: X.map(Math.tanh) }, { inputs: [[NaN, -Infinity]], result: [NaN, -1] }],
  sigmoid: [{ inputs: [X], result: X.map(sigmoid) }, { inputs: [[NaN, -Infinity, Infinity]], result: [NaN, 0, 1] }],
  relu: [{ inputs: [[-1, 2, -Infinity, Infinity, NaN]], result: [0, 2, 0, Infinity, NaN] }],
  matmul: [
    { inputs: [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], result: [[19, 22], [43, 50]] },
    { inputs: [A, [[1], [0], [-1]]], result: [[-2], [-2]] },
    { inputs: [[[[1, 2]], [[3, 4]]], [[1], [1]]], result: [[[3]], [[7]]] },
  ],
  sum: [
    { inputs: [A], result: 21 },
    { inputs: [A], attributes: { axis: [0] }, result: [5, 7, 9] },
    { inputs: [A], attributes: { axis: [-1] }, result: [6, 15] },
    { inputs: [A], attributes: { axis: [1], keepDims: true }, result: [[6], [15]] },
    { inputs: [A], attributes: { keepDims: true }, result: [[21]] },
    { inputs: [[]], result: 0 },
    { inputs: [5], result: 5 },
  ],
  mean: [
    { inputs: [A], result: 3.5 },
    { inputs: [A], attributes: { axis: [0] }, result: [2.5, 3.5, 4.5] },
    { inputs: [A], attributes: { axis: [1], keepDims: true }, result: [[2], [5]] },
    { inputs: [[]], result: NaN },
  ],
  reshape: [
    { inputs: [A], attributes: { shape: [3, 2] }, result: [[1, 2], [3, 4], [5, 6]] },
    { inputs: [A], attributes: { shape: [-1] }, result: [1, 2, 3, 4, 5, 6] },
    { inputs: [A], attributes: { shape: [3, -1, 1] }, result: [[[1], [2]], [[3], [4]], [[5], [6]]] },
    { inputs: [[7]], attributes: { shape: [] }, result: 7 },
  ],
  transpose: [
    { inputs: [A], result: [[1, 4], [2, 5], [3, 6]] },
    { inputs: [[A]], attributes: { axes: [1, 2, 0] }, result: [[[1], [2], [3]], [[4], [5], [6]]] },
    { inputs: [[1, 2]], result: [1, 2] },
    { inputs: [5], result: 5 },
  ],
  broadcastTo: [
    { inputs: [[[1], [2]]], attributes: { shape: [2, 3] }, result: [[1, 1, 1], [2, 2, 2]] },
    { inputs: [7], attributes: { shape: [2] }, result: [7, 7] },
  ],
  slice: [
    { inputs: [A], attributes: { start: [1, 0], stop: [2, -1] }, result: [[4, 5]] },
    { inputs: [A], attributes: { start: -1, step: -2, axes: 1 }, result: [[3, 1], [6, 4]] },
    { inputs: [A], attributes: { start: [5, 0] }, result: [] },
    { inputs: [[1, 2, 3, 4]], attributes: { start: -100, stop: 100, step: 3 }, result: [1, 4] },
  ],
  cast: [{ inputs: [[1.5, -2]], attributes: { dtype: 'float64' }, result: [1.5, -2] }],
};

/** @typedef {typeof ShapeError | typeof ValueError | typeof DTypeError} ErrorClass */
/** @type {[string, readonly unknown[], object | undefined, ErrorClass, RegExp][]} */
const mistakes = [
  ['add', [[1, 2], [1, 2, 3]], undefined, ShapeError, /add: shapes do not broadcast: \[2\] and \[3\]/],
  ['matmul', [A, A], undefined, ShapeError, /matmul: .*\[2,3\].*\[2,3\]/],
  ['matmul', [[1], 5], undefined, ShapeError, /matmul/],
  ['sum', [A], { axis: [2] }, ShapeError, /sum: axis 2 is out of range for rank 2/],
  ['sum', [A], { axis: [0, -2] }, ShapeError, /given twice/],
  ['mean', [A], { axis: [-3] }, ShapeError, /mean: axis -3/],
  ['mean', [A], { axes: 0 }, ValueError, /mean: unknown attribute "axes"; declared are: "axis", "keepDims"/],
  ['sum', [A], { keepDims: 1 }, ValueError, /sum: attribute "keepDims" must be of type boolean, not number 1/],
  ['reshape', [A], undefined, ValueError, /reshape: attribute "shape" is required/],
  ['reshape', [A], { shape: [4] }, ShapeError, /reshape: sizes do not match: \[2,3\] to \[4\]/],
  ['reshape', [A], { shape: [-1, -1] }, ShapeError, /only one size may be -1/],
  ['reshape', [A], { shape: [-2, 3] }, ShapeError, /negative/],
  ['reshape', [A], { shape: [2 ** 52, 2 ** 52] }, ShapeError, /reshape/],
  ['transpose', [A], { axes: [0] }, ShapeError, /transpose: 1 axes given for shape \[2,3\]/],
  ['transpose', [A], { axes: [0, 0] }, ShapeError, /axis 0 is given twice/],
  ['broadcastTo', [A], { shape: [3] }, ShapeError, /broadcast/],
  ['slice', [A], { start: [0, 0, 0] }, ShapeError, /slice: axis 2 is out of range for rank 2/],
  ['slice', [A], { start: [0], axes: [0, 1] }, ShapeError, /slice: 2 values of axes for 1 axes/],
  ['slice', [A], { start: 0, step: 0 }, ValueError, /slice: the step is 0/],
  ['cast', [A], { dtype: 'int7' }, DTypeError, /cast: unknown dtype "int7"/],
  ['sum', [A], { axis: 1.5 }, ValueError, /sum: attribute "axis" must be of type integers, not number 1.5/],
  ['norm', [A], { ord: 3 }, ValueError, /norm: ord must be 1, 2 or infinity, not 3/],
  ['reshape', [A], { shape: [1, 1, 1, 1, 1, 1, 1, 2, 3] }, ShapeError, /reshape: a tensor has 0 to 8 dimensions, not 9/],
  ['broadcastTo', [1], { shape: [1, 1, 1, 1, 1, 1, 1, 2, 3] }, ShapeError, /broadcastTo: a tensor has 0 to 8 dim/],
  ['neg', [[true]], undefined, DTypeError, /neg: takes numbers, not bool/],
];

/** A result within the rounding of a dtype. @param {unknown} value @param {string} dtype @returns {unknown} */
function near(value, dtype) {
  if (Array.isArray(value)) return value.map((item) => near(item, dtype));
  const number = Number(value);
  if (!Number.isFinite(number) || number === 0) return number;
  const rounded = dtype === 'float32' ? Math.fround(number) : number;
  if (!Number.isFinite(rounded)) return rounded;
  const digits = dtype === 'float32' ? 5 : 14;
  return expect.closeTo(rounded, digits - Math.floor(Math.log10(Math.abs(number))));
}

// Others are run by op_fixtures.test.js and op_docs.test.js.
test('the ops here are ops of the engine', () => {
  expect(opNames).toEqual(expect.arrayContaining(Object.keys(cases)));
});

describe.each(['float32', 'float64'])('in %s', (dtype) => {
  describe.each(Object.entries(cases))('%s', (name, list) => {
    test.each(list)('of $inputs with $attributes is $result', ({ inputs, attributes, result }) => {
      mt.tidy(() => {
        const tensors = inputs.map((values) => new Tensor(wrong(values), { dtype: wrong(dtype) }));
        const [self, ...others] = tensors;
        const byFunction = run(mt, name, [...tensors, attributes]);
        const byMethod = run(/** @type {Tensor} */ (self), name, [...others, attributes]);
        const byName = mt.customOps.execute(name, tensors, wrong(attributes));
        for (const output of [byFunction, byMethod, byName]) {
          expect(output.dtype).toBe(Reflect.get(attributes ?? {}, 'dtype') ?? dtype);
          expect(output.toArray()).toEqual(near(result, dtype));
        }
      });
    });
  });
});

test.each(Object.keys(cases))('%s takes numbers in place of tensors', (name) => {
  for (const { inputs, attributes, result } of cases[name] ?? []) {
    expect(mt.tidy(() => run(mt, name, [...inputs, attributes]).toArray())).toEqual(near(result, 'float32'));
  }
});

test('an op without attributes refuses them, wherever they stand', () => {
  mt.tidy(() => {
    const x = new Tensor([1.26]);
    // TypeScript refuses them, too.
    /** @typedef {Record<string, (...values: unknown[]) => unknown>} Loose */
    const [ops, methods] = [/** @type {Loose} */ (wrong(mt)), /** @type {Loose} */ (wrong(x))];
    const given = { decimals: 1 };
    for (const call of [
      () => ops.round?.(x, given), () => methods.round?.(given), () => ops.unique?.(x, given),
      () => ops.add?.(x, x, given), () => methods.add?.(x, given), () => ops.where?.([true], x, x, given),
    ]) expectError(thrownBy(call), ValueError, 'unknown attribute "decimals"; declared are: none');
    for (const call of [() => ops.log?.(x, 2), () => methods.sum?.(0), () => ops.reshape?.(x, [1])]) {
      expectError(thrownBy(call), TypeError, 'attributes must be an object of names and values, as { axis: 0 }, not');
    }
  });
});

test('the functions have their names', () => {
  expect([mt.add.name, mt.zeros.name, mt.concat.name, Tensor.prototype.add.name]).toEqual(['add', 'zeros', 'concat', 'add']);
});

test('ops of two dtypes give the wider one', () => {
  mt.tidy(() => {
    const [a, b] = [new Tensor([0.1]), new Tensor([0.2], { dtype: 'float64' })];
    for (const name of ['add', 'sub', 'mul', 'div']) {
      expect(run(mt, name, [a, b]).dtype).toBe('float64');
    }
    expect(a.add(b).item()).toBe(Math.fround(0.1) + 0.2);
  });
});

test('matmul of two dtypes gives the wider one, or refuses them', () => {
  mt.tidy(() => {
    const [a, b] = [new Tensor([[2]]), new Tensor([[3]], { dtype: 'float64' })];
    try {
      expect(a.matmul(b).dtype).toBe('float64');
    } catch (error) {
      expectError(error, DTypeError, 'matmul');
    }
  });
});

test.each(mistakes)('%s of %j with %j is refused', (name, inputs, attributes, Class, message) => {
  const execute = () => mt.customOps.execute(name, wrong(inputs), wrong(attributes));
  for (const call of [() => run(mt, name, [...inputs, attributes]), execute]) {
    expectError(thrownBy(call), Class, message);
  }
});

test('ops work on views of any strides', () => {
  mt.tidy(() => {
    const x = new Tensor([[[1, 2, 3], [4, 5, 6]]]);
    const view = x.transpose({ axes: [2, 0, 1] });
    expect(view.add(view).toArray()).toEqual([[[2, 8]], [[4, 10]], [[6, 12]]]);
    expect(view.sum({ axis: [0] }).toArray()).toEqual([[6, 15]]);
    expect(view.reshape({ shape: [2, 3] }).toArray()).toEqual([[1, 4, 2], [5, 3, 6]]);
    expect(view.exp().shape).toEqual([3, 1, 2]);
    expect(x.reshape({ shape: [2, 3] }).transpose().matmul(new Tensor([[1], [1]])).toArray()).toEqual([[5], [7], [9]]);
  });
});

describe('a number beside a tensor', () => {
  test.each(/** @type {const} */ ([
    ['float32', Math.fround(0.1)],
    ['float64', 0.1],
  ]))('takes its dtype and stays on its side (%s)', (dtype, tenth) => {
    mt.tidy(() => {
      const x = new Tensor([0, 2], { dtype });
      const left = mt.sub(0.1, x);
      const right = mt.sub(x, 0.1);
      expect([left.dtype, right.dtype]).toEqual([dtype, dtype]);
      const round = dtype === 'float32' ? Math.fround : Number;
      expect(left.toArray()).toEqual([tenth, round(tenth - 2)]);
      expect(right.toArray()).toEqual([-tenth, round(2 - tenth)]);
      expect(mt.mul(x, NaN).toArray()).toEqual([NaN, NaN]);
      expect(mt.div(x, Infinity).toArray()).toEqual([0, 0]);
    });
  });

  test('is an integer to integers, or makes them floating-point ones', () => {
    mt.tidy(() => {
      const x = new Tensor([1, 2], { dtype: 'int32' });
      expect(mt.add(x, 3).dtype).toBe('int32');
      expect(mt.sub(3, x).toArray()).toEqual([2, 1]);
      expect(mt.add(x, 0.5).toArray()).toEqual([1.5, 2.5]);
      expectError(thrownBy(() => mt.add(new Tensor([1], { dtype: 'uint8' }), 256)), ValueError, '256 does not fit uint8');
    });
  });

  test('gets no gradient, but lets the tensor have one', () => {
    mt.tidy(() => {
      const x = new Tensor([3], { requiresGrad: true });
      mt.div(6, x).backward();
      const gradient = /** @type {Tensor | null} */ (x.grad);
      expect(gradient?.toArray()).toEqual([Math.fround(-6 / 9)]);
    });
  });

  test('is the number that it was when another op runs while it is given', () => {
    const attributes = { get axis() {
      mt.tidy(() => mt.sum([[1, 2], [3, 4]], { axis: 1, keepDims: true }));
      return 0;
    } };
    mt.tidy(() => expect(mt.sum([[1, 2], [3, 4]], attributes).toArray()).toEqual([4, 6]));
  });
});
