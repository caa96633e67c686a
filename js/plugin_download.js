import { onAbort } from './abort.js';
import { concatenate } from './bytes.js';
import { show } from './check.js';
import { PluginError } from './errors.js';
import { hasFiles } from './load.js';
import { tooLarge } from './source_errors.js';
import { messageOf, shownAddress } from './source_text.js';

/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */
/** @typedef {import('./plugin_source.js').Reading} Reading */

/**
 * @param {string} address
 * @param {Reading} reading
 * @returns {Promise<PluginFile>}
 */
export async function fetchPlugin(address, reading) {
  reading.note('the server had not answered');
  const { username, password } = new URL(address);
  if (username || password) {
    throw new PluginError(`plugin file ${shownAddress(address)} cannot be read: fetch takes no address that contains a `
      + 'name or password', {
      phase: 'fetch',
      hint: 'give what fetch gives: loadPlugin(fetch(address, { headers: { authorization: … } }))',
    });
  }
  /** @type {Response} */
  let response;
  try {
    response = await fetch(address, { signal: reading.signal });
  } catch (cause) {
    reading.signal.throwIfAborted();
    throw new PluginError(`plugin file ${shownAddress(address)} cannot be read: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: fetchFailureHint(address),
      cause,
    });
  }
  return readResponse(response, address, reading);
}

/**
 * @param {Response} response
 * @param {string} asked the address that was fetched, empty if that is not known
 * @param {Reading} reading
 * @returns {Promise<PluginFile>}
 */
export async function readResponse(response, asked, reading) {
  const from = response.redirected && asked ? ` (where ${shownAddress(asked)} redirects to)` : '';
  const origin = (shownAddress(response.url || asked) || '<Response>') + from;
  const answer = describeAnswer(response);
  if (!response.ok) {
    response.body?.cancel().catch(() => {});
    const what = response.type.startsWith('opaque') ? OPAQUE[response.type] : undefined;
    throw new PluginError(`plugin file ${origin} cannot be read: ${what ?? `the server answered ${answer}`}`, {
      phase: 'fetch',
      hint: what ? 'fetch it with mode "cors" and redirect "follow", which are the defaults' : hintFor(response.status),
    });
  }
  return { bytes: await readBody(response, origin, reading), origin, answer };
}

/** Answers that a page may not look into, by type. @type {Partial<Record<ResponseType, string>>} */
const OPAQUE = {
  opaque: 'it was fetched with mode "no-cors", which hides the content',
  opaqueredirect: 'the server redirects, and that was not followed',
};

/** @param {number} status */
function hintFor(status) {
  if (status === 401 || status === 403) return 'the server wants to know who asks: give what fetch gives with that';
  return status >= 500 ? 'the fault is the server\'s; try again later' : 'check the address';
}

/** @param {Response} response */
function describeAnswer({ status, headers }) {
  const type = headers.get('content-type');
  return `${status}, with ${type === null ? 'no content type' : `content type ${show(type)}`}`;
}

/**
 * Reads what a server has sent, as it comes, and stops when it is more than may be.
 * @param {Response} response
 * @param {string} origin for messages
 * @param {Reading} reading
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function readBody(response, origin, reading) {
  const { body, headers } = response;
  if (response.bodyUsed || body?.locked) {
    throw new PluginError(`plugin file ${origin} cannot be read: the body of this Response has been read already`, {
      phase: 'fetch',
      hint: 'give a Response that nobody else reads: response.clone() makes another',
    });
  }
  if (!body) return new Uint8Array();
  const announced = /^\d+$/.exec(headers.get('content-length') ?? '')?.[0];
  const total = announced === undefined ? '' : ` of ${announced}`;
  if (Number(announced ?? 0) > reading.maxBytes) {
    // Whether the server takes note is its own affair.
    body.cancel().catch(() => {});
    throw tooLarge(origin, `it has ${announced} bytes, as the server says`, reading.maxBytes);
  }
  const reader = body.getReader();
  const stop = onAbort(reading.signal, () => {
    reader.cancel(reading.signal.reason).catch(() => {});
  });
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  try {
    for (;;) {
      reading.note(`${size}${total} bytes were there`);
      const { done, value } = await read(reader, origin, `${size}${total} bytes`);
      if (done) return concatenate(chunks);
      chunks.push(requireBytes(value, origin));
      size += value.length;
      if (size > reading.maxBytes) throw tooLarge(origin, 'it is larger', reading.maxBytes);
    }
  } finally {
    stop();
    reader.cancel().catch(() => {});
  }
}

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {string} origin
 * @param {string} so how far it has come
 */
async function read(reader, origin, so) {
  try {
    return await reader.read();
  } catch (cause) {
    throw new PluginError(`plugin file ${origin} cannot be read: after ${so}: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'the connection ended too early; try again',
      cause,
    });
  }
}

/**
 * A stream of somebody's own may give anything.
 * @param {unknown} chunk
 * @param {string} origin
 * @returns {Uint8Array}
 */
function requireBytes(chunk, origin) {
  if (ArrayBuffer.isView(chunk) && Object.prototype.toString.call(chunk) === '[object Uint8Array]') {
    return /** @type {Uint8Array} */ (chunk);
  }
  throw new PluginError(`plugin file ${origin} cannot be read: its stream gave ${show(chunk)}, not bytes`, {
    phase: 'fetch',
    hint: 'the body of a Response must be a stream of Uint8Arrays',
  });
}

/**
 * What a fetch that failed is likely to have failed of, as far as the place knows.
 * @param {string} address
 * @returns {string}
 */
function fetchFailureHint(address) {
  const { location, navigator } = globalThis;
  if (hasFiles || !location) return 'check the address, and that its server is running and can be reached';
  if (navigator?.onLine === false) return 'this device is offline';
  const { origin, protocol } = new URL(address);
  if (location.protocol === 'https:' && protocol === 'http:') {
    return 'a page that came by https: may not fetch what comes by http:; use an https: address';
  }
  const common = 'check the address, that its server can be reached, and that the page\'s content security policy '
    + '(connect-src) allows it';
  if (origin === location.origin) return common;
  return `${common}; it is of another origin than the page, ${location.origin}, so its server must also allow that `
    + 'origin (CORS: the header Access-Control-Allow-Origin)';
}
