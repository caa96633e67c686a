/** @typedef {import('./index.js').OpDoc} OpDoc */

/** @type {Record<string, OpDoc>} */
export const linalgDocs = {
  matmul: {
    summary: 'the matrix product; axes before the last two broadcast',
    shapes: 'By the rules of NumPy\'s matmul: [..., m, k] x [..., k, n] gives [..., m, n]. Of a 1-D input, which is '
      + 'a row as a and a column as b, the added axis is not in the result.',
    dtypes: 'Any; the promoted one comes out. Integers are multiplied and summed in int64, modulo 2^64, and cut to '
      + 'their dtype; of bool the sum is or.',
    gradient: 'dA = G Bᵀ, dB = Aᵀ G, summed over broadcast axes',
    errors: 'ShapeError for a 0-D input and for inner sizes that differ.',
    example: 'mt.matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]]); // [[19, 22], [43, 50]]',
  },
  dot: {
    summary: 'the sum of products over the last axis of a and the last but one, or only one, of b',
    shapes: 'By the rules of NumPy\'s dot: [..., k] and [..., k, n] give [..., ..., n]; two vectors give a number; a '
      + '0-D input multiplies.',
    dtypes: 'As of matmul.',
    gradient: 'The same kind of sum: of the gradient and the other input.',
    errors: 'ShapeError for sizes that differ and for a result of more than 8 axes.',
    example: 'mt.dot([1, 2, 3], [4, 5, 6]); // 32',
  },
  outer: {
    summary: 'the products of every element of a with every element of b',
    shapes: 'Inputs are flattened, as by NumPy\'s outer: n and m elements give [n, m].',
    dtypes: 'Any; the promoted one comes out.',
    gradient: 'dA = G b, dB = a G',
    example: 'mt.outer([1, 2], [3, 4, 5]); // [[3, 4, 5], [6, 8, 10]]',
  },
  einsum: {
    summary: 'a sum of products of any number of tensors, as an equation of letters for their axes says',
    shapes: 'By the rules of NumPy\'s einsum: a letter for each axis, terms of inputs joined by commas, and the output '
      + 'behind "->"; letters that the output has not are summed over. A letter twice in one term is a diagonal; "..." '
      + 'stands for the axes that are left over, which broadcast. Without "->" the output has the axes of the ellipsis '
      + 'and the letters that occur once, in the order A to Z, a to z. Axes of size 1 are broadcast.',
    dtypes: 'As of matmul. Computed from left to right, two tensors at a time.',
    gradient: 'Sums of products again: of the gradient and the other inputs.',
    errors: 'ValueError for an equation that is not understood or does not fit the tensors. ShapeError for sizes that '
      + 'differ, and when a result on the way would have more than 8 axes.',
    attributes: { equation: 'the axes of each input as letters, and behind "->" those of the output' },
    example: 'mt.einsum([[[1, 2], [3, 4]], [5, 6]], { equation: \'ij,j->i\' }); // [17, 39]\n'
      + 'mt.einsum([[[1, 2], [3, 4]]], { equation: \'ii\' }); // 5',
  },
};
