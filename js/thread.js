/*
 * The workers of isolated plugins, in Node and in browsers.
 */
import { hasFiles } from './load.js';

/* global Worker -- only used where there is one */

// What has files is Node.
const node = hasFiles ? globalThis.process : undefined;

/**
 * A worker that runs isolated_worker.js.
 * @typedef {object} Thread
 * @property {(message: unknown, transfer: readonly ArrayBufferLike[]) => void} post
 * @property {(held: boolean) => void} hold whether the program waits for it
 * @property {() => void} end at once, whatever it does
 */

/**
 * @param {{ hear: (message: unknown) => void, fail: (reason: string) => void }} listener
 * @returns {Promise<Thread>}
 */
export async function startThread({ hear, fail }) {
  if (!node) {
    const worker = new Worker(new URL('./isolated_worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => hear(data);
    worker.onmessageerror = () => fail('a message could not be read');
    worker.onerror = (event) => {
      event.preventDefault(); // it is told here
      fail(event.message || 'its script could not be loaded');
    };
    return {
      post: (message, transfer) => worker.postMessage(message, /** @type {Transferable[]} */ (transfer)),
      hold: () => {},
      end: () => worker.terminate(),
    };
  }
  const { Worker: NodeWorker } =
    node.getBuiltinModule?.('node:worker_threads') ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:worker_threads'));
  // Without the options of this program, some of which a worker refuses.
  const worker = new NodeWorker(new URL('./isolated_worker.js', import.meta.url), { execArgv: [] });
  worker.on('message', hear);
  worker.on('messageerror', () => fail('a message could not be read'));
  worker.on('error', (error) => fail(error.message));
  worker.on('exit', (code) => fail(`it ended with code ${code}`));
  return {
    post: (message, transfer) => worker.postMessage(message, /** @type {ArrayBuffer[]} */ (transfer)),
    hold: (held) => (held ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}

/**
 * Has a worker answer messages.
 * @template M
 * @param {(message: M, post: (reply: unknown, transfer?: readonly ArrayBufferLike[]) => void) => void} answer
 */
export async function serve(answer) {
  if (!node) {
    globalThis.onmessage = ({ data }) => answer(data, (reply, transfer = []) =>
      globalThis.postMessage(reply, { transfer: /** @type {Transferable[]} */ (transfer) }));
    return;
  }
  const { parentPort } =
    node.getBuiltinModule?.('node:worker_threads') ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:worker_threads'));
  parentPort?.on('message', (data) => answer(data, (reply, transfer = []) =>
    parentPort.postMessage(reply, /** @type {ArrayBuffer[]} */ (transfer))));
}
