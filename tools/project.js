import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {...string} parts
 * @returns {string} the absolute path of a file of the project
 */
export function inProject(...parts) {
  return path.join(PROJECT, ...parts);
}
