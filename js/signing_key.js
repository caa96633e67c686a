/*
 * Ed25519 keys (RFC 8032), in the forms that people and programs have them in.
 */
import { show } from './check.js';
import { NotImplementedError, ValueError } from './errors.js';

/**
 * A key to check signatures with: PEM text as `openssl pkey -pubout` writes it, base64 of its 32 bytes, the bytes
 * themselves, or an extractable CryptoKey.
 * @typedef {string | ArrayBuffer | ArrayBufferView | CryptoKey} PublicKeySource
 */

/**
 * A key to sign with: PEM text as `openssl genpkey -algorithm ed25519` writes it, or an extractable CryptoKey.
 * @typedef {string | CryptoKey} PrivateKeySource
 */

const ALGORITHM = { name: 'Ed25519' };
export const KEY_SIZE = 32;

/** What DER has before the 32 bytes of a public key (RFC 8410). */
const SPKI_PREFIX = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

/**
 * The engine's cryptography. A NotImplementedError where there is none.
 * @returns {SubtleCrypto}
 */
export function subtleCrypto() {
  const subtle = globalThis.crypto?.subtle;
  if (subtle) return subtle;
  throw new NotImplementedError(
    'signatures need WebCrypto, which this engine does not give here; a page has it on https: and localhost only',
  );
}

/**
 * @template T
 * @param {() => Promise<T>} use of Ed25519
 * @returns {Promise<T>}
 */
export async function withEd25519(use) {
  try {
    return await use();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotSupportedError') throw error;
    throw new NotImplementedError('signatures need Ed25519, which the WebCrypto of this engine does not have yet');
  }
}

/**
 * The 32 bytes of a public key. A ValueError for what is none.
 * @param {unknown} source a PublicKeySource
 * @param {string} what for messages: `trustedKeys[0]`
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function publicKeyBytes(source, what) {
  const key = await readPublicKey(source, what);
  if (key.length !== KEY_SIZE) {
    throw new ValueError(`${what}: an Ed25519 public key has ${KEY_SIZE} bytes, not ${key.length}`);
  }
  requireStrong(key, what);
  return key;
}

/**
 * @param {unknown} source
 * @param {string} what
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function readPublicKey(source, what) {
  if (typeof source === 'string') {
    return source.includes('-----BEGIN') ? publicKeyOfPem(source, what) : bytesOfBase64(source, what);
  }
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  }
  const tag = Object.prototype.toString.call(source);
  if (tag === '[object ArrayBuffer]') return new Uint8Array(/** @type {ArrayBuffer} */ (source)).slice();
  if (tag !== '[object CryptoKey]') {
    throw new TypeError(`${what} must be PEM text, base64, 32 bytes or a CryptoKey, not ${show(source)}`);
  }
  const key = /** @type {CryptoKey} */ (source);
  requireKeyType(key, 'public', what);
  return new Uint8Array(await subtleCrypto().exportKey('raw', key));
}

/**
 * @param {CryptoKey} key
 * @param {'public' | 'private'} type
 * @param {string} what
 */
function requireKeyType(key, type, what) {
  if (key.algorithm.name === ALGORITHM.name && key.type === type && key.extractable) return;
  const kind = `${key.extractable ? '' : 'not extractable '}${key.type} key of ${key.algorithm.name}`;
  throw new ValueError(`${what}: the CryptoKey must be an extractable ${type} key of Ed25519; it is a ${kind}`);
}

/**
 * @param {string} text
 * @param {string} label
 * @param {string} what
 * @returns {Uint8Array<ArrayBuffer>} the DER of the one PEM block
 */
function readPem(text, label, what) {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g)];
  const [, found = '', base64 = ''] = blocks[0] ?? [];
  if (blocks.length !== 1) {
    throw new ValueError(`${what}: PEM text must hold one key; this holds ${blocks.length || 'no complete one'}`);
  }
  if (found !== label) {
    const hint = found === 'ENCRYPTED PRIVATE KEY' ? '; decrypt it first, by openssl pkey -in KEY -out DECRYPTED' : '';
    throw new ValueError(`${what}: PEM text must hold a ${label}, not a ${found}${hint}`);
  }
  return bytesOfBase64(base64.replace(/\s/g, ''), what);
}

/**
 * @param {string} text
 * @param {string} what
 */
function publicKeyOfPem(text, what) {
  const der = readPem(text, 'PUBLIC KEY', what);
  const isEd25519 = der.length === SPKI_PREFIX.length + KEY_SIZE && SPKI_PREFIX.every((byte, i) => der[i] === byte);
  if (!isEd25519) throw new ValueError(`${what}: the PEM text holds a public key, but not one of Ed25519`);
  return der.slice(SPKI_PREFIX.length);
}

/**
 * @param {string} text
 * @param {string} what
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesOfBase64(text, what) {
  const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (!canonical.test(text)) throw new ValueError(`${what} is neither PEM text nor base64: ${show(text)}`);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

const P = 2n ** 255n - 19n;

/**
 * Refuses the few keys under which anyone can sign: the points whose order divides 8, and encodings of a y that is not
 * reduced, which are other spellings of such. Not every engine's WebCrypto refuses them. Those of order 1, 2 and 4 have
 * y = 1, -1 and 0. A point of order 8 is one whose double has y = 0, so y^2 = -x^2; with the curve's equation
 * -x^2 + y^2 = 1 + d x^2 y^2 and d = -121665/121666 that is d y^4 + 2 y^2 - 1 = 0.
 * @param {Uint8Array} key
 * @param {string} what
 */
function requireStrong(key, what) {
  const y = BigInt.asUintN(255, key.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n));
  const squared = y * y;
  const eighth = (-121665n * squared * squared + 121666n * (2n * squared - 1n)) % P;
  if (y < P && y > 1n && y !== P - 1n && eighth !== 0n) return;
  throw new ValueError(`${what}: this is a key of small order, under which anyone can sign: ${toBase64(key)}`);
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes of publicKeyBytes
 */
export function importPublicKey(bytes) {
  return withEd25519(() => subtleCrypto().importKey('raw', bytes, ALGORITHM, true, ['verify']));
}

/**
 * @param {unknown} source a PrivateKeySource
 * @returns {Promise<{ key: CryptoKey, publicKey: Uint8Array<ArrayBuffer> }>}
 */
export async function importPrivateKey(source) {
  const key = await readPrivateKey(source);
  const { x = '' } = await subtleCrypto().exportKey('jwk', key);
  const base64 = x.replaceAll('-', '+').replaceAll('_', '/');
  return { key, publicKey: bytesOfBase64(`${base64}=`, 'privateKey') };
}

/**
 * @param {unknown} source
 * @returns {Promise<CryptoKey>}
 */
async function readPrivateKey(source) {
  if (Object.prototype.toString.call(source) === '[object CryptoKey]') {
    const key = /** @type {CryptoKey} */ (source);
    requireKeyType(key, 'private', 'privateKey');
    return key;
  }
  if (typeof source !== 'string') {
    throw new TypeError(`privateKey must be PEM text or a CryptoKey, not ${show(source)}`);
  }
  const der = readPem(source, 'PRIVATE KEY', 'privateKey');
  try {
    return await withEd25519(() => subtleCrypto().importKey('pkcs8', der, ALGORITHM, true, ['sign']));
  } catch (error) {
    if (error instanceof NotImplementedError) throw error;
    throw new ValueError('privateKey: the PEM text holds a private key, but not one of Ed25519');
  }
}

/**
 * A new pair of keys, as PEM text: PKCS #8 and SubjectPublicKeyInfo, which OpenSSL reads and writes, too.
 * @returns {Promise<{ privateKey: string, publicKey: string }>}
 */
export async function generateSigningKeys() {
  const subtle = subtleCrypto();
  const pair = await withEd25519(() => subtle.generateKey(ALGORITHM, true, ['sign', 'verify']));
  const { privateKey, publicKey } = /** @type {CryptoKeyPair} */ (pair);
  return {
    privateKey: pem('PRIVATE KEY', await subtle.exportKey('pkcs8', privateKey)),
    publicKey: pem('PUBLIC KEY', await subtle.exportKey('spki', publicKey)),
  };
}

/**
 * @param {string} label
 * @param {ArrayBuffer} der
 */
function pem(label, der) {
  const lines = toBase64(new Uint8Array(der)).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
