#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { build } from './build.js';
import { PROJECT } from './project.js';
import { runAsScript } from './script.js';
import { ALL_NEEDS, SetupError, setup } from './setup/index.js';
import { buildTests, testCommand } from './test/cpp.js';

const DEFAULT_ROUNDS = '10000';

/**
 * Loads, unloads and stops plugins many times over, and prints what that leaves behind. Ends with 1 when anything has
 * grown.
 *
 * @param {string[]} args
 */
async function main(args) {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: DEFAULT_ROUNDS } } });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new SetupError(`Not a number of rounds: ${values.rounds}`);
  const environment = await setup(ALL_NEEDS);
  await build(environment);
  await buildTests('wasm-debug', environment, ['tests/plugins/all']);
  await soakNatively(environment, rounds);
  const script = ['--expose-gc', 'tests/js/support/print_soak.js', String(rounds)];
  const child = spawn(process.execPath, script, { cwd: PROJECT, env: environment.env, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  process.exitCode = status ?? 1;
}

/**
 * @param {import('./setup/index.js').Setup} environment
 * @param {number} rounds
 */
async function soakNatively(environment, rounds) {
  await buildTests('native-release', environment);
  const [program = '', ...rest] = testCommand('native-release');
  const filter = '--gtest_filter=UnloadPlugin.LoadingAndUnloadingAgainAndAgainTakesNothing';
  const env = { ...environment.env, MINITENSOR_SOAK_CYCLES: String(rounds) };
  const child = spawn(program, [...rest, filter, '--gtest_brief=1'], { cwd: PROJECT, env, stdio: 'inherit' });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new SetupError('Loading and unloading natively leaves something behind.');
}

await runAsScript(import.meta.url, main);
