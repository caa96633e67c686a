import { onAbort } from './abort.js';
import { PluginError } from './errors.js';
import { IsolatedPlugin } from './isolated_plugin.js';
import { IsolatedSession } from './isolated_session.js';
import { withAnswer } from './source_errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./isolated_messages.js').LoadedReply} LoadedReply */
/** @typedef {import('./isolated_messages.js').LoadRequest} LoadRequest */
/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */
/** @typedef {import('./shared_load.js').SharedLoad<IsolatedPlugin>} Load */

const PAGE = 65536;

/**
 * Has a worker load a plugin that was read and verified.
 * @param {Core} core which it is a copy of, without its content
 * @param {WebAssembly.Module} inspector
 * @param {Load} load
 * @param {PluginFile} file
 * @param {{ name?: string, callTimeoutMs: number, maxMemoryBytes: number }} options
 */
export async function startIsolated(core, inspector, load, file, { name, callTimeoutMs, maxMemoryBytes }) {
  core.requireOpen();
  const { wasm, bytes } = core.blueprint;
  const source = file.module ?? file.bytes;
  /** @type {LoadRequest} */
  const request = {
    kind: 'load',
    core: /** @type {WebAssembly.Module} */ (wasm),
    inspector,
    initialPages: bytes / PAGE,
    maximumPages: Math.floor(maxMemoryBytes / PAGE),
    file: source,
    origin: file.origin,
    logs: core.callbacks.onLog !== undefined,
    ...(name === undefined ? {} : { name }),
  };
  const session = new IsolatedSession(core, callTimeoutMs);
  const stop = onAbort(load.signal, () => session.end(load.signal.reason));
  try {
    await session.start();
    const transfer = source instanceof Uint8Array ? [source.buffer] : [];
    const what = `loadPlugin: the start of isolated plugin ${file.origin}`;
    /** @type {LoadedReply} */
    const loaded = await session.request(request, transfer, what);
    load.finish();
    session.plugin = loaded.info.name;
    return new IsolatedPlugin(core, session, loaded);
  } catch (error) {
    session.end(error);
    throw error instanceof PluginError && error.phase === 'read' ? withAnswer(error, file.answer) : error;
  } finally {
    stop();
  }
}
