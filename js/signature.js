/*
 * Signatures of plugin files. A signed file, a .wasm as well as an ELF .so, ends in one custom section of WebAssembly:
 *
 *   00                        a custom section
 *   77                        119 bytes follow
 *   14 "minitensor.signature" its name, with the length before it
 *   01                        the version of this format
 *   01                        the algorithm: Ed25519 (RFC 8032)
 *   32 bytes                  the public key
 *   64 bytes                  the signature, of "minitensor plugin signature 1\0" and all bytes before the section
 *
 * ELF loaders do not look at what follows a file's last segment and section.
 */
import { concatenate } from './bytes.js';
import { requireArray } from './check.js';
import { PluginError, ValueError } from './errors.js';
import { readPluginBytes } from './plugin_source.js';
import {
  KEY_SIZE,
  importPrivateKey,
  importPublicKey,
  publicKeyBytes,
  subtleCrypto,
  toBase64,
  withEd25519,
} from './signing_key.js';

export { generateSigningKeys } from './signing_key.js';

/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */
/** @typedef {import('./plugin_address.js').PluginSource} PluginSource */
/** @typedef {import('./signing_key.js').PublicKeySource} PublicKeySource */
/** @typedef {import('./signing_key.js').PrivateKeySource} PrivateKeySource */

/**
 * What the signature of a file says. Whether it is right, and whose key it is, verifyPlugin tells.
 * @typedef {object} PluginSignature
 * @property {'Ed25519'} algorithm
 * @property {string} publicKey of who signed, in base64
 * @property {number} signedBytes how many bytes of the file are signed: all before the signature
 */

const encoder = new TextEncoder();
const DOMAIN = encoder.encode('minitensor plugin signature 1\0');
/** The section's name, with its length. */
const NAME = Uint8Array.of(20, ...encoder.encode('minitensor.signature'));
const SIGNATURE_SIZE = 64;
const VERSION = 1;
const ED25519 = 1;
const CONTENT_SIZE = NAME.length + 2 + KEY_SIZE + SIGNATURE_SIZE;
const HEADER = Uint8Array.of(0, CONTENT_SIZE, ...NAME);
const SECTION_SIZE = 2 + CONTENT_SIZE;

/**
 * What the signature of a plugin's file says, without checking it; null for a file without one. A PluginError for a
 * signature that is damaged, not the last thing in the file, or not the only one.
 * @param {PluginSource} source
 * @returns {Promise<PluginSignature | null>}
 */
export async function readSignature(source) {
  return signatureOf(await readPluginBytes(source))?.description ?? null;
}

/**
 * The file with a signature appended. A PluginError for what is signed already, or neither WebAssembly nor ELF.
 * @param {PluginSource} source
 * @param {PrivateKeySource} privateKey
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function signPlugin(source, privateKey) {
  const { bytes, origin } = await readPluginBytes(source);
  const { key, publicKey } = await importPrivateKey(privateKey);
  requireSignable(bytes, origin);
  const signature = await withEd25519(() => subtleCrypto().sign('Ed25519', key, messageOf(bytes)));
  const parts = [bytes, HEADER, Uint8Array.of(VERSION, ED25519), publicKey, new Uint8Array(signature)];
  return concatenate(parts);
}

/**
 * Checks that one of the keys has signed a plugin's file as it is. A PluginError when none has.
 * @param {PluginSource} source
 * @param {readonly PublicKeySource[]} trustedKeys
 * @returns {Promise<PluginSignature>}
 */
export async function verifyPlugin(source, trustedKeys) {
  const keys = await readTrustedKeys(trustedKeys, 'verifyPlugin: trustedKeys');
  return verifyFile(await readPluginBytes(source), keys);
}

/**
 * @param {unknown} trustedKeys
 * @param {string} what for messages
 * @returns {Promise<readonly Uint8Array<ArrayBuffer>[]>} what verifyFile takes
 */
export async function readTrustedKeys(trustedKeys, what) {
  requireArray(trustedKeys, what);
  if (trustedKeys.length === 0) throw new ValueError(`${what} is empty, so that no file could be accepted`);
  return Promise.all(Array.from(trustedKeys, (key, index) => publicKeyBytes(key, `${what}[${index}]`)));
}

/**
 * verifyPlugin for a file that has been read.
 * @param {PluginFile} file
 * @param {readonly Uint8Array<ArrayBuffer>[]} trustedKeys
 * @returns {Promise<PluginSignature>}
 */
export async function verifyFile(file, trustedKeys) {
  const signed = signatureOf(file);
  if (!signed) {
    throw signatureError(file.origin, 'is not signed, and only signed files are accepted', 'sign it: minitensor sign');
  }
  const { publicKey } = signed.description;
  const key = trustedKeys.find((trusted) => toBase64(trusted) === publicKey);
  if (!key) {
    const count = trustedKeys.length === 1 ? 'the trusted key' : `one of the ${trustedKeys.length} trusted keys`;
    throw signatureError(
      file.origin,
      `is signed by the key ${publicKey}, which is not ${count}`,
      'trust that key only if you know whose it is',
    );
  }
  const imported = await importPublicKey(key);
  const message = messageOf(file.bytes.subarray(0, signed.description.signedBytes));
  if (await subtleCrypto().verify('Ed25519', imported, signed.signature, message)) return signed.description;
  throw signatureError(
    file.origin,
    `has another content than the one that was signed by the key ${publicKey}`,
    'the file was changed after it was signed; get it again, or sign it again',
  );
}

/**
 * @param {PluginFile} file
 * @returns {{ description: PluginSignature, signature: Uint8Array<ArrayBuffer> } | null} null: it has none
 */
export function signatureOf({ bytes, origin }) {
  const found = indexOf(bytes, NAME, 0);
  if (found < 0) return null;
  const damaged = 'sign the file as it was built, without a signature';
  if (indexOf(bytes, NAME, found + 1) >= 0) throw signatureError(origin, 'has more than one signature', damaged);
  const start = found - 2;
  const section = bytes.subarray(Math.max(start, 0), start + SECTION_SIZE);
  if (section.length < SECTION_SIZE || !HEADER.every((byte, index) => section[index] === byte)) {
    throw signatureError(origin, 'has a damaged signature', damaged);
  }
  const extra = bytes.length - start - SECTION_SIZE;
  if (extra > 0) throw signatureError(origin, `has ${extra} bytes after its signature, which must be last`, damaged);
  const version = section[HEADER.length];
  const algorithm = section[HEADER.length + 1];
  if (version !== VERSION || algorithm !== ED25519) {
    throw signatureError(
      origin,
      `has a signature of version ${version} and algorithm ${algorithm}; known are version 1 and algorithm 1`,
      'use a newer MiniTensor',
    );
  }
  const signature = section.slice(SECTION_SIZE - SIGNATURE_SIZE);
  const publicKey = toBase64(section.subarray(HEADER.length + 2, SECTION_SIZE - SIGNATURE_SIZE));
  return { description: { algorithm: 'Ed25519', publicKey, signedBytes: start }, signature };
}

/**
 * @param {Uint8Array} bytes
 * @param {string} origin
 */
function requireSignable(bytes, origin) {
  const [first, ...rest] = bytes.subarray(0, 4);
  const magic = String.fromCharCode(...rest);
  if (!(first === 0 && magic === 'asm') && !(first === 0x7f && magic === 'ELF')) {
    throw signatureError(origin, 'is neither WebAssembly nor ELF, so it is not signed', 'give the built plugin');
  }
  if (indexOf(bytes, NAME, 0) >= 0) {
    throw signatureError(origin, 'is signed already', 'sign the file as it was built, without a signature');
  }
}

/**
 * @param {string} origin
 * @param {string} problem
 * @param {string} hint
 */
function signatureError(origin, problem, hint) {
  return new PluginError(`plugin file ${origin} ${problem}`, { phase: 'signature', hint });
}

/** @param {Uint8Array} signed */
function messageOf(signed) {
  return concatenate([DOMAIN, signed]);
}

/**
 * @param {Uint8Array} bytes
 * @param {Uint8Array} wanted
 * @param {number} from
 */
function indexOf(bytes, wanted, from) {
  const first = /** @type {number} */ (wanted[0]);
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
