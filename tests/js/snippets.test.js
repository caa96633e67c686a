/*
 * Every JavaScript snippet of the documentation runs, and prints what its comments say.
 */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { runExample } from './support/promised_output.js';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * The fenced blocks of a language. A block marked `no-run` is a fragment.
 * @param {string} markdown
 */
function snippets(markdown) {
  return [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
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
        expect((await runExample(script, source)).missing).toEqual([]);
      } finally {
        await rm(folder, { recursive: true });
      }
    }
  });
});
