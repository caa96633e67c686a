import { ValueError } from 'minitensor';
import { verifyPlugin } from 'minitensor/signature';

import { Failure, UsageError } from './failure.js';
import { readKey } from './files.js';

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'check who has signed a plugin file',
  details: 'Ends with 0 when one of the keys has signed the file as it is, with 1 otherwise.',
  positionals: ['FILE'],
  options: {
    key: { type: 'string', multiple: true, value: 'PEM', description: 'the file of a public key; may be repeated' },
  },
  async run({ values, positionals: [file = ''], terminal }) {
    const keys = /** @type {string[]} */ (values.key ?? []);
    if (keys.length === 0) throw new UsageError('--key is missing, the file of a public key');
    const signature = await verifyPlugin(file, keys.map(readKey)).catch((error) => {
      // Which of the files it is about.
      if (error instanceof ValueError) {
        throw new Failure(error.message.replace(/^verifyPlugin: trustedKeys\[(\d+)\]/, (_, i) => keys[i] ?? ''));
      }
      throw error;
    });
    terminal.print(`${file} is as the key ${signature.publicKey} has signed it`);
    return 0;
  },
};
