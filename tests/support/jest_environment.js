import { TestEnvironment } from 'jest-environment-node';

// What has no literal of its own in the language. Node's functions make these in their own realm.
const SHARED = [
  'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'WebAssembly',
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
  'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Date',
];

const ERRORS = [
  'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError',
];

/**
 * Jest runs each test file in a realm of its own, where an error of `fs` is no `Error` and the memory of WebAssembly
 * no `ArrayBuffer`. Here they are, as everywhere else.
 */
export default class OneRealmEnvironment extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} args */
  constructor(...args) {
    super(...args);
    /** @type {Record<string, unknown>} */
    const inner = this.global;
    /** @type {Record<string, unknown>} */
    const outer = globalThis;
    for (const name of SHARED) inner[name] = outer[name];
    for (const name of ERRORS) acceptInstances(asFunction(inner[name]), asFunction(outer[name]));
  }
}

/**
 * Makes `x instanceof inner` true for what is an `outer`, too. The engine throws errors of the realm that the code is
 * of, so one class cannot take the place of the other.
 *
 * @param {Function} inner
 * @param {Function} outer
 */
function acceptInstances(inner, outer) {
  const isInstance = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(inner, Symbol.hasInstance, {
    configurable: true,
    /**
     * @this {Function} a subclass, where that has no such method
     * @param {unknown} value
     */
    value(value) {
      return isInstance.call(this, value) || (this === inner && isInstance.call(outer, value));
    },
  });
}

/**
 * @param {unknown} value
 * @returns {Function}
 */
function asFunction(value) {
  if (typeof value !== 'function') throw new TypeError('not a class');
  return value;
}
