import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * @template T what is in the report
 * @template R
 * @param {(file: string) => Promise<R>} run is to write JSON to the file
 * @returns {Promise<{ result: R, report: T | null }>} no report when it did not
 */
export async function withReportFile(run) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-test-'));
  try {
    const file = path.join(folder, 'report.json');
    const result = await run(file);
    return { result, report: readJson(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The runner crashed before it wrote, or while it did.
    return null;
  }
}
