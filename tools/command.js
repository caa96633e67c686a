import { spawn } from 'node:child_process';

import { PROJECT } from './project.js';
import { errorCode } from './setup/failure.js';

/**
 * @typedef {object} CommandOptions
 * @property {NodeJS.ProcessEnv} env
 * @property {string} [cwd]
 * @property {number} [timeoutMs] after which it is killed
 * @property {(line: string) => void} [onLine] sees each line of output as it comes
 *
 * @typedef {object} CommandResult
 * @property {number | string} code exit status, or the name of a signal or error
 * @property {string} output both streams, as they came
 */

/**
 * Runs a command whose failure is a result like any other, as that of a test.
 * (`run` of the set-up throws.)
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {CommandOptions} options
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, { env, cwd = PROJECT, timeoutMs = 0, onLine }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (/** @type {string} */ text) => {
        output += text;
        if (onLine) text.split('\n').filter(Boolean).forEach(onLine);
      });
    }
    child.on('error', (error) => resolve({ code: errorCode(error) ?? error.message, output }));
    child.on('close', (status, signal) => resolve({ code: status ?? signal ?? 'unknown', output }));
  });
}
