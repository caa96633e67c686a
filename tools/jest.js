#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

import { PROJECT } from './project.js';
import { runAsScript } from './script.js';
import { ALL_NEEDS, setup } from './setup/index.js';
import { JEST } from './test/jest.js';

/**
 * Jest as `npm test` runs it, for the everyday loop. Builds nothing.
 *
 * @param {string[]} args
 */
async function main(args) {
  const { env } = await setup(ALL_NEEDS);
  const child = spawn(process.execPath, [...JEST, ...args], { cwd: PROJECT, env, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  process.exitCode = status ?? 1;
}

await runAsScript(import.meta.url, main);
