/**
 * The values of an input, in row-major order, and its shape.
 *
 * @typedef {{ values: Float32Array, shape: number[] }} Input
 *
 * An op over inputs that are in the library already. `run` computes it once and releases the result; `read` gives the
 * values of one result, to see that the library computes what is timed.
 *
 * @typedef {{ run: () => unknown, read: () => ArrayLike<number> | Promise<ArrayLike<number>> }} Prepared
 *
 * `double` stands for an op made of a JavaScript function: x + x, element by element in a loop over views.
 *
 * @typedef {'add' | 'matmul' | 'exp' | 'double'} OpName
 *
 * A library. `prepare` gives null for what it does not have.
 *
 * @typedef {object} Peer
 * @property {string} name
 * @property {(op: OpName, inputs: readonly Input[]) => Promise<Prepared | null>} prepare
 */

export {};
