#!/usr/bin/env node
import process from 'node:process';

import { runCommandLine } from './command_line.js';
import { Terminal } from './terminal.js';

// Older Node versions call Ed25519 in WebCrypto experimental, which is no news to who runs a command.
process.removeAllListeners('warning');
// `minitensor inspect … | head` is no error.
process.stdout.on('error', (error) => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit();
  process.stderr.write(`minitensor: the output cannot be written: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await runCommandLine(process.argv.slice(2), new Terminal(process.stdout, process.stderr));
