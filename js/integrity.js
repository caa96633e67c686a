import { show } from './check.js';
import { PluginError, ValueError } from './errors.js';

/*
 * Integrity metadata, as https://www.w3.org/TR/SRI/ describes it. Where that lets a browser skip a check, because it
 * knows none of the algorithms, this refuses: who asks for a check gets one.
 */

/**
 * @typedef {object} Integrity
 * @property {string} algorithm the strongest that is named: `sha256`, `sha384` or `sha512`
 * @property {readonly string[]} digests in base64; the file must have one of them
 */

/** From weak to strong, with the length of their digests in bytes. */
const algorithms = /** @type {const} */ ({ sha256: 32, sha384: 48, sha512: 64 });

/**
 * @param {string} text
 * @param {string} what for messages
 * @returns {Integrity}
 */
export function parseIntegrity(text, what) {
  const digests = new Map(Object.keys(algorithms).map((name) => [name, /** @type {string[]} */ ([])]));
  for (const token of text.split(/[\t\n\f\r ]+/).filter(Boolean)) {
    const [, algorithm = '', digest = ''] = /^([a-z\d]+)-([^?]*)/i.exec(token) ?? [];
    const known = digests.get(algorithm.toLowerCase());
    if (known) known.push(checkedDigest(digest, algorithm.toLowerCase(), `${what}: ${show(token)}`));
  }
  for (const [algorithm, found] of [...digests].reverse()) if (found.length > 0) return { algorithm, digests: found };
  throw new ValueError(`${what}: there is no hash of ${Object.keys(algorithms).join(', ')} in ${show(text)}; `
    + 'it must be like "sha256-" and the digest in base64');
}

/**
 * @param {string} digest
 * @param {string} algorithm
 * @param {string} what
 * @returns {string} in the base64 that `btoa` gives
 */
function checkedDigest(digest, algorithm, what) {
  const wanted = algorithms[/** @type {keyof typeof algorithms} */ (algorithm)];
  const base64 = digest.replaceAll('-', '+').replaceAll('_', '/');
  /** @type {string} */
  let bytes;
  try {
    bytes = atob(base64);
  } catch {
    throw new ValueError(`${what}: the digest is not base64`);
  }
  if (bytes.length === wanted) return btoa(bytes);
  throw new ValueError(`${what}: a digest of ${algorithm} has ${wanted} bytes, this has ${bytes.length}`);
}

/**
 * Throws a PluginError of phase "integrity" unless the bytes have one of the digests.
 * @param {import('./plugin_source.js').PluginFile} file whose bytes there are
 * @param {Integrity} integrity
 */
export async function requireIntegrity({ bytes, origin }, { algorithm, digests }) {
  const { subtle } = globalThis.crypto ?? {};
  if (!subtle) {
    throw new PluginError(`plugin file ${origin} cannot be checked for integrity: there is no crypto.subtle here`, {
      phase: 'integrity',
      hint: 'a browser has it in pages that came by https: or from localhost',
    });
  }
  const hash = new Uint8Array(await subtle.digest(algorithm.replace('sha', 'SHA-'), bytes));
  const found = btoa(String.fromCharCode(...hash));
  if (digests.includes(found)) return;
  const wanted = digests.map((digest) => `${algorithm}-${digest}`).join(' or ');
  throw new PluginError(`plugin file ${origin} is not the one that was asked for: its hash is ${algorithm}-${found}, `
    + `not ${wanted}`, {
    phase: 'integrity',
    hint: 'the file was changed since the hash was made, or is of another version; if it is the one you want, '
      + 'give its hash as option integrity',
  });
}
