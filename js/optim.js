/*
 * Optimizers. Their formulas and the names of their options are those of torch.optim.
 */
export { AdamW } from './adamw.js';
export { SGD } from './sgd.js';

/** @typedef {import('./adamw.js').AdamWOptions} AdamWOptions */
/** @typedef {import('./sgd.js').SGDOptions} SGDOptions */
