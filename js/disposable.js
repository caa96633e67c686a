/**
 * Has a `using` declaration call a method at the end of its block. Engines before `using` have no symbol for it.
 * @template {object} T
 * @param {T} prototype of a class
 * @param {() => void} method of it
 */
export function makeDisposable(prototype, method) {
  if (!Symbol.dispose) return;
  Object.defineProperty(prototype, Symbol.dispose, { value: method, configurable: true, writable: true });
}
