import { onAbort } from './abort.js';
import { PluginError } from './errors.js';

/**
 * Who waits for a load.
 * @typedef {object} Waiting
 * @property {AbortSignal} [signal]
 * @property {number} [timeoutMs]
 */

/**
 * A load for which several callers may wait. Each may give up for itself; when all have, the load itself is ended.
 * Once the plugin's own code runs, nobody can give up any more: what has happened is told.
 * @template T
 */
export class SharedLoad {
  #controller = new AbortController();
  #waiting = 0;
  #isFinal = false;
  #phase = 'fetch';
  #state = 'it had not begun';

  /**
   * @param {string} origin for messages
   * @param {(load: SharedLoad<T>) => Promise<T>} run begins at once
   * @param {'loadPlugin' | 'inspectPlugin'} [caller] for messages
   */
  constructor(origin, run, caller = 'loadPlugin') {
    this.origin = origin;
    /** @readonly */
    this.caller = caller;
    /** @readonly */
    this.result = run(this);
    // Whoever waits is told.
    this.result.catch(() => {});
  }

  /** Aborted when nobody waits any more. */
  get signal() {
    return this.#controller.signal;
  }

  /**
   * Says how far it has come, for the one whose time runs out.
   * @param {string} state
   * @param {string} [phase]
   */
  note(state, phase = this.#phase) {
    this.#state = state;
    this.#phase = phase;
  }

  /** From now on it comes to its end, good or bad. Throws when nobody waits for that any more. */
  finish() {
    this.signal.throwIfAborted();
    this.#isFinal = true;
  }

  /**
   * @param {Waiting} who
   * @returns {Promise<T>}
   */
  join({ signal, timeoutMs }) {
    return new Promise((resolve, reject) => {
      this.#waiting++;
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      let unlisten = () => {};
      const stop = () => {
        clearTimeout(timer);
        unlisten();
      };
      const leave = (/** @type {unknown} */ reason) => {
        if (this.#isFinal) return;
        stop();
        reject(reason);
        if (--this.#waiting === 0) this.#controller.abort(reason);
      };
      if (timeoutMs !== undefined) timer = setTimeout(() => leave(this.#late(timeoutMs)), timeoutMs);
      // At once when it is aborted already.
      if (signal) unlisten = onAbort(signal, () => leave(signal.reason));
      this.result.then(resolve, reject).finally(stop);
    });
  }

  /** @param {number} timeoutMs */
  #late(timeoutMs) {
    const done = this.caller === 'loadPlugin' ? 'loaded' : 'inspected';
    const what = `${this.origin} was not ${done} within ${timeoutMs} ms (option timeoutMs)`;
    const hint = 'try again, or give it more time';
    return new PluginError(`${this.caller}: ${what}: ${this.#state}`, { phase: this.#phase, hint });
  }
}
