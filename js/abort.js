/*
 * Giving up on what takes too long.
 */

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
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
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
