import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

import puppeteer from 'puppeteer-core';

import { findBrowser } from '../../tools/setup/browser.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts a headless Chromium with a profile of its own.
 * @returns {Promise<{ browser: import('puppeteer-core').Browser, close: () => Promise<void> }>}
 */
export async function startBrowser() {
  const executablePath = findBrowser(process.env);
  if (!executablePath) throw new Error('there is no Chromium here: install one, or set CHROMIUM_PATH');
  const profile = await mkdtemp(path.join(os.tmpdir(), 'minitensor-chromium-'));
  const removeProfile = () => rm(profile, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await puppeteer.launch({ executablePath, headless: true, userDataDir: profile, args: FLAGS });
    return {
      browser,
      close: async () => {
        await browser.close();
        await removeProfile();
      },
    };
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

/**
 * Notes everything that goes wrong in a page: errors in the console, exceptions, violations of its security policy,
 * requests without a good answer.
 * @param {import('puppeteer-core').Page} page that has loaded nothing yet
 * @returns {Promise<string[]>} to which notes are added
 */
export async function noteProblems(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warn', 'assert'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error}`));
  page.on('requestfailed', (request) => {
    problems.push(`request: ${request.url()} failed: ${request.failure()?.errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`request: ${response.url()} was answered ${response.status()}`);
  });
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`security policy: ${violatedDirective} forbids ${blockedURI}`);
    });
  });
  return problems;
}
