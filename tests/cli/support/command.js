import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { afterAll } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** @typedef {{ code: number | null, stdout: string, stderr: string }} Result */

/**
 * A folder for a test file, with a space and a letter of another language in its path.
 */
export function temporaryFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor cli ä '));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs `minitensor`, as the package has it.
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<Result>}
 */
export async function minitensor(args, { cwd, env = {} } = {}) {
  const own = { ...process.env, NODE_OPTIONS: '' };
  for (const name of ['FORCE_COLOR', 'NO_COLOR']) Reflect.deleteProperty(own, name);
  const child = spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...own, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}
