/*
 * Optimizers, against formulas that tests/fixtures/generate_optim.py writes out in NumPy.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from '@jest/globals';
import { DTypeError, KeyError, MiniTensorError, ShapeError, ValueError, init } from 'minitensor';
import { decodeSafetensors, encodeSafetensors } from 'minitensor/files';
import { AdamW, SGD } from 'minitensor/optim';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

/** @typedef {import('minitensor').Tensor} Tensor */

const mt = await instanceForTests();
const classes = { AdamW, SGD };

/**
 * @type {{ start: number[][], gradients: number[][][], cases: {
 *   optimizer: keyof typeof classes, options: import('minitensor/optim').AdamWOptions, values: number[][][] }[] }}
 */
const fixture = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../fixtures/optim.json'), 'utf8'));
const cases = fixture.cases.map((item) =>
  /** @type {const} */ ([`${item.optimizer} ${JSON.stringify(item.options)}`, item]));

/**
 * @param {import('minitensor').TensorOptions} [options]
 * @returns {Tensor}
 */
function parameterOf({ dtype = 'float64' } = {}) {
  return new mt.Tensor(fixture.start, { dtype, requiresGrad: true });
}

/**
 * One step with a gradient of one's own.
 * @param {SGD | AdamW} optimizer
 * @param {Tensor} parameter
 * @param {number[][]} gradient
 */
function stepWith(optimizer, parameter, gradient) {
  mt.tidy(() => {
    parameter.grad = new mt.Tensor(gradient, { dtype: parameter.dtype });
    optimizer.step();
    optimizer.zeroGrad();
  });
}

/**
 * @param {number[][] | unknown} actual
 * @param {number[][]} expected
 * @param {number} relative
 */
function expectClose(actual, expected, relative) {
  const values = /** @type {number[][]} */ (actual).flat();
  expected.flat().forEach((value, i) => {
    expect(Math.abs(Number(values[i]) - value)).toBeLessThanOrEqual(relative * Math.max(1, Math.abs(value)));
  });
}

describe.each(cases)('%s', (_, { optimizer: name, options, values }) => {
  test.each(/** @type {const} */ ([['float64', 1e-14], ['float32', 1e-6]]))('gives what the formulas give, in %s', (dtype, error) => {
    const parameter = parameterOf({ dtype });
    const optimizer = new classes[name](mt, [parameter], options);
    fixture.gradients.forEach((gradient, i) => {
      stepWith(optimizer, parameter, gradient);
      expectClose(parameter.toArray(), values[i] ?? [], error);
    });
    parameter.dispose();
  });

  test('goes on from a state that was written and read', () => {
    mt.tidy(() => {
      const parameter = parameterOf();
      const first = new classes[name](mt, [parameter], options);
      fixture.gradients.slice(0, 3).forEach((gradient) => stepWith(first, parameter, gradient));
      const file = encodeSafetensors(first.stateDict());
      const second = new classes[name](mt, [parameter], options);
      second.loadStateDict(decodeSafetensors(mt, file).tensors);
      fixture.gradients.slice(3).forEach((gradient) => stepWith(second, parameter, gradient));
      expectClose(parameter.toArray(), values.at(-1) ?? [], 1e-14);
      parameter.dispose();
    });
  });
});

describe('a step', () => {
  test('overwrites parameters, which their layer and other handles see', () => {
    mt.tidy(() => {
      const layer = new mt.plugins.CustomLayer('scale');
      layer.addParameter('w', new mt.Tensor([2, 3], { requiresGrad: true }));
      layer.setForward(([x]) => x.mul(layer.getParameter('w')));
      const parameters = Object.values(layer.stateDict());
      const optimizer = new SGD(mt, parameters, { lr: 0.5 });
      layer.forward([[10, 20]]).sum().backward();
      optimizer.step();
      expect(layer.getParameter('w').toArray()).toEqual([-3, -7]);
      optimizer.zeroGrad();
      expect(layer.getParameter('w').grad).toBeNull();
      layer.dispose();
      for (const parameter of parameters) parameter.dispose();
    });
  });

  test('leaves a parameter without a gradient as it is', () => {
    mt.tidy(() => {
      const parameter = parameterOf();
      const optimizer = new AdamW(mt, [parameter]);
      optimizer.step();
      expect([parameter.toArray(), optimizer.stateDict()]).toEqual([fixture.start, {}]);
      parameter.dispose();
    });
  });

  test('makes backward through an earlier graph an error', () => {
    mt.tidy(() => {
      const parameter = new mt.Tensor([2], { requiresGrad: true });
      const optimizer = new SGD(mt, [parameter], { lr: 1 });
      const loss = parameter.mul(parameter);
      loss.backward([1], { retainGraph: true });
      optimizer.step();
      expectError(thrownBy(() => loss.backward()), ValueError, 'an input was changed after it was used');
      parameter.dispose();
    });
  });

  test('takes the learning rate of the moment', () => {
    mt.tidy(() => {
      const parameter = parameterOf();
      const optimizer = new SGD(mt, [parameter], { lr: 1 });
      optimizer.lr = 0;
      stepWith(optimizer, parameter, fixture.start);
      expect([optimizer.lr, parameter.toArray()]).toEqual([0, fixture.start]);
      parameter.dispose();
    });
  });

  test('updates nothing when a parameter is gone', () => {
    const [first, second] = [parameterOf(), parameterOf()];
    const optimizer = new SGD(mt, [first, second], { lr: 1 });
    mt.tidy(() => {
      first.grad = new mt.Tensor(fixture.start, { dtype: 'float64' });
    });
    second.dispose();
    expect(expectError(thrownBy(() => optimizer.step()), MiniTensorError, 'disposed').code).toBe('MT_DISPOSED');
    expect(first.toArray()).toEqual(fixture.start);
    first.dispose();
  });

  test('leaves no tensors behind', () => {
    const parameter = parameterOf();
    const optimizer = new AdamW(mt, [parameter]);
    const before = mt.memory();
    for (let i = 0; i < 5; i++) stepWith(optimizer, parameter, fixture.start);
    expect(mt.memory()).toEqual(before);
    parameter.dispose();
  });
});

describe('what an optimizer refuses', () => {
  test.each(/** @type {[string, (parameter: Tensor) => unknown, Function, string][]} */ ([
    ['no instance', (p) => new SGD(wrong({}), [p]), TypeError, 'SGD: mt must be an instance'],
    ['no parameters', () => new SGD(mt, []), ValueError, 'SGD: there are no parameters'],
    ['what is no array', () => new AdamW(mt, wrong(3)), TypeError, 'AdamW: parameters must be an array of tensors'],
    ['what is no tensor', () => new AdamW(mt, wrong([[1]])), TypeError, 'AdamW: parameters[0] must be a Tensor'],
    ['a parameter twice', (p) => new SGD(mt, [p, p]), ValueError, 'SGD: parameters[1] is there twice'],
    ['a parameter that requires no gradient', (p) => new SGD(mt, [p.detach()]), ValueError, 'must have requiresGrad set'],
    ['what was computed', (p) => new SGD(mt, [p.mul(2)]), ValueError, 'was computed from others'],
    ['an option of another name', (p) => new SGD(mt, [p], wrong({ learningRate: 1 })), ValueError, 'known are: lr'],
    ['an option that it has not', (p) => new AdamW(mt, [p], wrong({ amsgrad: true })), ValueError, '"amsgrad"'],
    ['a negative lr', (p) => new SGD(mt, [p], { lr: -1 }), ValueError, 'SGD: lr must be from 0 up, not -1'],
    ['an lr that is text', (p) => new AdamW(mt, [p], { lr: wrong('1') }), TypeError, 'AdamW: lr must be a number'],
    ['an infinite lr', (p) => new AdamW(mt, [p], { lr: Infinity }), ValueError, 'AdamW: lr must be from 0 up'],
    ['a beta of 1', (p) => new AdamW(mt, [p], { betas: [0.9, 1] }), ValueError, 'from 0 up and below 1, not [0.9, 1]'],
    ['one beta', (p) => new AdamW(mt, [p], { betas: wrong([0.9]) }), ValueError, 'two numbers from 0 up and below 1, not [0.9]'],
    ['Nesterov without momentum', (p) => new SGD(mt, [p], { nesterov: true }), ValueError, 'nesterov needs momentum'],
    [
      'Nesterov with dampening',
      (p) => new SGD(mt, [p], { nesterov: true, momentum: 0.9, dampening: 0.1 }),
      ValueError,
      'and no dampening (0.1)',
    ],
  ]))('is %s', (_, make, ErrorClass, message) => {
    mt.tidy(() => {
      const parameter = parameterOf();
      expectError(thrownBy(() => make(parameter)), /** @type {ErrorConstructor} */ (ErrorClass), message);
      parameter.dispose();
    });
  });

  test('is not kept by it', () => {
    const { tensors } = mt.memory();
    mt.tidy(() => thrownBy(() => {
      const parameter = parameterOf();
      return new SGD(mt, [parameter, parameter]);
    }));
    expect(mt.memory().tensors).toBe(tensors);
  });

  test('is a parameter of another instance', async () => {
    const other = await init();
    const foreign = new other.Tensor([1], { requiresGrad: true });
    expectError(thrownBy(() => new SGD(mt, [foreign])), ValueError, 'another instance');
    other.close();
  });

  test.each(/** @type {[string, (state: Record<string, Tensor>) => object, Function, string][]} */ ([
    ['a name that is missing', ({ '0.expAvg': _, ...rest }) => rest, KeyError, 'missing: "0.expAvg"'],
    ['a name that is not known', (state) => ({ ...state, '1.step': state['0.step'] }), KeyError, 'no such state: "1.step"'],
    ['another shape', (state) => ({ ...state, '0.expAvg': new mt.Tensor([1]) }), ShapeError, 'has shape [1], not [2,3]'],
    [
      'another dtype',
      (state) => ({ ...state, '0.expAvgSq': new mt.Tensor(fixture.start) }),
      DTypeError,
      '"0.expAvgSq" is float32, not float64',
    ],
    ['a step of 0', (state) => ({ ...state, '0.step': new mt.Tensor(0) }), ValueError, 'an integer from 1 up, not 0'],
    ['what is no tensor', (state) => ({ ...state, '0.expAvg': [1] }), TypeError, '"0.expAvg" must be a Tensor'],
  ]))('is a state with %s, and then it stays as it was', (_, change, ErrorClass, message) => {
    mt.tidy(() => {
      const parameter = parameterOf();
      const optimizer = new AdamW(mt, [parameter]);
      stepWith(optimizer, parameter, fixture.start);
      const arraysOf = (/** @type {Record<string, Tensor>} */ state) =>
        Object.entries(state).map(([name, value]) => [name, value.toArray()]);
      const before = arraysOf(optimizer.stateDict());
      const load = () => optimizer.loadStateDict(wrong(change(optimizer.stateDict())));
      expectError(thrownBy(load), /** @type {ErrorConstructor} */ (ErrorClass), message);
      expect(arraysOf(optimizer.stateDict())).toEqual(before);
      parameter.dispose();
    });
  });
});
