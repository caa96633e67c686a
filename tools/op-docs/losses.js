import { PROMOTED_FLOAT } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const REDUCED = 'A number; with reduction "none" a loss for each target.';
const REDUCTION = 'ValueError for a reduction that is not "mean", "sum" or "none".';
const REDUCTIONS = '"mean", "sum" or "none": of the losses of all targets their mean, their sum, or each';
const IGNORE_INDEX = 'targets of this value have no loss';
const IGNORED = 'A target that is ignoreIndex has the loss 0 and does not count in the mean; a mean of no targets is '
  + 'NaN.';
const CLASSES = `[classes], or samples, classes, and any others; the targets have no axis of classes. ${REDUCED}`;
const CLASSES_ERROR = `ShapeError for targets of another shape; ValueError for a target that is no class. ${REDUCTION}`;

/** @type {Record<string, OpDoc>} */
export const lossDocs = {
  binaryCrossEntropyWithLogits: {
    summary: '-t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x)), for logits x and targets t',
    formula: 'Computed as max(x, 0) - x t + log(1 + e^-|x|), which does not overflow.',
    shapes: `Both of the same shape. ${REDUCED}`,
    dtypes: PROMOTED_FLOAT,
    gradient: 'd/dx = sigmoid(x) - t, d/dt = -x',
    errors: `ShapeError for shapes that differ. ${REDUCTION}`,
    attributes: { reduction: REDUCTIONS },
    example: 'mt.binaryCrossEntropyWithLogits([1000, -1000], [1, 1], { reduction: \'none\' }); // [0, 1000]',
  },
  crossEntropy: {
    summary: 'the nll of the logarithms of the softmax of logits over classes',
    formula: `log(sum e^x) - x[target]. ${IGNORED}`,
    shapes: CLASSES,
    dtypes: `Of logits: ${PROMOTED_FLOAT} Targets are integers.`,
    gradient: 'softmax(x), and 1 less for the target; 0 for ignored ones',
    errors: CLASSES_ERROR,
    source: 'PyTorch, cross_entropy',
    attributes: { reduction: REDUCTIONS, ignoreIndex: IGNORE_INDEX },
    example: 'mt.crossEntropy([[1000, 0], [1000, 0]], [0, 1]); // 500',
  },
  mse: {
    summary: 'the mean of (x - target)²',
    shapes: `Both of the same shape. ${REDUCED}`,
    dtypes: PROMOTED_FLOAT,
    gradient: '2 (x - target), divided by the number of elements for a mean',
    errors: `ShapeError for shapes that differ; they do not broadcast. ${REDUCTION}`,
    attributes: { reduction: REDUCTIONS },
    example: 'mt.mse([1, 2], [3, 2]); // 2',
  },
  nll: {
    summary: 'the negative of the logarithm of the probability of each target',
    formula: `-x[target]. ${IGNORED}`,
    shapes: CLASSES,
    dtypes: `Of logProbabilities: ${PROMOTED_FLOAT} Targets are integers.`,
    gradient: '-1 for the target; 0 for ignored ones',
    errors: CLASSES_ERROR,
    source: 'PyTorch, nll_loss',
    attributes: { reduction: REDUCTIONS, ignoreIndex: IGNORE_INDEX },
    example: 'mt.nll([[-1, -2], [-3, -4]], [0, -100]); // 1',
  },
};
