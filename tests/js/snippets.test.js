/*
 * Every JavaScript snippet of the documentation runs, and prints what its comments say.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, test } from '@jest/globals';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

/**
 * The fenced blocks of a language. A block marked `no-run` is a fragment.
 * @param {string} markdown
 */
function snippets(markdown) {
  return [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
}

/**
 * The outputs that comments behind console.log promise; … stands for anything.
 * @param {string} source
 */
function promises(source) {
  return [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1] ?? '');
}

/**
 * Without the quotes and brackets in which consoles and people differ.
 * @param {string} text
 */
function comparable(text) {
  return text.replaceAll(/[[\](){}'"\s,]+/g, ' ').trim();
}

/** @param {string} promise */
function pattern(promise) {
  const parts = comparable(promise)
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^$|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

const guides = (await readdir(path.join(root, 'docs'))).filter((name) => name.endsWith('.md'));
const files = ['README.md', ...guides.map((name) => `docs/${name}`)];

describe.each(files)('%s', (file) => {
  test('runs every snippet, and each prints what it says', async () => {
    const markdown = await readFile(path.join(root, file), 'utf8');
    for (const source of snippets(markdown)) {
      // In the project's own folder, so that the package is found by its name.
      const folder = await mkdtemp(path.join(root, 'build', 'snippet-'));
      try {
        const script = path.join(folder, 'snippet.mjs');
        await writeFile(script, source);
        const { stdout } = await run(process.execPath, [script]);
        const lines = stdout.split('\n').map(comparable);
        for (const promise of promises(source)) {
          expect(lines).toContainEqual(expect.stringMatching(pattern(promise)));
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    }
  });
});
