import { existsSync, writeFileSync } from 'node:fs';

import { generateSigningKeys } from 'minitensor/signature';

import { Failure, UsageError } from './failure.js';
import { plain } from './text.js';

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'make a pair of keys to sign with',
  details: [
    'Writes NAME.pem, the private key, which only you may read, and NAME.pub.pem, the public key, which is for all.',
    'Both are as OpenSSL writes keys of Ed25519. The private key is not encrypted: keep it out of repositories.',
  ].join('\n'),
  positionals: [],
  options: {
    out: { type: 'string', value: 'NAME', description: 'the files, without .pem (default: minitensor-key)' },
  },
  async run({ values, terminal }) {
    const name = String(values.out ?? 'minitensor-key');
    if (/(^|[/\\])$/.test(name)) throw new UsageError(`--out must be the name of files, not "${plain(name)}"`);
    const files = { privateKey: `${name}.pem`, publicKey: `${name}.pub.pem` };
    for (const file of Object.values(files)) {
      if (existsSync(file)) throw new Failure(`${file} is there already, and a key is not replaced`, 'use --out NAME');
    }
    const keys = await generateSigningKeys();
    writeFileSync(files.privateKey, keys.privateKey, { mode: 0o600, flag: 'wx' });
    writeFileSync(files.publicKey, keys.publicKey, { flag: 'wx' });
    terminal.print(`${files.privateKey}  the private key: to sign with, and to keep to yourself`);
    terminal.print(`${files.publicKey}  the public key: for whoever checks your signatures`);
    return 0;
  },
};
