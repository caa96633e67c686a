import { AXIS, AXIS_RANGE, FLOAT, FROM_THE_END, REDUCED_AXES } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const PARAMETERS = `${AXIS_RANGE} ShapeError for a weight or bias of another shape. ValueError for an eps below 0.`;
const EXPONENTIALS = `${FLOAT} Exponentials are of the dtype, their sum is float64.`;
const IN_PARTS = 'The sums are float64, the rest is computed in the dtype: docs/numerics.md states the errors.';
const FIRST_AXIS = `the first of the normalized axes; ${FROM_THE_END}`;

/** @type {Record<string, OpDoc>} */
export const normalizedDocs = {
  softmax: {
    summary: 'eˣ / sum eˣ along an axis, without overflow',
    shapes: 'That of x.',
    dtypes: `${EXPONENTIALS} Of nothing but -Infinity it is 0 everywhere (PyTorch: NaN).`,
    gradient: 'y (g - sum g y)',
    errors: AXIS_RANGE,
    attributes: { axis: AXIS },
    example: 'mt.softmax([[0, 0], [1000, 0]]); // [[0.5, 0.5], [1, 0]]',
  },
  logSoftmax: {
    summary: 'the logarithm of softmax, x - log sum eˣ, along an axis, without overflow',
    shapes: 'That of x.',
    dtypes: `${EXPONENTIALS} Of nothing but -Infinity it is NaN.`,
    gradient: 'g - eʸ sum g',
    errors: AXIS_RANGE,
    attributes: { axis: AXIS },
    example: 'mt.logSoftmax([1000, 0]); // [0, -1000]',
  },
  logSumExp: {
    summary: 'the logarithm of sum eˣ over axes, without overflow; none given: over all',
    shapes: 'x without the reduced axes; with keepDims they stay, with size 1. No axis given: all; an empty list: '
      + 'none.',
    dtypes: `${FLOAT} Computed in float64 and rounded once. Of no elements it is -Infinity.`,
    gradient: 'softmax(x); so 0 where all elements are -Infinity',
    errors: 'ShapeError for an axis that is out of range or given twice.',
    attributes: REDUCED_AXES,
    example: 'mt.logSumExp([1000, -Infinity]); // 1000',
  },
  layerNorm: {
    summary: '(x - mean) / sqrt(var + eps) weight + bias, of the elements of the axis and those behind it together',
    shapes: 'That of x. weight and bias have the shape of the normalized axes; left out, they are 1 and 0.',
    dtypes: `${FLOAT} ${IN_PARTS} var is the mean of (x - mean)².`,
    gradient: 'dx = (h - mean h - n mean h n) / sqrt(var + eps), with n = (x - mean) / sqrt(var + eps), h = g weight; '
      + 'dweight = sum g n, dbias = sum g',
    errors: PARAMETERS,
    source: 'Ba, Kiros and Hinton, Layer Normalization, 2016; axis as in ONNX\'s LayerNormalization',
    attributes: { axis: FIRST_AXIS, eps: 'added to the variance; 0 or more' },
    example: 'mt.layerNorm([[1, 3], [5, 9]], { eps: 0 }); // [[-1, 1], [-1, 1]]\n'
      + 'mt.layerNorm([1, 3], [2, 2], [1, 0], { eps: 0 }); // [-1, 2]',
  },
  rmsNorm: {
    summary: 'x / sqrt(mean x² + eps) weight, of the elements of the axis and those behind it together',
    shapes: 'That of x. weight has the shape of the normalized axes; left out, it is 1.',
    dtypes: `${FLOAT} ${IN_PARTS}`,
    gradient: 'dx = (h - n mean h n) / sqrt(mean x² + eps), with n = x / sqrt(mean x² + eps), h = g weight; '
      + 'dweight = sum g n',
    errors: PARAMETERS,
    source: 'Zhang and Sennrich, Root Mean Square Layer Normalization, 2019',
    attributes: { axis: FIRST_AXIS, eps: 'added to the mean of x²; 0 or more' },
    example: 'mt.rmsNorm([[4, 4], [-2, 2]], { eps: 0 }); // [[1, 1], [-1, 1]]',
  },
};
