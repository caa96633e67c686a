/*
 * A layer of built-in ops, an op in JavaScript and an op of a compiled plugin trains, and comes to the same numbers as
 * the same arithmetic written out in loops.
 */
import { expect, test } from '@jest/globals';
import { init } from 'minitensor';
import { SGD } from 'minitensor/optim';

const BETA = 1.5;
const BEND = 0.25;
const RATE = 0.1;
const STEPS = 200;
const HIDDEN = 4;
const inputs = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];
const targets = inputs.map(([a = 0, b = 0]) => a * b);

/** Where training begins: weights of the hidden units, two rows; their offsets; weights of the output; its offset. */
const START = [
  Float64Array.of(0.5, -0.75, 0.25, 0.9, -0.5, -0.6, 0.8, 0.3),
  Float64Array.of(0.1, -0.2, 0.3, 0),
  Float64Array.of(0.7, -0.4, 0.6, -0.5),
  Float64Array.of(0.05),
];
const SHAPES = [[2, HIDDEN], [HIDDEN], [HIDDEN, 1], [1]];

/** @param {ArrayLike<number>} values @param {number} i */
const at = (values, i) => /** @type {number} */ (values[i]);

/**
 * The mean of the squared errors of `bend(swish(x w + b)) v + c`, where swish(z) = z / (1 + exp(-beta z)) and
 * bend(h) = h + k h h, and its gradient with respect to w, b, v and c.
 *
 * @param {Float64Array[]} parameters
 */
function lossInLoops(parameters) {
  const gradients = parameters.map(({ length }) => new Float64Array(length));
  const [w, b, v, c] = /** @type {[Float64Array, Float64Array, Float64Array, Float64Array]} */ (parameters);
  const [dw, db, dv, dc] = /** @type {[Float64Array, Float64Array, Float64Array, Float64Array]} */ (gradients);
  let loss = 0;
  for (const [i, x] of inputs.entries()) {
    const z = Array.from(b, (offset, j) => at(x, 0) * at(w, j) + at(x, 1) * at(w, HIDDEN + j) + offset);
    const gates = z.map((value) => 1 / (1 + Math.exp(-BETA * value)));
    const h = z.map((value, j) => value * at(gates, j));
    const error = h.reduce((sum, value, j) => sum + (value + BEND * value ** 2) * at(v, j), at(c, 0)) - at(targets, i);
    loss += error ** 2 / inputs.length;
    const slope = 2 * error / inputs.length;
    dc[0] = at(dc, 0) + slope;
    for (const [j, value] of h.entries()) {
      dv[j] = at(dv, j) + slope * (value + BEND * value ** 2);
      const slopeOfZ = slope * at(v, j) * (1 + 2 * BEND * value) * (at(gates, j) + BETA * value * (1 - at(gates, j)));
      db[j] = at(db, j) + slopeOfZ;
      dw[j] = at(dw, j) + slopeOfZ * at(x, 0);
      dw[HIDDEN + j] = at(dw, HIDDEN + j) + slopeOfZ * at(x, 1);
    }
  }
  return { loss, gradients };
}

/** The losses before each step of gradient descent, and the parameters at the end. */
function trainInLoops() {
  const parameters = START.map((values) => values.slice());
  const losses = Array.from({ length: STEPS }, () => {
    const { loss, gradients } = lossInLoops(parameters);
    for (const [n, values] of parameters.entries()) {
      const gradient = /** @type {Float64Array} */ (gradients[n]);
      for (const [i, value] of values.entries()) values[i] = value - RATE * at(gradient, i);
    }
    return loss;
  });
  return { losses, parameters };
}

/** The same by a layer, and what is left in memory. */
async function trainLayer() {
  const mt = await init();
  await mt.plugins.loadPlugin(new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm')));
  mt.customOps.register({
    name: 'bend',
    numInputs: 1,
    attributes: { by: 1 },
    forward: ([h], { by }) => h.add(h.mul(h).mul(by)),
    backward: ({ inputs: [h], attributes: { by }, gradOutput }) => [gradOutput.mul(h.mul(2 * by).add(1))],
  });
  const layer = new mt.plugins.CustomLayer('mixed');
  const parameters = START.map((values, n) =>
    new mt.Tensor(values, { shape: /** @type {number[]} */ (SHAPES[n]), requiresGrad: true }));
  for (const [n, parameter] of parameters.entries()) layer.addParameter(`p${n}`, parameter);
  layer.setForward(([x]) => {
    const [w, b, v, c] = ['p0', 'p1', 'p2', 'p3'].map((name) => layer.getParameter(name));
    const h = mt.customOps.execute('swish', [mt.add(mt.matmul(x, w ?? 0), b ?? 0)], { beta: BETA });
    return mt.customOps.execute('bend', [h], { by: BEND }).matmul(v ?? 0).add(c ?? 0).squeeze({ axis: 1 });
  });
  const optimizer = new SGD(mt, parameters, { lr: RATE });
  const losses = Array.from({ length: STEPS }, () => mt.tidy(() => {
    const x = new mt.Tensor(inputs, { dtype: 'float64' });
    const error = layer.forward([x]).sub(targets);
    const loss = error.mul(error).mean();
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
    return loss.item();
  }));
  const found = parameters.map((parameter) => parameter.toTypedArray());
  for (const parameter of parameters) parameter.dispose();
  layer.dispose();
  mt.customOps.unregister('bend');
  mt.plugins.unloadPlugin('swish');
  return { losses: losses.map(Number), parameters: found, memory: mt.memory() };
}

test('a layer of built-in, JavaScript and compiled ops trains as the same arithmetic in loops does', async () => {
  const expected = trainInLoops();
  expect(at(expected.losses, 0)).toBeGreaterThan(0.5);
  expect(at(expected.losses, STEPS - 1)).toBeLessThan(0.03);
  const { losses, parameters, memory } = await trainLayer();
  expect(memory).toEqual({ tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0, callbacks: 0 });
  for (const [i, loss] of losses.entries()) {
    // Rounding, which grows from step to step.
    expect(Math.abs(loss / at(expected.losses, i) - 1)).toBeLessThan(1e-12);
  }
  for (const [n, values] of parameters.entries()) {
    for (const [i, value] of values.entries()) {
      expect(value).toBeCloseTo(at(/** @type {Float64Array} */ (expected.parameters[n]), i), 12);
    }
  }
});
