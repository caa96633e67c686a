/*
 * Giving up on what takes too long.
 */

/**
 * Those who listen to a signal, which has one listener for all of them: Node takes many for a leak.
 * @type {WeakMap<AbortSignal, Set<() => void>>}
 */
const listening = new WeakMap();

/** @param {Event} event */
function tellAll({ target }) {
  const signal = /** @type {AbortSignal} */ (target);
  const listeners = listening.get(signal) ?? [];
  listening.delete(signal);
  for (const listener of listeners) listener();
}

/**
 * @param {AbortSignal} signal
 * @param {() => void} listener called once, at once when the signal is aborted already
 * @returns {() => void} stops listening
 */
export function onAbort(signal, listener) {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const listeners = listening.get(signal) ?? new Set();
  if (listeners.size === 0) {
    listening.set(signal, listeners);
    signal.addEventListener('abort', tellAll, { once: true });
  }
  listeners.add(listener);
  return () => {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    listening.delete(signal);
    signal.removeEventListener('abort', tellAll);
  };
}

/**
 * What a promise gives, or the signal's reason as soon as that is aborted.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export function unlessAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(stop);
  });
}
