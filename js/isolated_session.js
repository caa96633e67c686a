import { MiniTensorError, PluginError } from './errors.js';
import { unpackError } from './isolated_messages.js';
import { startThread } from './thread.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./isolated_messages.js').LoadRequest} LoadRequest */
/** @typedef {import('./isolated_messages.js').RunRequest} RunRequest */
/** @typedef {import('./isolated_messages.js').Reply} Reply */
/** @typedef {import('./thread.js').Thread} Thread */

/**
 * A request that has not been answered.
 * @typedef {object} Pending
 * @property {LoadRequest | RunRequest} message
 * @property {readonly ArrayBufferLike[]} transfer
 * @property {string} what for messages
 * @property {(value: never) => void} resolve
 * @property {(reason: unknown) => void} reject
 */

/**
 * The worker of one isolated plugin. It answers one request after the other, each within a time; if it does not, or if
 * it dies, it is ended, and with it everything in it.
 */
export class IsolatedSession {
  /** The plugin's name, once it is known. */
  plugin = '';
  /** What first stopped it. */
  fault = '';
  #core;
  #timeoutMs;
  /** @type {Thread | undefined} */
  #thread;
  /** @type {Pending[]} */
  #queue = [];
  /** @type {Pending | undefined} */
  #current;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Why it has ended. @type {unknown} */
  #ended;
  #hasAnswered = false;

  /**
   * @param {Core} core with which it ends
   * @param {number} timeoutMs for each request
   */
  constructor(core, timeoutMs) {
    this.#core = core;
    this.#timeoutMs = timeoutMs;
    core.closers.add(this.#close);
  }

  #close = () => this.end(new MiniTensorError('this instance of MiniTensor is closed', { code: 'MT_CLOSED' }));

  get hasEnded() {
    return this.#ended !== undefined;
  }

  async start() {
    const thread = await startThread({
      hear: (reply) => this.#hear(/** @type {Reply} */ (reply)),
      fail: (reason) => this.end(this.#crash(reason)),
    }).catch((cause) => {
      throw this.#crash(cause instanceof Error ? cause.message : String(cause));
    });
    if (this.hasEnded) thread.end();
    else this.#thread = thread;
  }

  /**
   * @template T
   * @param {LoadRequest | RunRequest} message
   * @param {readonly ArrayBufferLike[]} transfer
   * @param {string} what for messages
   * @returns {Promise<T>}
   */
  request(message, transfer, what) {
    return new Promise((resolve, reject) => {
      const pending = { message, transfer, what, resolve, reject };
      if (this.hasEnded) {
        reject(this.#gone(pending));
        return;
      }
      this.#queue.push(pending);
      this.#next();
    });
  }

  #next() {
    if (this.#current || !this.#thread) return;
    this.#current = this.#queue.shift();
    // What nobody waits for does not keep the program from its end.
    this.#thread.hold(this.#current !== undefined);
    if (!this.#current) return;
    const { message, transfer, what } = this.#current;
    this.#timer = setTimeout(() => this.end(this.#late(what)), this.#timeoutMs);
    try {
      this.#thread.post(message, transfer);
    } catch (error) {
      this.#settle(({ reject }) => reject(error));
    }
  }

  /** @param {(pending: Pending) => void} how */
  #settle(how) {
    const current = this.#current;
    clearTimeout(this.#timer);
    this.#current = undefined;
    if (current) how(current);
    this.#next();
  }

  /** @param {Reply} reply */
  #hear(reply) {
    if ('log' in reply) {
      this.#log(...reply.log);
      return;
    }
    this.#hasAnswered = true;
    this.fault = reply.fault;
    this.#settle(({ resolve, reject }) => {
      if ('error' in reply) reject(unpackError(reply.error));
      else resolve(/** @type {never} */ (reply.value));
    });
  }

  /**
   * @param {string} plugin
   * @param {string} line
   */
  #log(plugin, line) {
    try {
      this.#core.callbacks.onLog?.(plugin, line);
    } catch {
      // A log that fails is no reason for the plugin to fail.
    }
  }

  /**
   * Ends the worker at once, whatever it does. What is not answered is rejected.
   * @param {unknown} reason
   */
  end(reason) {
    if (this.hasEnded) return;
    this.#ended = reason;
    this.#core.closers.delete(this.#close);
    clearTimeout(this.#timer);
    this.#thread?.end();
    this.#current?.reject(reason);
    for (const pending of this.#queue) pending.reject(this.#gone(pending));
    this.#current = undefined;
    this.#queue = [];
  }

  /** @param {string} what */
  #late(what) {
    return new PluginError(
      `${what} took longer than ${this.#timeoutMs} ms (option callTimeoutMs); its worker was ended`,
      {
        phase: this.#hasAnswered ? 'call' : 'isolate',
        plugin: this.plugin,
        hint: 'load the plugin again; if it needs more time, give it more',
      },
    );
  }

  /** @param {string} reason */
  #crash(reason) {
    if (this.#hasAnswered) {
      return new PluginError(`the worker of isolated plugin "${this.plugin}" has crashed: ${reason}`, {
        phase: 'call',
        plugin: this.plugin,
        hint: 'load the plugin again',
      });
    }
    return new PluginError(`loadPlugin: the worker for an isolated plugin cannot be started: ${reason}`, {
      phase: 'isolate',
      hint: 'the package\'s isolated_worker.js must come from the page\'s own origin, and its content security policy '
        + 'must allow it (worker-src)',
    });
  }

  /** @param {Pending} pending */
  #gone({ what }) {
    if (this.#ended instanceof MiniTensorError && this.#ended.code === 'MT_CLOSED') return this.#ended;
    const reason = this.#ended instanceof Error ? this.#ended.message : String(this.#ended);
    return new PluginError(`${what} cannot be called: its worker has ended: ${reason}`, {
      phase: 'call',
      plugin: this.plugin,
      hint: 'load the plugin again',
      cause: this.#ended,
    });
  }
}
