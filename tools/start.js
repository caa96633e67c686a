#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';

import { BUILD_NEEDS, build } from './build.js';
import { PROJECT } from './project.js';
import { runAsScript } from './script.js';
import { setup } from './setup/index.js';
import { print } from './setup/progress.js';

const EXAMPLE = path.join('examples', 'quickstart.js');

async function main() {
  print('Getting this machine ready, then building the package (the first time takes some minutes).');
  const environment = await setup(BUILD_NEEDS);
  await build(environment);
  print(`\n$ node ${EXAMPLE}\n`);
  const child = spawn(process.execPath, [EXAMPLE], { cwd: PROJECT, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  process.exitCode = status ?? 1;
}

await runAsScript(import.meta.url, main);
