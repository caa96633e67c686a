#!/usr/bin/env node
import { parseArgs } from 'node:util';

import { BUILD_NEEDS, build } from './build.js';
import { runAsScript } from './script.js';
import { startServer } from './server.js';
import { SetupError, setup } from './setup/index.js';
import { errorCode } from './setup/failure.js';
import { print } from './setup/progress.js';

const DEFAULT_PORT = '8080';

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({ args, options: { port: { type: 'string', default: DEFAULT_PORT } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new SetupError(`Not a port: ${values.port}`);
  await build(await setup(BUILD_NEEDS));
  const { url } = await startOn(port);
  print(`\nThe demo page: ${url}\nCtrl+C ends the server.`);
}

/** @param {number} port */
async function startOn(port) {
  try {
    return await startServer({ port });
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    throw new SetupError(`Port ${port} is taken. Another one: npm run demo -- --port ${port + 1}`);
  }
}

await runAsScript(import.meta.url, main);
