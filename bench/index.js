#!/usr/bin/env node
import os from 'node:os';
import { parseArgs } from 'node:util';

import { BUILD_NEEDS, build } from '../tools/build.js';
import { inProject } from '../tools/project.js';
import { runAsScript } from '../tools/script.js';
import { SetupError, setup } from '../tools/setup/index.js';
import { setupNpm } from '../tools/setup/npm.js';
import { print } from '../tools/setup/progress.js';
import { buildPlugins } from './plugin_files.js';

const HELP = `\
npm run bench                        everything
npm run bench -- --only=loading      one suite: loading or engine
npm run bench -- --no-peers          without the libraries that the engine is compared with
npm run bench -- --rounds=5          fewer rounds than 15

The libraries are installed in bench/node_modules when they are first needed. Only ratios within one run say anything.`;

const SUITES = ['loading', 'engine'];

/** @param {string[]} args */
async function main(args) {
  const { values } = parseArgs({
    args,
    options: {
      'only': { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      'rounds': { type: 'string', default: '15' },
      'help': { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(HELP);
    return;
  }
  const { only } = values;
  if (only !== undefined && !SUITES.includes(only)) throw new SetupError(`Unknown suite: ${only}\n\n${HELP}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 900) {
    throw new SetupError(`Not a number of rounds: ${values.rounds}`);
  }
  await run({ suites: only === undefined ? SUITES : [only], rounds, withPeers: !values['no-peers'] });
}

/** @param {{ suites: readonly string[], rounds: number, withPeers: boolean }} options */
async function run({ suites, rounds, withPeers }) {
  const environment = await setup(BUILD_NEEDS);
  await build(environment);
  print(`\nNode ${process.versions.node}, ${os.cpus()[0]?.model}, medians of ${rounds} rounds`);
  // The suites import what was built just now.
  if (suites.includes('loading')) {
    await buildPlugins(environment);
    const { benchLoading } = await import('./loading.js');
    await benchLoading({ rounds });
  }
  if (suites.includes('engine')) {
    if (withPeers) await setupNpm(inProject('bench'), environment.env);
    const { benchEngine } = await import('./engine.js');
    await benchEngine({ rounds, withPeers });
  }
}

await runAsScript(import.meta.url, main);
