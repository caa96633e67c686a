import { noteProblems } from './browser.js';

/** @typedef {import('puppeteer-core').Page} Page */

/** The demo page, through what is shown in it and its own controls. */
export class DemoPage {
  /** @readonly */
  page;
  /** What went wrong in the page. @readonly */
  problems;

  /**
   * @param {Page} page
   * @param {string[]} problems
   */
  constructor(page, problems) {
    this.page = page;
    this.problems = problems;
  }

  /**
   * Opens the page with nothing of earlier tests, and waits for its engine.
   * @param {import('puppeteer-core').Browser} browser
   * @param {string} address
   */
  static async open(browser, address) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const demo = new DemoPage(page, await noteProblems(page));
    try {
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(address);
      await demo.waitForText('#engine-status', /^Engine ready/);
      return demo;
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  async close() {
    await this.page.browserContext().close();
  }

  /**
   * The text that an element shows; empty for one that is hidden.
   * @param {string} selector
   * @returns {Promise<string>}
   */
  text(selector) {
    return this.page.$eval(selector, (found) => (/** @type {HTMLElement} */ (found).innerText));
  }

  /**
   * Waits until an element shows this.
   * @param {string} selector
   * @param {RegExp} pattern
   */
  async waitForText(selector, pattern) {
    try {
      await this.page.waitForFunction(
        (wanted, source, flags) => {
          const found = document.querySelector(wanted);
          return found instanceof HTMLElement && new RegExp(source, flags).test(found.innerText);
        },
        { timeout: 15_000 },
        selector,
        pattern.source,
        pattern.flags,
      );
    } catch (cause) {
      throw new Error(`${selector} does not come to show ${pattern}.\n${await this.report()}`, { cause });
    }
  }

  /** What there is to see, for messages. */
  async report() {
    const shown = await this.text('body').catch((error) => `(cannot be read: ${error})`);
    return `Problems: ${this.problems.join('; ') || 'none'}\nThe page shows:\n${shown}`;
  }

  /**
   * @param {string} selector
   * @returns {Promise<boolean>}
   */
  isVisible(selector) {
    return this.page.evaluate((wanted) => document.querySelector(wanted)?.checkVisibility() ?? false, selector);
  }

  /** @param {'swish' | 'rmsnorm'} name */
  async chooseExample(name) {
    await this.page.click(`[data-example=${name}]`);
    await this.waitForText('#inspection h3', new RegExp(`^${name} `));
  }

  /** @param {string} file */
  async chooseFile(file) {
    const picker = /** @type {import('puppeteer-core').ElementHandle<HTMLInputElement>} */ (await this.page.$('#file'));
    await picker.uploadFile(file);
  }

  /** @param {string} name of the plugin that is chosen */
  async load(name) {
    await this.page.click('#load');
    await this.waitForText('#loaded', new RegExp(`^${name} `, 'm'));
  }

  /** @param {string} name */
  async unload(name) {
    await this.page.click(`[aria-label="Unload ${name}"]`);
    await this.page.waitForSelector(`[data-plugin="${name}"]`, { hidden: true });
  }

  /**
   * Chooses what to run by how it is called.
   * @param {string} label
   */
  async target(label) {
    const value = await this.page.$$eval(
      '#target option',
      (options, wanted) => options.find((option) => option.textContent === wanted)?.value,
      label,
    );
    if (value === undefined) throw new Error(`"${label}" cannot be chosen.\n${await this.report()}`);
    await this.page.select('#target', value);
  }

  /** @returns {Promise<(string | null)[]>} */
  targets() {
    return this.page.$$eval('#target option', (options) => options.map((option) => option.textContent));
  }

  /**
   * @param {string} input its name
   * @param {'typed' | 'line' | 'random'} mode
   */
  async mode(input, mode) {
    await this.page.click(`[data-input="${input}"] input[value="${mode}"]`);
  }

  /**
   * Replaces what is in a field.
   * @param {string} selector
   * @param {string} text
   */
  async fill(selector, text) {
    await this.page.focus(selector);
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('KeyA');
    await this.page.keyboard.up('Control');
    await this.page.keyboard.press('Backspace');
    await this.page.type(selector, text);
  }

  /**
   * @param {string} input its name
   * @param {string} numbers
   */
  async typeNumbers(input, numbers) {
    await this.mode(input, 'typed');
    await this.fill(`[data-input="${input}"] textarea`, numbers);
  }

  /** Runs, and waits for a result. */
  async run() {
    await this.page.click('#run-button');
    await this.waitForText('#run-status', /^Result/);
  }

  /**
   * The numbers shown as the result, row after row.
   * @returns {Promise<number[]>}
   */
  async result() {
    const texts = await this.page.$$eval('#numbers td.result', (cells) => cells.map((cell) => cell.textContent));
    // Here, since NaN does not come through.
    return texts.map(Number);
  }

  /** How many points are drawn, in all lines. */
  drawnPoints() {
    return this.page.$$eval('#plot svg path.curve', (paths) =>
      paths.reduce((sum, path) => sum + (path.getAttribute('d')?.match(/[ML]/g)?.length ?? 0), 0),
    );
  }

  memory() {
    return this.text('#memory');
  }

  /** What has the focus, as a selector would say it. */
  focus() {
    return this.page.evaluate(() => {
      const { activeElement: active } = document;
      if (!active) return 'nothing';
      if (active.id) return `#${active.id}`;
      return `${active.localName} "${active.getAttribute('aria-label') ?? active.textContent}"`;
    });
  }

  /**
   * Presses Tab until an element has the focus, and checks that one sees where it is on the way.
   * @param {string} selector
   * @param {{ backwards?: boolean }} [options]
   */
  async tabTo(selector, { backwards = false } = {}) {
    const visited = [];
    for (let i = 0; i < 60; i++) {
      if (backwards) await this.page.keyboard.down('Shift');
      await this.page.keyboard.press('Tab');
      if (backwards) await this.page.keyboard.up('Shift');
      const name = await this.focus();
      visited.push(name);
      if (!(await this.focusIsVisible())) throw new Error(`nobody sees that ${name} has the focus`);
      if (await this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    }
    throw new Error(`Tab does not come to ${selector}, but to ${visited.join(', ')}.\n${await this.report()}`);
  }

  /** The element with the focus, or for an invisible control what stands behind it, has an outline. */
  focusIsVisible() {
    return this.page.evaluate(() => {
      const { activeElement: active } = document;
      // Between the end of the page and its beginning.
      if (!active || active === document.body) return true;
      const shown = getComputedStyle(active).opacity === '0' ? active.nextElementSibling : active;
      return shown !== null && getComputedStyle(shown).outlineStyle !== 'none';
    });
  }
}
