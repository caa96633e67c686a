/*
 * Signatures of plugin files. The keys of RFC 8032, section 7.1, and OpenSSL, as Node's crypto has it, are the
 * independent sources.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, test } from '@jest/globals';
import { NotImplementedError, ValueError, init } from 'minitensor';
import { generateSigningKeys, readSignature, signPlugin, verifyPlugin } from 'minitensor/signature';

import { expectError, expectPluginError, rejectionOf, wrong } from './support/errors.js';
import { bytesOf, examplePlugin } from './support/plugin_files.js';

const swish = bytesOf(examplePlugin('swish'));

/** The first three test vectors of RFC 8032, section 7.1. */
const RFC_8032 = [
  {
    secret: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  },
  {
    secret: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  },
  {
    secret: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
  },
];

/** @param {string} hex */
const fromHex = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** PKCS #8 of a secret key, as RFC 8410 has it. @param {string} secret in hex */
function privatePem(secret) {
  const der = Buffer.from(`302e020100300506032b657004220420${secret}`, 'hex');
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}

const [first, second] = /** @type {[typeof RFC_8032[0], typeof RFC_8032[0]]} */ (/** @type {unknown} */ (RFC_8032));
const key = privatePem(first.secret);
const publicKey = fromHex(first.publicKey);
const signed = await signPlugin(swish, key);

const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-signature-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** @param {Uint8Array} bytes @param {number} at */
function flipped(bytes, at) {
  const copy = Uint8Array.from(bytes);
  copy.set([(bytes[at] ?? 0) ^ 1], at);
  return copy;
}

/** @param {...Uint8Array} parts */
const joined = (...parts) => Uint8Array.from(Buffer.concat(parts));

describe('a signed file', () => {
  test('ends in the section that docs/security.md describes', () => {
    expect(signed.subarray(0, swish.length)).toEqual(swish);
    const section = signed.subarray(swish.length);
    expect(section.length).toBe(121);
    expect(Buffer.from(section.subarray(0, 25))).toEqual(Buffer.from('\0\x77\x14minitensor.signature\x01\x01', 'latin1'));
    expect(Uint8Array.from(section.subarray(25, 57))).toEqual(publicKey);
    const message = Buffer.concat([Buffer.from('minitensor plugin signature 1\0'), swish]);
    // Ed25519 is deterministic.
    expect(Buffer.from(section.subarray(57))).toEqual(sign(null, message, createPrivateKey(key)));
    const spki = createPublicKey(createPrivateKey(key));
    expect(verify(null, message, spki, section.subarray(57))).toBe(true);
  });

  test.each(RFC_8032)('has the public key of $secret', async ({ secret, publicKey: expected }) => {
    const file = await signPlugin(swish, privatePem(secret));
    const signature = await readSignature(file);
    expect(signature).toEqual({
      algorithm: 'Ed25519',
      publicKey: Buffer.from(expected, 'hex').toString('base64'),
      signedBytes: swish.length,
    });
    expect(await verifyPlugin(file, [fromHex(expected)])).toEqual(signature);
  });

  test('is still WebAssembly, and loads', async () => {
    expect(WebAssembly.validate(signed)).toBe(true);
    const mt = await init();
    await mt.plugins.loadPlugin(signed);
    expect(mt.plugins.listPlugins().map(String)).toEqual(['swish 1.0.0']);
    mt.close();
  });

  test('can be an ELF file', async () => {
    const elf = joined(Buffer.from('\x7fELF', 'latin1'), new Uint8Array(200));
    await verifyPlugin(await signPlugin(elf, key), [publicKey]);
  });

  test('is read from every source of a plugin', async () => {
    const file = path.join(folder, 'ä signed.wasm');
    writeFileSync(file, signed);
    for (const source of [file, signed, signed.slice().buffer, new Blob([signed]), new Response(signed)]) {
      expect((await readSignature(source))?.signedBytes).toBe(swish.length);
    }
  });
});

describe('verifyPlugin takes as a trusted key', () => {
  const spki = createPublicKey(createPrivateKey(key));
  /** @type {[string, () => unknown][]} */
  const forms = [
    ['PEM text', () => spki.export({ type: 'spki', format: 'pem' })],
    ['PEM text with Windows line ends', () => String(spki.export({ type: 'spki', format: 'pem' })).replaceAll('\n', '\r\n')],
    ['base64', () => Buffer.from(publicKey).toString('base64')],
    ['bytes', () => publicKey],
    ['an ArrayBuffer', () => publicKey.slice().buffer],
    ['a view of a part of a buffer', () => joined(new Uint8Array(3), publicKey).subarray(3)],
    ['a CryptoKey', () => globalThis.crypto.subtle.importKey('raw', publicKey, 'Ed25519', true, ['verify'])],
  ];
  test.each(forms)('%s', async (_, form) => {
    expect((await verifyPlugin(signed, [wrong(await form())])).signedBytes).toBe(swish.length);
  });

  test('one of several', async () => {
    await verifyPlugin(signed, [fromHex(second.publicKey), publicKey]);
  });
});

describe('verifyPlugin refuses', () => {
  const trusted = [publicKey];

  test('a file that is not signed', async () => {
    const error = await rejectionOf(verifyPlugin(swish, trusted));
    expectPluginError(error, 'signature', 'plugin file <bytes> is not signed, and only signed files are accepted');
    expect(await readSignature(swish)).toBe(null);
  });

  test('a file that is signed by another key, which it names', async () => {
    const error = await rejectionOf(verifyPlugin(await signPlugin(swish, privatePem(second.secret)), trusted));
    const name = Buffer.from(second.publicKey, 'hex').toString('base64');
    expectPluginError(error, 'signature', `is signed by the key ${name}, which is not the trusted key`);
  });

  test('a file with another bit anywhere', async () => {
    const damaged = [];
    for (let at = 0; at < signed.length; at += at < swish.length ? 97 : 1) {
      // A changed letter of the section's name leaves a file without a signature, which is refused as well.
      damaged.push(rejectionOf(verifyPlugin(flipped(signed, at), trusted)));
    }
    for (const error of await Promise.all(damaged)) expectPluginError(error, 'signature', 'plugin file <bytes>');
  });

  test('a file that was changed after it was signed', async () => {
    const error = await rejectionOf(verifyPlugin(flipped(signed, 100), trusted));
    expectPluginError(error, 'signature', 'has another content than the one that was signed by the key');
  });

  /** @type {[string, () => Uint8Array, string][]} */
  const damaged = [
    ['bytes after the signature', () => joined(signed, new Uint8Array(5)), 'has 5 bytes after its signature'],
    ['a second signature', () => joined(signed, signed.subarray(swish.length)), 'has more than one signature'],
    ['a cut-off signature', () => signed.subarray(0, -1), 'has a damaged signature'],
    ['a section of another size', () => flipped(signed, swish.length + 1), 'has a damaged signature'],
    ['a section that is not custom', () => flipped(signed, swish.length), 'has a damaged signature'],
    ['another version', () => flipped(signed, swish.length + 23), 'has a signature of version 0 and algorithm 1'],
    ['another algorithm', () => flipped(signed, swish.length + 24), 'has a signature of version 1 and algorithm 0'],
    ['nothing but the name', () => signed.subarray(swish.length + 2, swish.length + 23), 'has a damaged signature'],
  ];
  test.each(damaged)('%s', async (_, file, message) => {
    expectPluginError(await rejectionOf(verifyPlugin(file(), trusted)), 'signature', message);
    expectPluginError(await rejectionOf(readSignature(file())), 'signature', message);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' });
  const x25519 = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' });
  /** @type {[string, unknown, string][]} */
  const badKeys = [
    ['a key of RSA', rsa, 'a public key, but not one of Ed25519'],
    ['a key of X25519', x25519, 'a public key, but not one of Ed25519'],
    ['a private key', key, 'must hold a PUBLIC KEY, not a PRIVATE KEY'],
    ['two keys', `${x25519}${x25519}`, 'must hold one key; this holds 2'],
    ['a cut-off PEM', '-----BEGIN PUBLIC KEY-----\nMCow', 'this holds no complete one'],
    ['text', 'my key', 'is neither PEM text nor base64: "my key"'],
    ['empty text', '', 'has 32 bytes, not 0'],
    ['31 bytes', new Uint8Array(31), 'has 32 bytes, not 31'],
    ['33 bytes in base64', Buffer.alloc(33).toString('base64'), 'has 32 bytes, not 33'],
  ];
  test.each(badKeys)('as a trusted key %s', async (_, bad, message) => {
    const error = await rejectionOf(verifyPlugin(signed, [publicKey, wrong(bad)]));
    expectError(error, ValueError, message);
    expectError(error, ValueError, 'trustedKeys[1]');
  });

  // All encodings of the points of small order, of those lists that libsodium and the Web Platform Tests have.
  const smallOrder = [
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0000000000000000000000000000000000000000000000000000000000000080',
    '0100000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000080',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];
  test.each(smallOrder)('the trusted key %s, under which anyone can sign', async (hex) => {
    const error = await rejectionOf(verifyPlugin(signed, [fromHex(hex)]));
    expectError(error, ValueError, 'a key of small order, under which anyone can sign');
  });

  test('keys that are no array, none at all, and what is no key', async () => {
    expectError(await rejectionOf(verifyPlugin(signed, [])), ValueError, 'trustedKeys is empty');
    for (const keys of [undefined, null, 'x', {}, [1], [null], [{}], [Symbol('x')]]) {
      expectError(await rejectionOf(verifyPlugin(signed, wrong(keys))), TypeError, 'trustedKeys');
    }
  });

  test('a CryptoKey that is private, or of another algorithm, or not extractable', async () => {
    const { subtle } = globalThis.crypto;
    const pair = /** @type {CryptoKeyPair} */ (await subtle.generateKey('Ed25519', true, ['sign', 'verify']));
    const hmac = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
    const hidden = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    for (const bad of [pair.privateKey, hmac, hidden]) {
      const error = await rejectionOf(verifyPlugin(signed, [wrong(bad)]));
      expectError(error, ValueError, 'must be an extractable public key of Ed25519');
    }
  });
});

describe('signPlugin refuses', () => {
  test('a signed file', async () => {
    expectPluginError(await rejectionOf(signPlugin(signed, key)), 'signature', 'is signed already');
  });

  test.each([['text', 'hello'], ['nothing', '']])('a file of %s', async (_, text) => {
    const error = await rejectionOf(signPlugin(Buffer.from(text), key));
    expectPluginError(error, 'signature', 'is neither WebAssembly nor ELF');
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const own = createPrivateKey(key);
  /** @type {[string, string, string][]} */
  const badKeys = [
    ['of RSA', String(rsa.export({ type: 'pkcs8', format: 'pem' })), 'a private key, but not one of Ed25519'],
    ['that is encrypted', String(own.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })), 'decrypt it first'],
    ['that is public', String(createPublicKey(own).export({ type: 'spki', format: 'pem' })), 'must hold a PRIVATE KEY, not a PUBLIC KEY'],
    ['in text', 'secret', 'no complete one'],
  ];
  test.each(badKeys)('a key %s', async (_, bad, message) => {
    const error = expectError(await rejectionOf(signPlugin(swish, bad)), ValueError, message);
    expect(error.message).not.toContain('secret');
  });

  test('a key that is none', async () => {
    for (const bad of [undefined, null, 1, {}, publicKey]) {
      expectError(await rejectionOf(signPlugin(swish, wrong(bad))), TypeError, 'privateKey must be PEM text or a CryptoKey');
    }
  });
});

describe('what is no source of a plugin', () => {
  const sources = [undefined, null, 0, NaN, true, 1n, {}, [], Symbol('x'), () => {}, new Map(), new Proxy({}, {})];
  test.each(sources)('is a TypeError (%#)', async (source) => {
    const given = wrong(source);
    for (const result of [readSignature(given), signPlugin(given, key), verifyPlugin(given, [publicKey])]) {
      expectError(await rejectionOf(result), TypeError, 'plugin source must be a path, URL');
    }
  });

  test('is a PluginError when it is compiled, since a module does not give its bytes', async () => {
    const module = await WebAssembly.compile(signed);
    expectPluginError(await rejectionOf(verifyPlugin(module, [publicKey])), 'signature', 'does not give its bytes');
  });
});

describe('generateSigningKeys', () => {
  test('makes keys that sign and verify, and that OpenSSL reads', async () => {
    const pair = await generateSigningKeys();
    await verifyPlugin(await signPlugin(swish, pair.privateKey), [pair.publicKey]);
    const own = createPrivateKey(pair.privateKey);
    expect(own.asymmetricKeyType).toBe('ed25519');
    expect(own.export({ type: 'pkcs8', format: 'pem' })).toBe(pair.privateKey);
    expect(createPublicKey(own).export({ type: 'spki', format: 'pem' })).toBe(pair.publicKey);
  });

  test('gives others each time', async () => {
    expect((await generateSigningKeys()).privateKey).not.toBe((await generateSigningKeys()).privateKey);
  });
});

describe('an engine without', () => {
  /** @param {object | undefined} crypto @param {() => Promise<unknown>} run */
  async function withCrypto(crypto, run) {
    const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(globalThis, 'crypto'));
    Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
    try {
      return await rejectionOf(run());
    } finally {
      Object.defineProperty(globalThis, 'crypto', own);
    }
  }
  const runs = [
    () => verifyPlugin(signed, [publicKey]),
    () => signPlugin(swish, key),
    () => generateSigningKeys(),
  ];

  test.each(runs)('WebCrypto says so (%#)', async (run) => {
    expectError(await withCrypto({}, run), NotImplementedError, 'signatures need WebCrypto');
  });

  test.each(runs)('Ed25519 says so (%#)', async (run) => {
    const refuse = () => Promise.reject(new DOMException('unknown algorithm', 'NotSupportedError'));
    const error = await withCrypto({ subtle: { importKey: refuse, generateKey: refuse } }, run);
    expectError(error, NotImplementedError, 'signatures need Ed25519');
  });
});
