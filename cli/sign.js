import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { readSignature, signPlugin } from 'minitensor/signature';

import { UsageError } from './failure.js';

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'sign a plugin file',
  details: [
    'Appends a signature of Ed25519 over the whole file, a .wasm or an ELF .so, which loads as before.',
    'A file that is signed already is refused: build it again.',
  ].join('\n'),
  positionals: ['FILE'],
  options: {
    key: { type: 'string', value: 'PEM', description: 'the file of the private key; minitensor keygen makes one' },
    out: { type: 'string', value: 'FILE', description: 'the signed file (default: in place of the unsigned one)' },
  },
  async run({ values, positionals: [file = ''], terminal }) {
    if (typeof values.key !== 'string') throw new UsageError('--key is missing, the file of the private key');
    const signed = await signPlugin(file, readFileSync(values.key, 'utf8'));
    const target = typeof values.out === 'string' ? values.out : file;
    replaceFile(target, signed, statSync(file).mode);
    const signature = await readSignature(signed);
    terminal.print(`${target} is signed by the key ${signature?.publicKey}`);
    return 0;
  },
};

/**
 * There is always a whole file of that name, the old one or the new one.
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {number} mode
 */
function replaceFile(file, bytes, mode) {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes, { mode });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
