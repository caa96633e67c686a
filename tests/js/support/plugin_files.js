import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
// What `npm test` builds before these tests; tools/test.js says so.
const TEST_PLUGINS = path.join(PROJECT, 'build/wasm-debug/test-plugins');

/**
 * A plugin of tests/plugins, compiled.
 * @param {string} name
 */
export function testPlugin(name) {
  const file = path.join(TEST_PLUGINS, `${name}.wasm`);
  if (!existsSync(file)) throw new Error(`${file} is not built: run \`npm test -- --only=js\` once`);
  return file;
}

/**
 * A plugin of examples/plugins, as the package has it.
 * @param {string} name
 */
export function examplePlugin(name) {
  return path.join(PROJECT, `dist/examples/plugins/${name}.wasm`);
}

/**
 * @param {string} file
 * @returns {Uint8Array<ArrayBuffer>} not a Buffer, and at the beginning of its own ArrayBuffer
 */
export function bytesOf(file) {
  return new Uint8Array(readFileSync(file));
}
