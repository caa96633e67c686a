#!/usr/bin/env node
import process from 'node:process';

import { runAsScript } from './script.js';
import { SetupError, setup } from './setup/index.js';
import { runFuzz } from './test/fuzz.js';

const DEFAULT_SECONDS = 600;

/** @param {string[]} args */
async function main([seconds = String(DEFAULT_SECONDS)]) {
  if (!/^[1-9]\d*$/.test(seconds)) throw new SetupError(`Not a number of seconds: ${seconds}\n\nnpm run fuzz [seconds]`);
  const { failed } = await runFuzz(await setup(['npm', 'build', 'gtest', 'fuzz']), [`-max_total_time=${seconds}`]);
  process.exitCode = failed > 0 ? 1 : 0;
}

await runAsScript(import.meta.url, main);
