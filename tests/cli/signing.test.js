/* keygen, sign and verify. What signatures are is tested with js/signature.js. */
import { copyFileSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeAll, describe, expect, test } from '@jest/globals';
import { verifyPlugin } from 'minitensor/signature';

import { examplePlugin } from '../js/support/plugin_files.js';
import { minitensor, temporaryFolder } from './support/command.js';

const cwd = temporaryFolder();
const inFolder = (/** @type {string} */ name) => path.join(cwd, name);

beforeAll(async () => {
  expect(await minitensor(['keygen', '--out', 'own'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(await minitensor(['keygen', '--out', 'other'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  copyFileSync(examplePlugin('swish'), inFolder('swish.wasm'));
  const { code, stdout, stderr } = await minitensor(['sign', 'swish.wasm', '--key', 'own.pem', '--out', 'ß.wasm'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ß\.wasm is signed by the key [\w+/]{43}=\n$/);
});

describe('keygen', () => {
  test('writes keys that OpenSSL reads, the private one for its owner only', () => {
    const own = createPrivateKey(readFileSync(inFolder('own.pem'), 'utf8'));
    expect(own.asymmetricKeyType).toBe('ed25519');
    const spki = createPublicKey(own).export({ type: 'spki', format: 'pem' });
    expect(readFileSync(inFolder('own.pub.pem'), 'utf8')).toBe(spki);
    expect(statSync(inFolder('own.pem')).mode & 0o777).toBe(0o600);
  });

  test('replaces no key', async () => {
    const before = readFileSync(inFolder('own.pem'), 'utf8');
    const { code, stderr } = await minitensor(['keygen', '--out', 'own'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'minitensor keygen: own.pem is there already, and a key is not replaced\nhint: use --out NAME\n',
    });
    expect(readFileSync(inFolder('own.pem'), 'utf8')).toBe(before);
  });

  test('does not leave a private key alone when the public one is in the way', async () => {
    writeFileSync(inFolder('half.pub.pem'), 'x');
    expect((await minitensor(['keygen', '--out', 'half'], { cwd })).code).toBe(1);
    expect(readdirSync(cwd)).not.toContain('half.pem');
  });
});

describe('sign', () => {
  test('leaves the unsigned file as it was, and nothing else behind', () => {
    expect(readFileSync(inFolder('swish.wasm')).equals(readFileSync(examplePlugin('swish')))).toBe(true);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('makes what verifyPlugin accepts', async () => {
    const key = readFileSync(inFolder('own.pub.pem'), 'utf8');
    expect((await verifyPlugin(inFolder('ß.wasm'), [key])).algorithm).toBe('Ed25519');
  });

  test('replaces the file without --out', async () => {
    copyFileSync(examplePlugin('swish'), inFolder('in place.wasm'));
    expect((await minitensor(['sign', 'in place.wasm', '--key', 'own.pem'], { cwd })).code).toBe(0);
    expect(readFileSync(inFolder('in place.wasm')).equals(readFileSync(inFolder('ß.wasm')))).toBe(true);
  });

  test('takes a file: URL, and replaces what a link leads to', async () => {
    copyFileSync(examplePlugin('swish'), inFolder('ü linked.wasm'));
    symlinkSync('ü linked.wasm', inFolder('link.wasm'));
    const { code, stderr } = await minitensor(['sign', pathToFileURL(inFolder('link.wasm')).href, '--key', 'own.pem'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lstatSync(inFolder('link.wasm')).isSymbolicLink()).toBe(true);
    expect(readFileSync(inFolder('ü linked.wasm')).equals(readFileSync(inFolder('ß.wasm')))).toBe(true);
  });

  /** @type {[string, string[], string][]} */
  const refused = [
    ['a signed file', ['ß.wasm', '--key', 'own.pem'], 'ß.wasm is signed already'],
    ['what is no plugin', ['own.pem', '--key', 'own.pem'], 'own.pem is neither WebAssembly nor ELF'],
    ['with a public key', ['swish.wasm', '--key', 'own.pub.pem'], 'sign: own.pub.pem: PEM text must hold a PRIVATE KEY, not a PUBLIC KEY'],
    ['with what is no key', ['swish.wasm', '--key', 'swish.wasm'], 'sign: swish.wasm: PEM text must hold one key'],
    ['to write over a key', ['swish.wasm', '--key', 'own.pem', '--out', 'own.pem'], 'own.pem holds a key, which is not written over'],
    ['to write over a folder', ['swish.wasm', '--key', 'own.pem', '--out', '.'], ' is a folder'],
  ];
  test.each(refused)('refuses %s', async (_, args, message) => {
    const { code, stdout, stderr } = await minitensor(['sign', ...args], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('verify', () => {
  test('accepts what one of the keys has signed', async () => {
    const keys = ['--key', 'other.pub.pem', '--key', 'own.pub.pem'];
    const { code, stdout, stderr } = await minitensor(['verify', 'ß.wasm', ...keys], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ß\.wasm is as the key [\w+/]{43}= has signed it\n$/);
  });

  test('refuses what another key has signed, what is not signed, and what was changed', async () => {
    const changed = readFileSync(inFolder('ß.wasm'));
    changed.set([(changed[60] ?? 0) ^ 1], 60);
    writeFileSync(inFolder('changed.wasm'), changed);
    for (const [file, key, message] of [
      ['ß.wasm', 'other.pub.pem', 'which is not the trusted key'],
      ['ß.wasm', 'own.pem', 'minitensor verify: own.pem: PEM text must hold a PUBLIC KEY, not a PRIVATE KEY'],
      ['swish.wasm', 'own.pub.pem', 'is not signed, and only signed files are accepted'],
      ['changed.wasm', 'own.pub.pem', 'has another content than the one that was signed'],
    ]) {
      const { code, stdout, stderr } = await minitensor(['verify', `${file}`, '--key', `${key}`], { cwd });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
    }
  });
});
