import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';

import { startServer } from '../../tools/server.js';
import { startBrowser } from './browser.js';
import { DemoPage } from './demo_page.js';

/** What the page says when nothing is left in the engine. */
export const NOTHING_ALIVE = '0 plugins, 0 custom ops, 0 layers, 0 tensors, 0 bytes of numbers';

/**
 * What the tests of a file share: a server, a browser, and for each test a page that has just been opened. No test may
 * leave a problem in its page.
 */
class DemoSite {
  /** @type {Awaited<ReturnType<typeof startBrowser>> | undefined} */
  #chromium;
  /** @type {Awaited<ReturnType<typeof startServer>> | undefined} */
  #server;
  /** @type {DemoPage | undefined} */
  #page;

  async start() {
    this.#server = await startServer();
    this.#chromium = await startBrowser();
  }

  async stop() {
    await this.#chromium?.close();
    await this.#server?.close();
  }

  /** @param {string} [address] where the page is, if not on the site */
  async open(address = this.url) {
    if (!this.#chromium) throw new Error('the browser has not started');
    await this.#page?.close();
    this.#page = await DemoPage.open(this.#chromium.browser, address);
    return this.#page;
  }

  async closePage() {
    const page = this.#page;
    this.#page = undefined;
    // Before it is closed, which ends requests that it still has.
    const problems = [...(page?.problems ?? [])];
    await page?.close();
    expect(problems).toEqual([]);
  }

  get url() {
    if (!this.#server) throw new Error('the server has not started');
    return this.#server.url;
  }

  get page() {
    if (!this.#page) throw new Error('no page is open');
    return this.#page;
  }
}

/** To be called once in a test file. */
export function demoSite() {
  const site = new DemoSite();
  beforeAll(() => site.start(), 60_000);
  afterAll(() => site.stop());
  beforeEach(async () => {
    await site.open();
  });
  afterEach(() => site.closePage());
  return site;
}
