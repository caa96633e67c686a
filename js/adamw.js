import { requireArray, requireOptions, show } from './check.js';
import { ValueError } from './errors.js';
import { Optimizer, numberFrom } from './optimizer.js';

/** @typedef {import('./instance.js').MiniTensor} MiniTensor */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/**
 * @typedef {object} AdamWOptions
 * @property {number} [lr] default 0.001
 * @property {readonly [number, number]} [betas] default [0.9, 0.999]
 * @property {number} [eps] default 1e-8
 * @property {number} [weightDecay] default 0.01; it is apart from the gradient
 */

/** Adam with decoupled weight decay (Loshchilov and Hutter, 2019), by the formulas of torch.optim.AdamW. */
export class AdamW extends Optimizer {
  /**
   * @param {MiniTensor} mt
   * @param {Iterable<Tensor>} parameters leaves that require gradients
   * @param {AdamWOptions} [options]
   */
  constructor(mt, parameters, options = {}) {
    requireOptions(options, 'AdamW', ['lr', 'betas', 'eps', 'weightDecay']);
    const { beta1, beta2 } = checkBetas(options.betas ?? [0.9, 0.999]);
    const eps = numberFrom(0, options.eps, 1e-8, 'AdamW: eps');
    const weightDecay = numberFrom(0, options.weightDecay, 0.01, 'AdamW: weightDecay');
    super(mt, parameters, {
      name: 'AdamW',
      lr: numberFrom(0, options.lr, 1e-3, 'AdamW: lr'),
      stateNames: ['expAvg', 'expAvgSq'],
      update({ values, gradient, state, step, lr }) {
        const { expAvg, expAvgSq } = /** @type {Record<'expAvg' | 'expAvgSq', Float32Array>} */ (state);
        const correction1 = 1 - beta1 ** step;
        const correction2 = 1 - beta2 ** step;
        gradient.forEach((slope, i) => {
          const first = beta1 * Number(expAvg[i]) + (1 - beta1) * slope;
          const second = beta2 * Number(expAvgSq[i]) + (1 - beta2) * slope * slope;
          expAvg[i] = first;
          expAvgSq[i] = second;
          const change = first / correction1 / (Math.sqrt(second / correction2) + eps);
          values[i] = Number(values[i]) * (1 - lr * weightDecay) - lr * change;
        });
      },
    });
  }
}

/** @param {unknown} betas */
function checkBetas(betas) {
  requireArray(betas, 'AdamW: betas');
  const [beta1, beta2] = Array.from(betas.slice(0, 2), (beta, i) => numberFrom(0, beta, NaN, `AdamW: betas[${i}]`));
  if (betas.length !== 2 || beta1 === undefined || beta2 === undefined || !(beta1 < 1 && beta2 < 1)) {
    const given = betas.slice(0, 3).map(show).join(', ');
    throw new ValueError(`AdamW: betas must be two numbers from 0 up and below 1, not [${given}]`);
  }
  return { beta1, beta2 };
}
