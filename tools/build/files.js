import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} folder
 * @returns {string[]} the files in it and below, sorted, relative to it; none
 *   when there is no such folder
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/**
 * Writes a file unless it has this content, so that its time tells when it
 * really changed.
 *
 * @param {string} file
 * @param {string | Buffer} content
 */
export function writeIfChanged(file, content) {
  const bytes = Buffer.from(content);
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

/**
 * Deletes what is in a folder and not in the list, and the folders that this
 * leaves empty.
 *
 * @param {string} folder
 * @param {ReadonlySet<string>} wanted relative paths
 */
export function removeOthers(folder, wanted) {
  for (const file of filesBelow(folder)) {
    if (!wanted.has(file)) rmSync(path.join(folder, file));
  }
  removeEmptyFolders(folder);
}

/** @param {string} folder */
function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(path.join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
