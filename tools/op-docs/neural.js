import { PROMOTED_FLOAT } from './phrases.js';

/** @typedef {import('./index.js').OpDoc} OpDoc */

const WINDOWS = 'Of an axis of size n, with padding p, dilation d, stride s and a kernel of size k, remains '
  + 'floor((n + 2p - d (k - 1) - 1) / s) + 1.';
const OPTIONS_ERROR = 'ValueError for a stride or dilation below 1 and a padding below 0; ShapeError for a kernel that '
  + 'does not fit.';
const CHANNELS_ERROR = 'ShapeError for channels that cannot be divided into the groups, for weights of other channels, '
  + 'and for a bias that has not one element for each output channel.';
const POOL_ERROR = 'ValueError for a padding of more than half the kernel.';

const ROWS_COLUMNS = 'one number, or one for rows and one for columns';
const STRIDE = 'from each window to the next';
const ZEROS_ADDED = 'zeros added on both sides';
const DILATION = 'from each element of a window to the next; 1: they are neighbours';
const GROUPS = 'into how many groups the channels are divided';
const EPS = 'added to the variance; 0 or more';
const POOL_STRIDE = `${STRIDE}: ${ROWS_COLUMNS}; left out: the size of the window`;
const HALF = 'at most half the window';
const KERNEL_SIZE = `the size of the window: ${ROWS_COLUMNS}`;

/** @type {Record<string, OpDoc>} */
export const neuralDocs = {
  avgPool2d: {
    summary: 'the mean of each window over the last two axes',
    formula: 'The sum of a window divided by its size, padding counted; with countIncludePad false, by the number of '
      + 'its elements that are not padding. Without a stride, windows lie side by side.',
    shapes: `[samples,] channels, rows, columns. ${WINDOWS}`,
    dtypes: PROMOTED_FLOAT,
    gradient: 'that of each mean, in equal shares',
    errors: `${OPTIONS_ERROR} ${POOL_ERROR}`,
    source: 'PyTorch, avg_pool2d',
    attributes: {
      kernelSize: KERNEL_SIZE,
      stride: POOL_STRIDE,
      padding: `${ZEROS_ADDED}, ${HALF}: ${ROWS_COLUMNS}`,
      countIncludePad: 'whether padding counts as elements of a window',
    },
    example: 'mt.avgPool2d([[[1, 2], [3, 6]]], { kernelSize: 2 }); // [[[3]]]',
  },
  batchNorm: {
    summary: 'each channel with mean 0 and variance 1, times weight, plus bias',
    formula: '(x - mean) / sqrt(variance + eps) * weight + bias. Without mean and variance they are those of the '
      + 'batch, over all axes but the channels\', as in training; the variance is divided by n.',
    shapes: 'That of x: samples, channels, and any others. The other inputs have an element for each channel.',
    dtypes: PROMOTED_FLOAT,
    gradient: 'through the mean and the variance of the batch, or to those given',
    errors: 'ShapeError for inputs without an element for each channel; ValueError for a mean without a variance.',
    source: 'S. Ioffe and C. Szegedy, Batch normalization, 2015',
    attributes: { eps: EPS },
    example: 'mt.batchNorm([[1], [3]], [2], [10], [2], [4], { eps: 0 }); // [[9], [11]]',
  },
  conv1d: {
    summary: 'windows over the last axis, multiplied with weights and summed, plus bias',
    shapes: `x: samples, channels, length. weight: output channels, channels / groups, kernel. ${WINDOWS}`,
    dtypes: PROMOTED_FLOAT,
    gradient: 'the windows of the gradient with the weights, and of x with the gradient',
    errors: `${OPTIONS_ERROR} ${CHANNELS_ERROR}`,
    source: 'PyTorch, conv1d: a cross-correlation, whose kernel is not reversed',
    attributes: { stride: STRIDE, padding: ZEROS_ADDED, dilation: DILATION, groups: GROUPS },
    example: 'mt.conv1d([[[1, 2, 3, 4]]], [[[1, -1]]], { stride: 2 }); // [[[-1, -1]]]',
  },
  conv2d: {
    summary: 'windows over the last two axes, multiplied with weights and summed, plus bias',
    formula: 'stride, padding and dilation are one number, or one for rows and one for columns. Padding is zeros. With '
      + 'groups, each group of channels has weights and output channels of its own.',
    shapes: 'x: samples, channels, rows, columns. weight: output channels, channels / groups, kernel rows, kernel '
      + `columns. ${WINDOWS}`,
    dtypes: PROMOTED_FLOAT,
    gradient: 'the windows of the gradient with the weights, and of x with the gradient',
    errors: `${OPTIONS_ERROR} ${CHANNELS_ERROR}`,
    source: 'PyTorch, conv2d: a cross-correlation, whose kernel is not reversed',
    attributes: {
      stride: `${STRIDE}: ${ROWS_COLUMNS}`,
      padding: `${ZEROS_ADDED}: ${ROWS_COLUMNS}`,
      dilation: `${DILATION}: ${ROWS_COLUMNS}`,
      groups: GROUPS,
    },
    example: 'mt.conv2d([[[[1, 2], [3, 4]]]], [[[[1, 1], [1, 1]]]], [0.5]); // [[[[10.5]]]]',
  },
  dropout: {
    summary: 'the elements, each 0 with probability p, and the others divided by 1 - p',
    formula: 'An element is 0 where its number, uniform in [0, 1), of the stream of seed is below p. The same seed '
      + 'drops the same elements, on every machine.',
    shapes: 'That of x.',
    dtypes: PROMOTED_FLOAT,
    gradient: '0 where x is dropped, else 1 / (1 - p)',
    errors: 'ValueError unless p is from 0 to 1.',
    source: 'N. Srivastava et al., Dropout, JMLR 15 (2014); the numbers: Philox4x32-10',
    attributes: {
      p: 'how probable it is that an element becomes 0: from 0 to 1',
      seed: 'of the stream of random numbers',
    },
    example: 'mt.dropout([1, 1, 1, 1], { p: 0, seed: 1 }); // [1, 1, 1, 1]',
  },
  embedding: {
    summary: 'the rows of weight with these indices',
    shapes: 'That of indices, and the size of a row.',
    dtypes: 'Of weight any; it stays. Indices are integers.',
    gradient: 'for each row, summed over where it is taken',
    errors: 'ValueError for an index that is no row, negative ones among them; ShapeError unless weight has two axes.',
    example: 'mt.embedding([2, 0], [[1, 2], [3, 4], [5, 6]]); // [[5, 6], [1, 2]]',
  },
  groupNorm: {
    summary: 'each group of channels of a sample with mean 0 and variance 1, times weight, plus bias',
    formula: '(x - mean) / sqrt(variance + eps) * weight + bias; the variance is divided by n.',
    shapes: 'That of x: samples, channels, and any others. weight and bias have an element for each channel.',
    dtypes: PROMOTED_FLOAT,
    gradient: 'through the mean and the variance',
    errors: 'ShapeError for channels that cannot be divided into the groups, and for inputs without an element for '
      + 'each channel.',
    source: 'Y. Wu and K. He, Group normalization, 2018',
    attributes: { groups: GROUPS, eps: EPS },
    example: 'mt.groupNorm([[1, 3, 5, 5]], { groups: 2, eps: 1 }).toArray()[0].slice(2); // [0, 0]',
  },
  maxPool2d: {
    summary: 'the maximum of each window over the last two axes',
    formula: 'Padding is -Infinity. NaN in a window gives NaN. Without a stride, windows lie side by side.',
    shapes: `[samples,] channels, rows, columns. ${WINDOWS}`,
    dtypes: PROMOTED_FLOAT,
    gradient: '1 for the first maximum of a window',
    errors: `${OPTIONS_ERROR} ${POOL_ERROR}`,
    source: 'PyTorch, max_pool2d',
    attributes: {
      kernelSize: KERNEL_SIZE,
      stride: POOL_STRIDE,
      padding: `elements added on both sides, ${HALF}: ${ROWS_COLUMNS}`,
      dilation: `${DILATION}: ${ROWS_COLUMNS}`,
    },
    example: 'mt.maxPool2d([[[1, 2], [3, 6]]], { kernelSize: 2 }); // [[[6]]]',
  },
  scaledDotProductAttention: {
    summary: 'softmax(scale Q Kᵀ + mask) V',
    formula: 'The scale is 1 / sqrt(E) unless it is given. A bool mask is true where a key takes part; another one is '
      + 'added. With causal, row i sees the keys 0 to i. A row that no key takes part in is 0.',
    shapes: 'query [..., L, E], key [..., S, E] and value [..., S, V] give [..., L, V]; the axes before broadcast. The '
      + 'mask broadcasts to [..., L, S].',
    dtypes: PROMOTED_FLOAT,
    gradient: 'dV = Wᵀ G, dS = W (G Vᵀ - sum(W G Vᵀ)), dQ = scale dS K, dK = scale dSᵀ Q, with the weights W',
    errors: 'ShapeError for sizes that do not match, and a mask that does not broadcast.',
    source: 'A. Vaswani et al., Attention is all you need, 2017; PyTorch, scaled_dot_product_attention',
    attributes: {
      causal: 'whether row i sees only the keys 0 to i',
      scale: 'what scores are multiplied with; left out: 1 / sqrt(E)',
    },
    example: 'mt.scaledDotProductAttention([[0]], [[1], [2]], [[10], [20]]); // [[15]]',
  },
};
