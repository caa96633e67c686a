import { readFileSync } from 'node:fs';
import path from 'node:path';

import { presetFolder } from '../tools/build/preset.js';
import { inProject } from '../tools/project.js';
import { step } from '../tools/setup/progress.js';
import { run } from '../tools/setup/run.js';

/** @typedef {import('../tools/setup/index.js').Setup} Setup */

const BUILD = presetFolder('bench-plugins');

/**
 * Builds the plugins of bench/plugins with the SDK in dist/.
 *
 * @param {Setup} environment
 */
export async function buildPlugins({ env }) {
  await step('Building the plugins of the benchmark', async () => {
    const options = {
      MiniTensorSDK_DIR: inProject('dist/sdk/lib/cmake/MiniTensorSDK'),
      CMAKE_TOOLCHAIN_FILE: inProject('cmake/emscripten-toolchain.cmake'),
      CMAKE_BUILD_TYPE: 'Release',
    };
    const definitions = Object.entries(options).map(([name, value]) => `-D${name}=${value}`);
    await run('cmake', ['-S', inProject('bench/plugins'), '-B', BUILD, '-G', 'Ninja', ...definitions], { env });
    await run('cmake', ['--build', BUILD], { env });
  });
}

/**
 * A plugin of bench/plugins with a number of its own in all its names, so that it is another file: engines remember the
 * code of bytes that they have compiled before.
 *
 * @param {'plus' | 'large'} name
 * @param {number} number up to 999
 * @returns {Uint8Array}
 */
export function numberedPlugin(name, number) {
  const text = readFileSync(path.join(BUILD, `${name}.wasm`)).toString('latin1');
  return Buffer.from(text.replaceAll(`${name}_000`, `${name}_${String(number).padStart(3, '0')}`), 'latin1');
}
