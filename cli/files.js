/*
 * Files that are named on the command line.
 */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Failure, UsageError } from './failure.js';
import { plain } from './text.js';

/**
 * The path of a file, which may be given as a file: URL.
 * @param {string} file
 */
export function pathOf(file) {
  if (!/^file:/i.test(file)) return file;
  try {
    return fileURLToPath(file);
  } catch (error) {
    throw new UsageError(`"${plain(file)}" is no file of this machine: ${error instanceof Error ? error.message : ''}`);
  }
}

/**
 * What the system says of a file. A Failure for a folder, a device and the like.
 * @param {string} file a path
 */
export function requireRegularFile(file) {
  const stat = statSync(file);
  if (stat.isFile()) return stat;
  throw new Failure(`${plain(file)} is ${stat.isDirectory() ? 'a folder' : 'no regular file'}`);
}

/** @param {string} file of a key */
export function readKey(file) {
  const path = pathOf(file);
  requireRegularFile(path);
  return readFileSync(path, 'utf8');
}
