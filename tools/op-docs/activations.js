/** @typedef {import('./index.js').OpDoc} OpDoc */

/**
 * @param {string} summary
 * @param {string} gradient
 * @param {string} example
 * @param {string} [source]
 * @returns {OpDoc}
 */
const of = (summary, gradient, example, source) => ({
  summary,
  shapes: 'That of x.',
  dtypes: 'Any; bool and integers become float32. NaN stays NaN.',
  gradient,
  ...(source !== undefined && { source }),
  example,
});

/** @type {Record<string, OpDoc>} */
export const activationDocs = {
  leakyRelu: {
    ...of('x, or negativeSlope x for x < 0', '1 for x > 0, else negativeSlope',
      'mt.leakyRelu([-8, 2], { negativeSlope: 0.5 }); // [-4, 2]'),
    attributes: { negativeSlope: 'the factor for x < 0' },
  },
  elu: {
    ...of('x, or alpha (e^x - 1) for x < 0', '1 for x > 0, else alpha e^x', 'mt.elu([-Infinity, 2]); // [-1, 2]',
      'Clevert, Unterthiner and Hochreiter, Fast and accurate deep network learning by exponential linear units, 2015'),
    attributes: { alpha: 'the factor for x < 0: -alpha is the limit' },
  },
  selu: of('elu(x, alpha) times scale, scale = 1.0507…, alpha = 1.6732…', 'for x > 0 scale, else scale alpha e^x',
    'mt.selu([0, Infinity]); // [0, Infinity]',
    'Klambauer, Unterthiner, Mayr and Hochreiter, Self-normalizing neural networks, 2017'),
  silu: of('x sigmoid(x)', 'sigmoid(x) (1 + x (1 - sigmoid(x)))', 'mt.silu([0, 100]); // [0, 100]',
    'Elfwing, Uchibe and Doya, Sigmoid-weighted linear units, 2017; also called swish'),
  mish: of('x tanh(softplus(x))', 't + x sigmoid(x) (1 - t²), t = tanh(softplus(x))', 'mt.mish([0, 100]); // [0, 100]',
    'Misra, Mish: a self regularized non-monotonic activation function, 2019'),
  gelu: {
    ...of('x Phi(x), Phi the distribution function of the normal distribution', 'Phi(x) + x e^(-x²/2) / sqrt(2 pi)',
      'mt.gelu([0, 100]); // [0, 100]\nmt.gelu([0, 100], { approximate: \'tanh\' }); // [0, 100]',
      'Hendrycks and Gimpel, Gaussian error linear units, 2016'),
    formula: 'approximate = none: x (1 + erf(x / sqrt(2))) / 2; tanh: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³))) '
      + '/ 2',
    attributes: { approximate: '"none" or "tanh": see above' },
    errors: 'ValueError for another form than these two.',
  },
  softplus: of('log(1 + e^x), without overflow for any x', 'sigmoid(x)', 'mt.softplus([-1000, 1000]); // [0, 1000]'),
  hardSwish: of('x min(max(x + 3, 0), 6) / 6', '0 for x <= -3, 1 for x >= 3, x / 3 + 1 / 2 between',
    'mt.hardSwish([-3, 0, 3]); // [-0, 0, 3]', 'Howard et al., Searching for MobileNetV3, 2019'),
};
