/** @typedef {import('./index.js').OpDoc} OpDoc */

/** @type {Record<string, OpDoc>} */
export const linalgDocs = {
  matmul: {
    summary: 'the matrix product; axes before the last two broadcast',
    shapes: 'By the rules of NumPy\'s matmul: [..., m, k] x [..., k, n] gives [..., m, n]. Of a 1-D input, which is '
      + 'a row as a and a column as b, the added axis is not in the result.',
    dtypes: 'Any but bool; the promoted one comes out.',
    gradient: 'dA = G Bᵀ, dB = Aᵀ G, summed over broadcast axes',
    errors: 'ShapeError for a 0-D input and for inner sizes that differ.',
    example: 'mt.matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]]); // [[19, 22], [43, 50]]',
  },
};
