/*
 * Loads plugins in a browser: under a strict content security policy, from this and from another origin, large files,
 * and isolated plugins. The page has a base of its own, and no other script than the package's.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { inProject } from '../../tools/project.js';
import { startBrowser } from './browser.js';

const POLICY = 'default-src \'none\'; script-src \'self\' \'wasm-unsafe-eval\'; worker-src \'self\'; connect-src ';
const PAGE = '<!doctype html><title>Tests</title><base href="/files/deep/"><link rel="icon" href="data:,">';

const swish = await readFile(inProject('dist/examples/plugins/swish.wasm'));
const hangs = await readFile(inProject('build/wasm-debug/test-plugins/hangs.wasm'));

/** Larger than what a browser's main thread compiles at once. A custom section, with its size in LEB128. */
const large = (() => {
  const content = Buffer.alloc(12 * 1024 * 1024);
  content.set([7, ...Buffer.from('padding')]);
  const size = [0, 7, 14, 21].map((shift) => ((content.length >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
  return Buffer.concat([swish, Buffer.from([0, ...size]), content]);
})();

/** @typedef {{ body: string | Uint8Array, headers: Record<string, string> }} Answer */

/**
 * @param {(path: string) => Promise<Answer | undefined>} answer
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
async function serve(answer) {
  const server = createServer(async ({ url = '' }, response) => {
    const found = await answer(url);
    if (found) response.writeHead(200, found.headers).end(found.body);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What the pages import. */
const ENTRY = '/dist/index.js';

const WASM = { 'Content-Type': 'application/wasm' };

/** @type {Awaited<ReturnType<typeof startBrowser>>} */
let chromium;
/** @type {Awaited<ReturnType<typeof serve>>} */
let site;
/** @type {Awaited<ReturnType<typeof serve>>} */
let other;
/** @type {import('puppeteer-core').Page} */
let page;

beforeAll(async () => {
  other = await serve(async (url) => {
    if (url === '/open.wasm') return { body: swish, headers: { ...WASM, 'Access-Control-Allow-Origin': '*' } };
    return url === '/closed.wasm' ? { body: swish, headers: WASM } : undefined;
  });
  site = await serve(async (url) => /** @type {Answer | undefined} */ (await answerOf(url)));
  chromium = await startBrowser();
}, 60_000);

/** What this origin has. @param {string} url */
async function answerOf(url) {
  const policy = `${POLICY}'self' ${other.origin}`;
  if (url === '/') return { body: PAGE, headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': policy } };
  if (url === '/files/deep/swish.wasm' || url === '/files/swish.wasm') return { body: swish, headers: WASM };
  if (url === '/files/deep/page.wasm') return { body: PAGE, headers: { 'Content-Type': 'text/html' } };
  if (url === '/files/deep/large.wasm') return { body: large, headers: WASM };
  if (url === '/files/deep/hangs.wasm') return { body: hangs, headers: WASM };
  if (!url.startsWith('/dist/')) return undefined;
  const type = url.endsWith('.wasm') ? WASM : { 'Content-Type': 'text/javascript' };
  // As a browser has it: a worker has the policy that comes with its script.
  const headers = { ...type, 'Content-Security-Policy': policy };
  return { body: await readFile(inProject(path.normalize(url).slice(1))), headers };
}

afterAll(async () => {
  await chromium?.close();
  site?.close();
  other?.close();
});

beforeEach(async () => {
  await page?.close();
  page = await chromium.browser.newPage();
  await page.goto(`${site.origin}/`);
});

/**
 * What comes of loading a plugin in the page, and then of running swish.
 * @param {string} source
 * @param {object} [options]
 */
function load(source, options = {}) {
  return page.evaluate(async (entry, address, given) => {
    /** @type {typeof import('../../dist/index.js')} */
    const { init, PluginError } = await import(entry);
    const mt = await init();
    try {
      const info = await mt.plugins.loadPlugin(address, given);
      const values = mt.customOps.execute('swish', [[0, 100]]).toArray();
      mt.plugins.unloadPlugin('swish');
      return { loaded: String(info), values };
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      return { message: error.message, phase: error.phase, hint: error.hint, memory: mt.memory() };
    }
  }, ENTRY, source, options);
}

const LOADED = { loaded: 'swish 1.0.0', values: [0, 100] };
const EMPTY = { tensors: 0, bytes: 0, layers: 0, ops: 0, plugins: 0 };

describe('loadPlugin in a page', () => {
  test.each(['swish.wasm', './swish.wasm', '../swish.wasm', '/files/swish.wasm'])(
    'starts at the base of the document: %s',
    async (address) => {
      expect(await load(address)).toEqual(LOADED);
    },
  );

  test('starts at option base, which may itself be relative', async () => {
    expect(await load('swish.wasm', { base: '../' })).toEqual(LOADED);
    expect(await load('deep/swish.wasm', { base: `${site.origin}/files/index.html` })).toEqual(LOADED);
  });

  test('compiles what is larger than 8 MB', async () => {
    expect(large.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(await load('large.wasm')).toEqual(LOADED);
  });

  test('tells of a page instead of a file, and of no file', async () => {
    expect(await load('page.wasm')).toMatchObject({
      phase: 'read',
      message: `plugin file ${site.origin}/files/deep/page.wasm is an HTML page, not a plugin; `
        + 'the server answered 200, with content type "text/html"',
      memory: EMPTY,
    });
    const nothing = await load('nothing.wasm');
    expect(nothing).toMatchObject({ phase: 'fetch', message: expect.stringContaining('answered 404') });
  });

  test('reads from another origin that allows it, and tells of one that does not', async () => {
    expect(await load(`${other.origin}/open.wasm`)).toEqual(LOADED);
    const refused = await load(`${other.origin}/closed.wasm`);
    expect(refused).toMatchObject({ phase: 'fetch', memory: EMPTY });
    expect(refused.message).toMatch(new RegExp(`^plugin file ${other.origin}/closed\\.wasm cannot be read: `));
    expect(refused.hint).toContain(`of another origin than the page, ${site.origin}`);
    expect(refused.hint).toContain('Access-Control-Allow-Origin');
  });

  test('tells of what the security policy forbids', async () => {
    const forbidden = await load('http://127.0.0.1:9/x.wasm');
    expect(forbidden).toMatchObject({ phase: 'fetch', hint: expect.stringContaining('connect-src') });
  });

  test('checks integrity', async () => {
    const digest = await page.evaluate(async () => {
      const bytes = await (await fetch('swish.wasm')).arrayBuffer();
      return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))));
    });
    expect(await load('swish.wasm', { integrity: `sha384-${digest}` })).toEqual(LOADED);
    expect(await load('swish.wasm', { integrity: `sha256-${'A'.repeat(43)}=` })).toMatchObject({ phase: 'integrity' });
  });

  test('takes answers, and says which it cannot look into', async () => {
    const results = await page.evaluate(async (entry, origin) => {
      /** @type {typeof import('../../dist/index.js')} */
      const { init } = await import(entry);
      const mt = await init();
      const sources = [
        fetch('swish.wasm'),
        WebAssembly.compileStreaming(fetch('swish.wasm')),
        new File([await (await fetch('swish.wasm')).blob()], 'chosen.wasm'),
        fetch(`${origin}/closed.wasm`, { mode: 'no-cors' }),
        new File(['<html>'], 'chosen.html'),
      ];
      /** @type {string[]} */
      const texts = [];
      for (const source of sources) {
        try {
          texts.push(String(await mt.plugins.loadPlugin(source)));
          mt.plugins.unloadPlugin('swish');
        } catch (error) {
          texts.push(String(error));
        }
      }
      return texts;
    }, ENTRY, other.origin);
    expect(results).toEqual([
      'swish 1.0.0', 'swish 1.0.0', 'swish 1.0.0',
      expect.stringContaining('mode "no-cors", which hides the content'),
      expect.stringContaining('plugin file chosen.html is an HTML page'),
    ]);
  });
});

describe('an isolated plugin in a page', () => {
  test('computes, is ended when it hangs, and is held to its memory', async () => {
    const result = await page.evaluate(async (entry) => {
      /** @type {typeof import('../../dist/index.js')} */
      const { init } = await import(entry);
      const mt = await init();
      const options = /** @type {const} */ ({ isolated: true, callTimeoutMs: 5000, maxMemoryBytes: 40 * 2 ** 20 });
      const plugin = await mt.plugins.loadPlugin('hangs.wasm', options);
      const twice = (await plugin.execute('twice', [[1, 2]])).toArray();
      const pages = (await plugin.execute('grow', [0])).item();
      const ended = await plugin.execute('hang', [0]).catch(String);
      const again = await mt.plugins.loadPlugin('hangs.wasm', { isolated: true });
      const state = [plugin.closed, again.closed];
      again.close();
      return { twice, pages, ended, state, main: mt.customOps.list(), left: mt.memory().plugins };
    }, ENTRY);
    expect(result).toEqual({
      twice: [2, 4],
      pages: (40 * 2 ** 20) / 65536,
      ended: 'PluginError: op "hang" of isolated plugin "hangs" took longer than 5000 ms (option callTimeoutMs); its '
        + 'worker was ended',
      state: [true, false],
      main: [],
      left: 0,
    });
  });

  test('that cannot be started says what a page must allow', async () => {
    const failing = await chromium.browser.newPage();
    await failing.setRequestInterception(true);
    failing.on('request', (request) => {
      if (request.url().endsWith('/isolated_worker.js')) request.respond({ status: 404, body: '' });
      else request.continue();
    });
    await failing.goto(`${site.origin}/`);
    const refused = await failing.evaluate(async (entry) => {
      /** @type {typeof import('../../dist/index.js')} */
      const { init, PluginError } = await import(entry);
      const { plugins } = await init();
      return plugins.loadPlugin('swish.wasm', { isolated: true }).then(
        () => null,
        (error) => error instanceof PluginError && { phase: error.phase, message: error.message, hint: error.hint },
      );
    }, ENTRY);
    expect(refused).toEqual({
      phase: 'isolate',
      message: expect.stringContaining('the worker for an isolated plugin cannot be started'),
      hint: expect.stringContaining('worker-src'),
    });
    await failing.close();
  });
});
