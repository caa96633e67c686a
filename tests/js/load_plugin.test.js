/*
 * Loading from servers, within limits, and at the same time. tests/js/plugins.test.js has what plugins do, and the
 * kinds of files that are none.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PluginError, ValueError } from 'minitensor';
import { generateSigningKeys, signPlugin } from 'minitensor/signature';

import { initMeasured } from './support/core_memory.js';
import { expectError, expectPluginError, rejectionOf, wrong } from './support/errors.js';
import { instanceForTests, stateOf } from './support/instance.js';
import { bytesOf, examplePlugin, testPlugin } from './support/plugin_files.js';
import { PluginServer } from './support/plugin_server.js';

const mt = await instanceForTests();
const { plugins, customOps } = mt;

const SWISH = examplePlugin('swish');
const bytes = bytesOf(SWISH);
const compiled = await WebAssembly.compile(bytes);

const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-load-'));
const server = new PluginServer(bytes);
beforeAll(() => server.start());
afterAll(() => {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** @param {string} name */
const url = (name) => `${server.origin}/${name}`;

/** That swish is loaded and right; it is unloaded. */
function expectSwishAndUnload() {
  expect(plugins.listPlugins().map(String)).toEqual(['swish 1.0.0']);
  const values = mt.tidy(() => customOps.execute('swish', [[-1, 0, 2]], { beta: 1 }).toArray());
  expect(values).toEqual([-1, 0, 2].map((x) => expect.closeTo(x / (1 + Math.exp(-x)), 6)));
  plugins.unloadPlugin('swish');
}

/**
 * Loads what cannot be loaded: everything is as before, and swish can be loaded in the same way.
 * @param {unknown} source
 * @param {import('minitensor').LoadOptions} [options]
 */
async function failureOf(source, options) {
  const before = stateOf(mt);
  const error = await rejectionOf(plugins.loadPlugin(wrong(source), options));
  expect(stateOf(mt)).toEqual(before);
  await plugins.loadPlugin(SWISH);
  expectSwishAndUnload();
  return error;
}

describe('loadPlugin from a server', () => {
  test.each(['plugin.wasm', 'moved.wasm', 'encoded.wasm'])('loads %s', async (name) => {
    await plugins.loadPlugin(url(name));
    expectSwishAndUnload();
  });

  /** @type {[string, string, string, RegExp, RegExp][]} */
  const failures = [
    ['a page instead of a file', 'page.wasm', 'read',
      /page\.wasm is an HTML page, not a plugin; the server answered 200, with content type "text\/html"$/, /address/],
    ['a redirect to a page', 'lost.wasm', 'read',
      /page\.wasm \(where http\S+\/lost\.wasm redirects to\) is an HTML page.*answered 200/, /address/],
    ['a missing file', 'missing.wasm', 'fetch',
      /missing\.wasm cannot be read: the server answered 404, with content type "text\/html"$/, /address/],
    ['a server that fails', 'fails.wasm', 'fetch', /fails\.wasm cannot be read: the server answered 500/, /try again later/],
    ['no content', 'nothing.wasm', 'read', /nothing\.wasm is empty.*answered 204, with no content type/, /./],
    ['redirects without an end', 'circle.wasm', 'fetch', /circle\.wasm cannot be read: .*redirect/, /address/],
    ['a redirect to nowhere', 'astray.wasm', 'fetch', /astray\.wasm cannot be read: .*(127\.0\.0\.1:9|bad port)/, /server/],
    ['a file that was packed', 'packed.wasm', 'read', /packed\.wasm is a gzip file/, /./],
    ['a library of the machine', 'library.so', 'read', /library\.so .*ELF/, /./],
    ['a connection that ends early', 'cut.wasm', 'fetch',
      new RegExp(`cut\\.wasm cannot be read: after \\d+ of ${bytes.length} bytes: `), /try again/],
    ['a server that says less than it has', 'understated.wasm', 'read', /understated\.wasm is a truncated/, /completely/],
  ];
  test.each(failures)('tells of %s', async (_, name, phase, message, hint) => {
    const error = expectPluginError(await failureOf(url(name)), phase, message);
    expect(error.message).toContain(server.origin);
    expect(error.hint).toMatch(hint);
  });

  test('tells of a server that is not there, with what is behind it', async () => {
    // A port that was free just now.
    const gone = new PluginServer(bytes);
    await gone.start();
    const address = `${gone.origin}/x.wasm`;
    gone.stop();
    const error = expectPluginError(await failureOf(address), 'fetch', `plugin file ${address} cannot be read: `);
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.hint).toMatch(/server is running/);
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('shows no more than the beginning of a data: URL', async () => {
    const error = expectPluginError(await failureOf(`data:text/html,<html>${'x'.repeat(10_000)}`), 'read', /HTML page/);
    expect(error.message.length).toBeLessThan(300);
  });
});

describe('no message shows', () => {
  test('a password that stands in an address', async () => {
    const address = url('plugin.wasm').replace('://', '://someone:secret@');
    const error = expectPluginError(await failureOf(address), 'fetch', /name or password$/);
    expect(error.message).toContain(url('plugin.wasm'));
    expect(error.hint).toContain('authorization');
    expect(`${error.message} ${error.hint} ${error.cause}`).not.toMatch(/someone|secret/);
  });

  test('control characters, which a name may contain', async () => {
    const name = 'no\u001b[2J\u202e\nsuch.wasm';
    const shown = 'no\\u{1b}[2J\\u{202e}\\u{a}such.wasm';
    for (const source of [path.resolve(name), new File(['x'], name)]) {
      const error = expectPluginError(await failureOf(source), source instanceof File ? 'read' : 'fetch', shown);
      expect(error.message).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});

describe('loadPlugin takes', () => {
  /** @type {[string, () => unknown][]} */
  const sources = [
    ['a fetch under way', () => fetch(url('plugin.wasm'))],
    ['a promise of bytes', () => Promise.resolve(bytes)],
    ['anything that has a then', () => ({ then: (/** @type {(value: unknown) => void} */ keep) => keep(SWISH) })],
    ['a File', () => new File([bytes], 'swish.wasm')],
    ['a WebAssembly.Module', () => compiled],
    ['a promise of a WebAssembly.Module', () => WebAssembly.compileStreaming(fetch(url('plugin.wasm')))],
    ['an ArrayBuffer of another realm', () => vm.runInNewContext('Uint8Array.from(bytes).buffer', { bytes })],
    ['a view of another realm', () => vm.runInNewContext('new DataView(Uint8Array.from(bytes).buffer)', { bytes })],
    ['a WebAssembly.Module of another realm', () => vm.runInNewContext('new WebAssembly.Module(bytes)', { bytes })],
    ['a resizable buffer', () => {
      const buffer = Reflect.construct(ArrayBuffer, [bytes.length, { maxByteLength: 2 * bytes.length }]);
      new Uint8Array(buffer).set(bytes);
      return buffer;
    }],
  ];
  test.each(sources)('%s', async (_, source) => {
    await plugins.loadPlugin(wrong(source()));
    expectSwishAndUnload();
  });

  test('a module with layers, again and again', async () => {
    const module = await WebAssembly.compile(bytesOf(examplePlugin('rmsnorm')));
    for (let i = 0; i < 3; i++) {
      expect(String(await plugins.loadPlugin(module))).toBe('rmsnorm 1.0.0');
      const layer = plugins.createLayer('RMSNorm', { size: 2 });
      expect(mt.tidy(() => layer.forward([[1, 1]]).toArray())).toEqual([expect.closeTo(1, 4), expect.closeTo(1, 4)]);
      layer.dispose();
      plugins.unloadPlugin('rmsnorm');
    }
  });

  test.each(['cpp_plugin', 'mixed', 'all_attributes', 'static_state'])('the module of %s', async (name) => {
    await plugins.loadPlugin(await WebAssembly.compile(bytesOf(testPlugin(name))));
    expect(plugins.isPluginLoaded(name)).toBe(true);
    plugins.unloadPlugin(name);
  });
});

describe('loadPlugin refuses', () => {
  test('a module that is no plugin, and one that would not load', async () => {
    const empty = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
    expectPluginError(await failureOf(empty), 'read', '<WebAssembly.Module> is a WebAssembly module, but not a side');
    const missing = await WebAssembly.compile(bytesOf(testPlugin('missing_import')));
    const error = expectPluginError(await failureOf(missing), 'imports', 'host_of_nothing');
    expect([...error.symbols].sort()).toEqual(['another_missing', 'host_of_nothing']);
    const older = await WebAssembly.compile(bytesOf(testPlugin('needs_newer')));
    expectPluginError(await failureOf(older), 'version', '99.0.0');
  });

  test('a module when its integrity is to be checked', async () => {
    const error = expectPluginError(await failureOf(compiled, { integrity: hashOf('sha256') }), 'integrity', 'WebAssembly.Module');
    expect(error.hint).toMatch(/bytes/);
  });

  test('a promise that is rejected', async () => {
    const cause = new Error('no luck');
    const error = expectPluginError(await failureOf(Promise.reject(cause)), 'fetch', /promise .*rejected: no luck$/);
    expect(error.cause).toBe(cause);
  });

  test('a promise of what is no source', async () => {
    expectError(await failureOf(Promise.resolve(5)), TypeError, 'source must be a path');
  });

  test('a buffer that was transferred away', async () => {
    const copy = bytes.slice();
    structuredClone(copy, { transfer: [copy.buffer] });
    for (const source of [copy, copy.buffer]) {
      const error = expectPluginError(await failureOf(source), 'fetch', '<bytes> cannot be read: ');
      expect(error.message).toContain('detached');
      expect(error.hint).toMatch(/transferred/);
    }
  });

  test('a Response that somebody else reads, or has read', async () => {
    const read = new Response(bytes);
    await read.arrayBuffer();
    expectPluginError(await failureOf(read), 'fetch', 'read already');
    const locked = new Response(bytes);
    locked.body?.getReader();
    expect(expectPluginError(await failureOf(locked), 'fetch', 'read already').hint).toContain('clone()');
  });

  test('a Response that streams no bytes', async () => {
    const stream = new ReadableStream({ start: (controller) => controller.enqueue('text') });
    expectPluginError(await failureOf(new Response(stream)), 'fetch', 'its stream gave "text", not bytes');
  });

  test('a file that is no regular one, without waiting for it', async () => {
    expectPluginError(await failureOf('/dev/zero'), 'fetch', '/dev/zero cannot be read: it is not a regular file');
  });
});

/** @param {string} algorithm */
const hashOf = (algorithm) => `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;
const otherHash = (/** @type {string} */ algorithm) => `${algorithm}-${createHash(algorithm).update('other').digest('base64')}`;

describe('option integrity', () => {
  test.each(['sha256', 'sha384', 'sha512'])('of %s lets the file through, and no other', async (algorithm) => {
    await plugins.loadPlugin(SWISH, { integrity: hashOf(algorithm) });
    expectSwishAndUnload();
    const error = expectPluginError(await failureOf(SWISH, { integrity: otherHash(algorithm) }), 'integrity', SWISH);
    expect(error.message).toContain(`its hash is ${hashOf(algorithm)}, not ${otherHash(algorithm)}`);
    expect(error.hint).toMatch(/changed/);
  });

  test('takes several hashes, of which those of the strongest algorithm count', async () => {
    const all = [otherHash('sha256'), otherHash('sha384'), hashOf('sha384'), 'md5-AAAA'].join('\n\t ');
    await plugins.loadPlugin(SWISH, { integrity: all });
    expectSwishAndUnload();
    const weaker = `${hashOf('sha256')} ${otherHash('sha512')}`;
    expectPluginError(await failureOf(SWISH, { integrity: weaker }), 'integrity', otherHash('sha512'));
  });

  test('takes options after the hash, and the alphabet of URLs', async () => {
    const integrity = `${hashOf('sha256').replaceAll('+', '-').replaceAll('/', '_')}?ct=application/wasm`;
    await plugins.loadPlugin(SWISH, { integrity });
    expectSwishAndUnload();
  });

  test('is about the bytes as they were at the call', async () => {
    const copy = bytes.slice();
    const loading = plugins.loadPlugin(copy, { integrity: hashOf('sha512') });
    copy.fill(0);
    await loading;
    expectSwishAndUnload();
  });

  test('is checked before the file is looked into', async () => {
    const integrity = hashOf('sha256');
    expectPluginError(await failureOf(testPlugin('missing_import'), { integrity }), 'integrity', 'missing_import');
    const error = expectPluginError(await failureOf(url('page.wasm'), { integrity }), 'integrity', 'page.wasm');
    expect(error.message).toMatch(/the server answered 200, with content type "text\/html"$/);
  });
});

describe('option trustedKeys', () => {
  test('lets through what one of the keys has signed, and nothing else', async () => {
    const [ours, theirs] = [await generateSigningKeys(), await generateSigningKeys()];
    const signed = await signPlugin(bytes, ours.privateKey);
    for (const source of [signed, new Blob([signed]), new Response(signed)]) {
      await plugins.loadPlugin(source, { trustedKeys: [theirs.publicKey, ours.publicKey] });
      expectSwishAndUnload();
    }
    const trustedKeys = [theirs.publicKey];
    expectPluginError(await failureOf(signed, { trustedKeys }), 'signature', 'which is not the trusted key');
    expectPluginError(await failureOf(SWISH, { trustedKeys }), 'signature', `${SWISH} is not signed`);
    expectPluginError(await failureOf(testPlugin('missing_import'), { trustedKeys }), 'signature', 'is not signed');
    const page = expectPluginError(await failureOf(url('page.wasm'), { trustedKeys }), 'signature', 'is not signed');
    expect(page.message).toMatch(/the server answered 200, with content type "text\/html"$/);
    const changed = signed.slice();
    changed.set([Number(changed[300]) ^ 1], 300);
    expectPluginError(await failureOf(changed, { trustedKeys: [ours.publicKey] }), 'signature', 'another content');
    const error = expectPluginError(await failureOf(compiled, { trustedKeys }), 'signature', 'WebAssembly.Module');
    expect(error.hint).toMatch(/bytes/);
  });

  test('is about the bytes as they were at the call', async () => {
    const { privateKey, publicKey } = await generateSigningKeys();
    const signed = await signPlugin(bytes, privateKey);
    const loading = plugins.loadPlugin(signed, { trustedKeys: [publicKey] });
    signed.fill(0);
    await loading;
    expectSwishAndUnload();
  });

  test('shares a load among those who trust the same keys only', async () => {
    const { privateKey, publicKey } = await generateSigningKeys();
    const file = path.join(folder, 'signed.wasm');
    writeFileSync(file, await signPlugin(bytes, privateKey));
    const other = (await generateSigningKeys()).publicKey;
    const results = await Promise.allSettled([[publicKey], [publicKey], [other]].map((trustedKeys) =>
      plugins.loadPlugin(file, { trustedKeys })));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expectSwishAndUnload();
  });
});

describe('option name', () => {
  test('must be the plugin\'s own', async () => {
    await plugins.loadPlugin(SWISH, { name: 'swish' });
    expectSwishAndUnload();
    const error = expectPluginError(await failureOf(SWISH, { name: 'rmsnorm' }), 'metadata', 'is plugin "swish", not "rmsnorm"');
    expect(error.plugin).toBe('swish');
  });
});

describe('option maxBytes', () => {
  test('lets through what has just that size, whatever it comes from', async () => {
    for (const source of [SWISH, url('plugin.wasm'), bytes, new Blob([bytes]), new Response(bytes)]) {
      await plugins.loadPlugin(source, { maxBytes: bytes.length });
      expectSwishAndUnload();
    }
  });

  test('refuses what has one byte more, whatever it comes from', async () => {
    const maxBytes = bytes.length - 1;
    for (const source of [SWISH, url('plugin.wasm'), url('encoded.wasm'), bytes, new Blob([bytes]), new Response(bytes)]) {
      const error = expectPluginError(await failureOf(source, { maxBytes }), 'fetch', `maxBytes is ${maxBytes}`);
      if (source === SWISH) expect(error.message).toContain(`too large: it has ${bytes.length} bytes`);
      expect(error.hint).toMatch(/larger maxBytes/);
    }
  });

  test('ends an answer that is announced as too large, and one without an end', async () => {
    expectPluginError(await failureOf(url('announced.wasm')), 'fetch',
      /announced\.wasm is too large: it has 1000000000000 bytes, as the server says, and maxBytes is 67108864/);
    expectPluginError(await failureOf(url('endless.wasm'), { maxBytes: 100_000 }), 'fetch', /endless\.wasm is too large/);
    await server.idle();
  });
});

describe('option base', () => {
  test('is where a relative address starts', async () => {
    const directory = path.dirname(SWISH);
    /** @type {[string, string | URL][]} */
    const pairs = [
      ['swish.wasm', directory],
      ['./swish.wasm', path.relative(process.cwd(), directory)],
      ['../plugins/swish.wasm', directory],
      ['swish.wasm', pathToFileURL(`${directory}/index.js`)],
      ['./swish.wasm', pathToFileURL(`${directory}/index.js`).href],
      ['plugin.wasm', `${server.origin}/page.html`],
      ['/plugin.wasm', new URL(`${server.origin}/some/where/`)],
    ];
    for (const [address, base] of pairs) {
      await plugins.loadPlugin(address, { base });
      expectSwishAndUnload();
    }
  });

  test('does nothing to an absolute address', async () => {
    for (const source of [SWISH, pathToFileURL(SWISH), url('plugin.wasm')]) {
      await plugins.loadPlugin(source, { base: '/nowhere' });
      expectSwishAndUnload();
    }
  });

  test('names the whole address when nothing is there', async () => {
    expectPluginError(await failureOf('x.wasm', { base: folder }), 'fetch', `plugin file ${folder}/x.wasm cannot be read: ENOENT`);
    const error = expectPluginError(await failureOf('http:'), 'fetch', '"http:" cannot be read: the address leads nowhere');
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

describe('option signal', () => {
  test('may be that of many loads', async () => {
    /** @type {Error[]} */
    const warnings = [];
    const hear = (/** @type {Error} */ warning) => warnings.push(warning);
    process.on('warning', hear);
    const { signal } = new AbortController();
    const loads = Array.from({ length: 30 }, () => plugins.inspectPlugin(SWISH, { signal }));
    await Promise.all(loads);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });

  const reason = new Error('enough');

  test('that is aborted already keeps anything from beginning', async () => {
    const count = server.requests.length;
    expect(await failureOf(url('plugin.wasm'), { signal: AbortSignal.abort(reason) })).toBe(reason);
    expect(server.requests.length).toBe(count);
  });

  test('rejects with a DOMException when it has no reason of its own', async () => {
    expect(await failureOf(SWISH, { signal: AbortSignal.abort() })).toMatchObject({ name: 'AbortError' });
  });

  test.each(['silent.wasm', 'stalls.wasm', 'endless.wasm'])('ends the request for %s', async (name) => {
    const controller = new AbortController();
    const loading = plugins.loadPlugin(url(name), { signal: controller.signal, maxBytes: 2 ** 40 });
    while (!server.requests.includes(`/${name}`)) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(reason);
    expect(await rejectionOf(loading)).toBe(reason);
    await server.idle();
    await plugins.loadPlugin(SWISH);
    expectSwishAndUnload();
  });

  test('ends a load at any time before the plugin runs, and not after', async () => {
    let ended = 0;
    let loaded = 0;
    for (let turns = 0; loaded < 3; turns++) {
      const before = stateOf(mt);
      const controller = new AbortController();
      const loading = plugins.loadPlugin(bytes, { signal: controller.signal, integrity: hashOf('sha256') });
      const result = loading.then(() => true, (error) => error);
      // Some microtasks, then some turns of the event loop, then time.
      for (let i = 0; i < Math.min(turns, 10); i++) await null;
      for (let i = 10; i < Math.min(turns, 30); i++) await new Promise((resolve) => setImmediate(resolve));
      if (turns > 30) await new Promise((resolve) => setTimeout(resolve, turns - 30));
      controller.abort(reason);
      if ((await result) === true) {
        loaded++;
        expectSwishAndUnload();
      } else {
        ended++;
        expect(await result).toBe(reason);
        // Also when what was under way has come to its end.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      expect(stateOf(mt)).toEqual(before);
    }
    expect(ended).toBeGreaterThan(0);
  });

  test('ends one that waits for others', async () => {
    const controller = new AbortController();
    const first = plugins.loadPlugin(bytesOf(examplePlugin('rmsnorm')));
    const second = plugins.loadPlugin(bytes, { signal: controller.signal });
    await Promise.resolve();
    controller.abort(reason);
    expect(await rejectionOf(second)).toBe(reason);
    await first;
    expect(plugins.listPlugins().map(String)).toEqual(['rmsnorm 1.0.0']);
    plugins.unloadPlugin('rmsnorm');
  });

  test('ends the wait for a promise', async () => {
    const controller = new AbortController();
    const loading = plugins.loadPlugin(new Promise(() => {}), { signal: controller.signal });
    controller.abort(reason);
    expect(await rejectionOf(loading)).toBe(reason);
  });

  test('has no listeners left afterwards', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (/** @type {Parameters<typeof add>} */ ...args) => {
        listeners++;
        add(...args);
      },
      removeEventListener: (/** @type {Parameters<typeof remove>} */ ...args) => {
        listeners--;
        remove(...args);
      },
    });
    await plugins.loadPlugin(SWISH, { signal });
    plugins.unloadPlugin('swish');
    await rejectionOf(plugins.loadPlugin(folder, { signal }));
    await Promise.resolve();
    expect(listeners).toBe(0);
  });
});

describe('option timeoutMs', () => {
  /** @type {[string, RegExp][]} */
  const slow = [
    ['silent.wasm', /silent\.wasm was not loaded within 60 ms \(option timeoutMs\): the server had not answered$/],
    ['stalls.wasm', /stalls\.wasm was not loaded within 60 ms \(option timeoutMs\): \d+ of \d+ bytes were there$/],
  ];
  test.each(slow)('ends the request for %s, and says how far it came', async (name, message) => {
    const error = expectPluginError(await failureOf(url(name), { timeoutMs: 60 }), 'fetch', message);
    expect(error.message).toContain(server.origin);
    expect(error.hint).toMatch(/more time/);
    await server.idle();
  });

  test('ends the wait for a promise', async () => {
    expectPluginError(await failureOf(new Promise(() => {}), { timeoutMs: 10 }), 'fetch', '<Promise> was not loaded within 10 ms');
  });

  test('does nothing to a load that is done in time', async () => {
    await plugins.loadPlugin(url('plugin.wasm'), { timeoutMs: 20_000 });
    expectSwishAndUnload();
  });
});

describe('loadPlugin checks its options first:', () => {
  /** @type {[string, unknown, new (...args: never[]) => Error, string | RegExp][]} */
  const cases = [
    ['null', null, TypeError, 'loadPlugin: options must be an object, not null'],
    ['text', 'x', TypeError, 'options must be an object, not "x"'],
    ['an array', [], TypeError, 'options must be an object, not an array'],
    ['an unknown name', { integrty: '' }, ValueError, /unknown option "integrty"; known are: base, .*integrity, .*name, signal, timeoutMs, trustedKeys/],
    ['an integrity that is no text', { integrity: 5 }, TypeError, 'option integrity must be a string, not 5'],
    ['an empty integrity', { integrity: ' ' }, ValueError, /no hash of sha256, sha384, sha512 in " "/],
    ['an integrity of unknown algorithms', { integrity: 'md5-AAAA sha1-AAAA' }, ValueError, 'no hash of sha256'],
    ['an integrity of the wrong length', { integrity: 'sha256-AAAA' }, ValueError, 'a digest of sha256 has 32 bytes, this has 3'],
    ['an integrity that is no base64', { integrity: 'sha384-???' }, ValueError, 'a digest of sha384 has 48 bytes, this has 0'],
    ['an integrity with wrong letters', { integrity: 'sha512-ä' }, ValueError, 'the digest is not base64'],
    ['one wrong integrity of two', { integrity: `${hashOf('sha512')} sha256-AAAA` }, ValueError, 'sha256-AAAA'],
    ['a name that is no text', { name: {} }, TypeError, 'option name must be a string, not an object'],
    ['maxBytes of text', { maxBytes: '5' }, TypeError, 'option maxBytes must be a number, not "5"'],
    ['maxBytes of 0', { maxBytes: 0 }, ValueError, 'option maxBytes must be a whole number from 1 to'],
    ['a fraction', { maxBytes: 1.5 }, ValueError, 'not 1.5'],
    ['timeoutMs of NaN', { timeoutMs: NaN }, ValueError, 'option timeoutMs must be a whole number from 1 to 2147483647'],
    ['timeoutMs without end', { timeoutMs: Infinity }, ValueError, 'not Infinity'],
    ['a signal that is none', { signal: { aborted: false } }, TypeError, 'option signal must be an AbortSignal, not an object'],
    ['keys that are no array', { trustedKeys: 'key' }, TypeError, 'option trustedKeys must be an array, not "key"'],
    ['no keys', { trustedKeys: [] }, ValueError, 'option trustedKeys is empty'],
    ['a key that is none', { trustedKeys: ['key'] }, ValueError, 'option trustedKeys[0] is neither PEM text nor base64'],
    ['a base that is no text', { base: 5 }, TypeError, 'option base must be a string, not 5'],
  ];
  test.each(cases)('%s', async (_, options, Class, message) => {
    const count = server.requests.length;
    expectError(await failureOf(url('plugin.wasm'), wrong(options)), Class, message);
    expect(server.requests.length).toBe(count);
  });

  test('and takes those that are undefined as left out', async () => {
    const options = { base: undefined, integrity: undefined, maxBytes: undefined, name: undefined, signal: undefined };
    await plugins.loadPlugin(SWISH, { ...options, timeoutMs: undefined });
    expectSwishAndUnload();
  });
});

describe('loads at the same time', () => {
  test('of one source, asked for in the same way, are one', async () => {
    const sources = [url('plugin.wasm'), SWISH, new Response(bytes), new Blob([bytes]), compiled, Promise.resolve(bytes)];
    for (const source of sources) {
      const count = server.requests.length;
      const loads = [1, 2, 3].map(() => plugins.loadPlugin(source, { name: 'swish' }));
      const infos = await Promise.all(loads);
      expect(infos.map(String)).toEqual(Array(3).fill('swish 1.0.0'));
      expect(server.requests.length - count).toBe(typeof source === 'string' && source.startsWith('http') ? 1 : 0);
      expectSwishAndUnload();
    }
  });

  test('are one for an address in any form', async () => {
    const relative = path.relative(process.cwd(), SWISH);
    const doubled = `${path.dirname(SWISH)}//./${path.basename(SWISH)}`;
    const sources = [relative, SWISH, `./${relative}`, doubled, pathToFileURL(SWISH), pathToFileURL(SWISH).href];
    const infos = await Promise.all(sources.map((source) => plugins.loadPlugin(source)));
    expect(infos.map(({ name }) => name)).toEqual(Array(sources.length).fill('swish'));
    expectSwishAndUnload();
  });

  test('of one source, asked for in other ways, are judged apart', async () => {
    const results = await Promise.allSettled([
      plugins.loadPlugin(SWISH, { integrity: otherHash('sha256') }),
      plugins.loadPlugin(SWISH, { name: 'other' }),
      plugins.loadPlugin(SWISH, { integrity: hashOf('sha256') }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expectSwishAndUnload();
  });

  test('end for the one who gives up, and not for the other', async () => {
    const controller = new AbortController();
    const source = url('plugin.wasm');
    const [one, two, three] = [{ signal: controller.signal }, {}, { timeoutMs: 10_000 }].map((options) =>
      plugins.loadPlugin(source, options));
    controller.abort('enough');
    expect(await rejectionOf(/** @type {Promise<unknown>} */ (one))).toBe('enough');
    await Promise.all([two, three]);
    expectSwishAndUnload();
  });

  test('begin afresh once all have given up', async () => {
    const source = url('stalls.wasm');
    const count = server.requests.length;
    const late = [plugins.loadPlugin(source, { timeoutMs: 30 }), plugins.loadPlugin(source, { timeoutMs: 60 })];
    const errors = await Promise.all(late.map(rejectionOf));
    expect(errors.map((error) => /** @type {Error} */ (error).message)).toEqual([
      expect.stringContaining('within 30 ms'), expect.stringContaining('within 60 ms'),
    ]);
    expect(server.requests.length - count).toBe(1);
    await server.idle();
    expectPluginError(await rejectionOf(plugins.loadPlugin(source, { timeoutMs: 30 })), 'fetch', 'within 30 ms');
    expect(server.requests.length - count).toBe(2);
  });

  test('do not wait for one that hangs', async () => {
    const controller = new AbortController();
    const hanging = plugins.loadPlugin(url('silent.wasm'), { signal: controller.signal });
    await plugins.loadPlugin(url('plugin.wasm'));
    expectSwishAndUnload();
    controller.abort('enough');
    expect(await rejectionOf(hanging)).toBe('enough');
  });

  test('of a plugin that is loaded from elsewhere meanwhile say so', async () => {
    const results = await Promise.allSettled([SWISH, url('plugin.wasm'), bytes].map((source) => plugins.loadPlugin(source)));
    const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(failed.length).toBe(2);
    for (const error of failed) expectPluginError(error, 'metadata', /plugin "swish" \(.*\) is loaded already, from .*(swish\.wasm|plugin\.wasm|<bytes>)$/);
    expectSwishAndUnload();
  });

  test('take one from the hands of another: load, unload and load in a callback', async () => {
    await plugins.loadPlugin(testPlugin('call_op_user'));
    /** @type {Promise<unknown>[]} */
    const loads = [];
    customOps.register({
      name: 'no_such_op',
      numInputs: 1,
      forward: ([x]) => {
        loads.push(plugins.loadPlugin(bytes));
        return x.add(1);
      },
    });
    customOps.execute('calls_unknown', [1]).dispose();
    await Promise.all(loads);
    customOps.unregister('no_such_op');
    plugins.unloadPlugin('call_op_user');
    expectSwishAndUnload();
  });

  test('end with the instance', async () => {
    const { init } = await import('minitensor');
    const other = await init();
    const loading = [SWISH, bytes, url('plugin.wasm')].map((source) => rejectionOf(other.plugins.loadPlugin(source)));
    other.close();
    for (const error of await Promise.all(loading)) expect(error).toMatchObject({ code: 'MT_CLOSED' });
    expect(await rejectionOf(other.plugins.loadPlugin(SWISH))).toMatchObject({ code: 'MT_CLOSED' });
  });
});

test('nothing of the core grows with loads that fail', async () => {
  const { mt: other, measure } = await initMeasured();
  const modules = [];
  for (const name of ['init_fails', 'bad_op', 'faults_in_constructor']) {
    modules.push(await WebAssembly.compile(bytesOf(testPlugin(name))));
  }
  const bad = ['no_metadata', 'faults_in_constructor', 'wrong_abi', 'needs_newer', 'missing_import', 'create_fails', 'init_fails', 'bad_op', 'clash'];
  const notCompiled = bytes.slice();
  notCompiled.fill(0xff, -20);
  const inputs = [new Uint8Array(1_000_000), notCompiled, ...modules, ...bad.map((name) => bytesOf(testPlugin(name)))];
  const failAll = async () => {
    // Between its instantiation and its registration.
    const loading = other.plugins.loadPlugin(compiled);
    other.customOps.register({ name: 'swish', numInputs: 1, forward: ([x]) => x.add(1) });
    expectPluginError(await rejectionOf(loading), 'metadata', 'op "swish"');
    other.customOps.unregister('swish');
    for (const input of inputs) expect(await rejectionOf(other.plugins.loadPlugin(input))).toBeInstanceOf(PluginError);
    await other.plugins.loadPlugin(bytes);
    other.plugins.unloadPlugin('swish');
    const { bytes: memory, slots } = measure();
    return { memory, slots };
  };
  const first = await failAll();
  for (let i = 0; i < 30; i++) await failAll();
  expect(await failAll()).toEqual(first);
  other.close();
});

test('a file that was put right loads from the same address', async () => {
  const file = path.join(folder, 'later.wasm');
  expectPluginError(await failureOf(file), 'fetch', 'ENOENT');
  for (const content of ['<html>', bytesOf(testPlugin('missing_import')), bytesOf(testPlugin('init_fails'))]) {
    writeFileSync(file, content);
    expect(await failureOf(file)).toBeInstanceOf(PluginError);
  }
  writeFileSync(file, bytes);
  await plugins.loadPlugin(file);
  expectSwishAndUnload();
});
