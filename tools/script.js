import { existsSync, realpathSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { describeFailure } from './setup/index.js';
import { print } from './setup/progress.js';

/**
 * Runs `main` when the module is the script that Node was started with, and
 * not when another module imports it.
 *
 * @param {string} moduleUrl `import.meta.url`
 * @param {(args: string[]) => Promise<void>} main
 */
export async function runAsScript(moduleUrl, main) {
  const script = process.argv[1];
  if (!script || !existsSync(script) || realpathSync(script) !== fileURLToPath(moduleUrl)) return;
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    print(describeFailure(error));
    process.exitCode = 1;
  }
}
