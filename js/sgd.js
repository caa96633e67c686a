import { requireOptions, show } from './check.js';
import { ValueError } from './errors.js';
import { Optimizer, numberFrom } from './optimizer.js';

/** @typedef {import('./instance.js').MiniTensor} MiniTensor */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/**
 * @typedef {object} SGDOptions
 * @property {number} [lr] default 0.001
 * @property {number} [momentum] default 0: none
 * @property {number} [dampening] of the gradient in the momentum; default 0
 * @property {number} [weightDecay] default 0; it is added to the gradient
 * @property {boolean} [nesterov] default false
 */

/** Stochastic gradient descent with momentum, by the formulas of torch.optim.SGD. */
export class SGD extends Optimizer {
  /**
   * @param {MiniTensor} mt
   * @param {Iterable<Tensor>} parameters leaves that require gradients
   * @param {SGDOptions} [options]
   */
  constructor(mt, parameters, options = {}) {
    requireOptions(options, 'SGD', ['lr', 'momentum', 'dampening', 'weightDecay', 'nesterov']);
    const momentum = numberFrom(0, options.momentum, 0, 'SGD: momentum');
    const dampening = numberFrom(0, options.dampening, 0, 'SGD: dampening');
    const weightDecay = numberFrom(0, options.weightDecay, 0, 'SGD: weightDecay');
    const nesterov = options.nesterov ?? false;
    if (typeof nesterov !== 'boolean') throw new TypeError(`SGD: nesterov must be a boolean, not ${show(nesterov)}`);
    if (nesterov && (momentum === 0 || dampening !== 0)) {
      throw new ValueError(`SGD: nesterov needs momentum above 0 (it is ${momentum}) and no dampening (${dampening})`);
    }
    super(mt, parameters, {
      name: 'SGD',
      lr: numberFrom(0, options.lr, 1e-3, 'SGD: lr'),
      stateNames: momentum === 0 ? [] : ['momentumBuffer'],
      update({ values, gradient, state: { momentumBuffer }, step, lr }) {
        gradient.forEach((slope, i) => {
          const value = Number(values[i]);
          const decayed = slope + weightDecay * value;
          let direction = decayed;
          if (momentumBuffer) {
            // The first one is the gradient itself, not dampened.
            const buffer = step === 1 ? decayed : momentum * Number(momentumBuffer[i]) + (1 - dampening) * decayed;
            momentumBuffer[i] = buffer;
            direction = nesterov ? decayed + momentum * buffer : buffer;
          }
          values[i] = value - lr * direction;
        });
      },
    });
  }
}
