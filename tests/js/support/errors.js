import { expect } from '@jest/globals';
import { MiniTensorError, PluginError } from 'minitensor';

/**
 * What a function throws. It fails the test when nothing is thrown.
 * @param {() => unknown} run
 * @returns {unknown}
 */
export function thrownBy(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/**
 * What a promise is rejected with.
 * @param {Promise<unknown>} promise
 * @returns {Promise<unknown>}
 */
export function rejectionOf(promise) {
  return promise.then(
    () => {
      throw new Error('the promise was fulfilled');
    },
    (/** @type {unknown} */ error) => error,
  );
}

/**
 * Expects an error of exactly this class.
 * @template {Error} E
 * @param {unknown} error
 * @param {new (...args: never[]) => E} Class
 * @param {string | RegExp} message a part of it
 * @returns {E}
 */
export function expectError(error, Class, message) {
  expect(error).toBeInstanceOf(Class);
  const known = /** @type {E} */ (error);
  if (known instanceof MiniTensorError) expect(known.constructor).toBe(Class);
  if (typeof message === 'string') expect(known.message).toContain(message);
  else expect(known.message).toMatch(message);
  return known;
}

/**
 * @param {unknown} error
 * @param {string} phase
 * @param {string | RegExp} message
 */
export function expectPluginError(error, phase, message) {
  const known = expectError(error, PluginError, message);
  expect({ code: known.code, phase: known.phase }).toEqual({ code: 'MT_PLUGIN', phase });
  // What to do is always told.
  expect(known.hint).not.toBe('');
  return known;
}

/**
 * Calls a method with arguments that its types do not allow.
 * @param {object} target
 * @param {PropertyKey} method
 * @param {readonly unknown[]} args
 * @returns {unknown}
 */
export function callWith(target, method, args) {
  return Reflect.apply(Reflect.get(target, method), target, args);
}

/**
 * @param {unknown} value
 * @returns {never} the same, for a parameter of another type
 */
export function wrong(value) {
  return /** @type {never} */ (value);
}
