/*
 * The process that a plugin is checked in, so that one which hangs can be ended. It is given its options as a message,
 * and answers with messages.
 */
import process from 'node:process';

import { MiniTensorError, PluginError } from 'minitensor';

import { UnknownName, checkPlugin } from './plugin.js';

/** @typedef {import('./plugin.js').PluginReport} PluginReport */

/**
 * @typedef {{ doing: string } | { report: PluginReport } | { refused: string, hint: string }
 *   | { unknown: string } | { broken: string }} Message
 */

/** @param {Message} message */
function send(message) {
  process.send?.(message);
}

process.once('message', async (/** @type {import('./plugin.js').CheckOptions} */ options) => {
  try {
    send({ report: await checkPlugin(options, (doing) => send({ doing })) });
  } catch (error) {
    if (error instanceof UnknownName) {
      send({ unknown: error.message });
    } else if (error instanceof MiniTensorError) {
      send({ refused: error.message, hint: error instanceof PluginError ? error.hint : '' });
    } else {
      send({ broken: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  } finally {
    process.disconnect?.();
  }
});
