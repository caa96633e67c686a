#!/usr/bin/env node
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { describeOps } from './build/describe-ops.js';
import { build } from './build.js';
import { runCommand } from './command.js';
import { opPage } from './docs/op-page.js';
import { inProject } from './project.js';
import { runAsScript } from './script.js';
import { ALL_NEEDS, SetupError, setup } from './setup/index.js';
import { print, step } from './setup/progress.js';

/** Makes the API reference, docs/api: what TypeDoc makes of the types, and a page for each op. */
async function main() {
  const environment = await setup(ALL_NEEDS);
  await build(environment);
  const folder = inProject('build/op-pages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ops = (await describeOps(inProject('dist/core'))).filter(({ owner }) => owner === 'minitensor');
  for (const op of ops) writeFileSync(path.join(folder, `${op.name}.md`), opPage(op));
  await step('Writing docs/api', async () => {
    rmSync(inProject('docs/api'), { recursive: true, force: true });
    const typedoc = inProject('node_modules/typedoc/bin/typedoc');
    const { code, output } = await runCommand(process.execPath, [typedoc], { env: environment.env });
    if (code !== 0) throw new SetupError(`TypeDoc ended with ${code}:\n${output}`);
  });
  print(`docs/api/index.html: the reference, with a page for each of ${ops.length} ops.`);
}

await runAsScript(import.meta.url, main);
