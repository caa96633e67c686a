import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';

import { ValueError } from 'minitensor';
import { readSignature, signPlugin } from 'minitensor/signature';

import { Failure, UsageError } from './failure.js';
import { pathOf, readKey, requireRegularFile } from './files.js';

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
  async run({ values, positionals: [given = ''], terminal }) {
    const { key, out } = values;
    if (typeof key !== 'string') throw new UsageError('--key is missing, the file of the private key');
    if (out === '') throw new UsageError('--out must not be empty');
    const file = pathOf(given);
    const { mode } = requireRegularFile(file);
    const signed = await signPlugin(file, readKey(key)).catch((error) => {
      // Which of the files it is about.
      if (!(error instanceof ValueError)) throw error;
      throw new Failure(error.message.replace(/^privateKey\b/, () => key));
    });
    const target = typeof out === 'string' ? pathOf(out) : file;
    if (holdsKey(target)) throw new Failure(`${target} holds a key, which is not written over; give another --out`);
    replaceFile(target, signed, mode);
    const signature = await readSignature(signed);
    terminal.print(`${target} is signed by the key ${signature?.publicKey}`);
    return 0;
  },
};

/**
 * Whether a file is PEM text, such as keys are.
 * @param {string} file
 */
function holdsKey(file) {
  if (!existsSync(file)) return false;
  requireRegularFile(file);
  return readFileSync(file).subarray(0, 4096).includes('-----BEGIN ');
}

/**
 * There is always a whole file of that name, the old one or the new one. Of a link, what it leads to is replaced.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {number} mode
 */
function replaceFile(name, bytes, mode) {
  const file = existsSync(name) ? realpathSync(name) : name;
  if (existsSync(file)) requireRegularFile(file);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, bytes, { mode });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
