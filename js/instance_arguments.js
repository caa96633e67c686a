/*
 * Checks of arguments for functions and classes that are given an instance.
 */
import { show } from './check.js';
import { MiniTensor } from './instance.js';
import { Tensor } from './tensor.js';

/**
 * @param {unknown} value
 * @param {string} what for messages
 * @returns {asserts value is MiniTensor}
 */
export function requireInstance(value, what) {
  if (!(value instanceof MiniTensor)) {
    throw new TypeError(`${what}: mt must be an instance, as init makes it, not ${show(value)}`);
  }
}

/**
 * @param {unknown} value
 * @param {string} what for messages
 * @returns {asserts value is Tensor} of any instance
 */
export function requireAnyTensor(value, what) {
  if (!(value instanceof Tensor)) throw new TypeError(`${what} must be a Tensor, not ${show(value)}`);
}
