import process from 'node:process';

import { runCommand } from '../command.js';
import { inProject } from '../project.js';
import { print, step } from '../setup/progress.js';
import { withReportFile } from './report-file.js';
import { honest, noTests } from './result.js';

/** @typedef {import('../setup/index.js').Setup} Setup */
/** @typedef {import('./result.js').TestResult} TestResult */

/**
 * What Jest writes, as far as it is used here.
 *
 * @typedef {object} JestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {number} numRuntimeErrorTestSuites
 */

const TIMEOUT_MS = 30 * 60_000;

/** Node's options and script to run Jest with ES modules. */
export const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  inProject('node_modules/jest/bin/jest.js'),
];

/**
 * Runs one project of jest.config.js.
 *
 * @param {string} project
 * @param {Setup} setup
 * @param {{ serial?: boolean }} [options]
 * @returns {Promise<TestResult>}
 */
export async function runJest(project, setup, { serial = false } = {}) {
  const { result, report } = await step(`Running tests/${project}`, (tell) =>
    withReportFile(/** @returns {ReturnType<typeof runCommand>} */ (file) => {
      const output = ['--json', `--outputFile=${file}`];
      const args = [...JEST, '--selectProjects', project, ...output, ...(serial ? ['--runInBand'] : [])];
      return runCommand(process.execPath, args, {
        env: environmentOf(setup),
        timeoutMs: TIMEOUT_MS,
        onLine: (line) => {
          if (/^(PASS|FAIL) /.test(line)) tell(line);
        },
      });
    }));
  const jest = /** @type {JestReport | null} */ (report);
  const counts = honest(jest ? count(jest) : noTests(), result.code === 0);
  if (counts.failed > 0) print(withoutReport(result.output));
  return counts;
}

/** @param {Setup} setup */
function environmentOf({ env, chromium }) {
  // Colour codes would only clutter a log.
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  return { ...env, ...colour, ...(chromium ? { CHROMIUM_PATH: chromium } : {}) };
}

/**
 * @param {JestReport} report
 * @returns {TestResult}
 */
function count(report) {
  return {
    passed: report.numPassedTests,
    // A file that could not even be loaded counts as one.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * @param {string} output
 * @returns {string} without the report, which Jest prints as well
 */
function withoutReport(output) {
  return output.split('\n').filter((line) => !line.startsWith('{"numFailedTestSuites"')).join('\n').trimEnd();
}
