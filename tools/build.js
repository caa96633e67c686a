#!/usr/bin/env node
import { assemblePackage } from './build/package.js';
import { buildPreset } from './build/preset.js';
import { runAsScript } from './script.js';
import { setup } from './setup/index.js';

/** @typedef {import('./setup/index.js').Setup} Setup */
/** @typedef {import('./setup/index.js').Need} Need */

/** @type {readonly Need[]} What `build` needs. */
export const BUILD_NEEDS = ['npm', 'build', 'wasm'];

/**
 * Builds what the npm package contains, in dist/.
 *
 * @param {Setup} environment that has BUILD_NEEDS
 */
export async function build(environment) {
  for (const preset of ['wasm-release', 'wasm-release-static']) await buildCore(preset, environment);
  await assemblePackage(environment.env);
}

/**
 * @param {string} preset
 * @param {Setup} environment that has BUILD_NEEDS
 * @param {string[]} [targets] all when left out
 */
export async function buildCore(preset, environment, targets = []) {
  await buildPreset(preset, environment, { definitions: { MINITENSOR_BUILD_TESTS: 'OFF' }, targets });
}

await runAsScript(import.meta.url, async () => build(await setup(BUILD_NEEDS)));
