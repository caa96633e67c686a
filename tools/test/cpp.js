import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { buildPreset, configurePreset, presetFolder } from '../build/preset.js';
import { runCommand } from '../command.js';
import { print, step } from '../setup/progress.js';
import { withReportFile } from './report-file.js';
import { honest, noTests } from './result.js';

/** @typedef {import('../setup/index.js').Setup} Setup */
/** @typedef {import('./result.js').TestResult} TestResult */

/**
 * What GoogleTest writes, as far as it is used here.
 *
 * @typedef {{ result: 'COMPLETED' | 'SKIPPED' | 'SUPPRESSED', failures?: object[] }} GoogleTestCase
 * @typedef {{ testsuites: { testsuite: GoogleTestCase[] }[] }} GoogleTestReport
 */

// The slowest is a sanitizer's run.
const TIMEOUT_MS = 15 * 60_000;
const CRASH_LINES = 100;

/**
 * @param {string} preset
 * @param {Setup} setup
 */
export async function configureTests(preset, setup) {
  await configurePreset(preset, setup, testDefinitions(setup));
}

/**
 * Builds a preset with its tests.
 *
 * @param {string} preset
 * @param {Setup} setup
 * @param {string[]} [targets]
 */
export async function buildTests(preset, setup, targets = []) {
  await buildPreset(preset, setup, { definitions: testDefinitions(setup), targets });
}

/** @param {Setup} setup */
function testDefinitions({ gtestSource }) {
  return { MINITENSOR_BUILD_TESTS: 'ON', MINITENSOR_GTEST_SOURCE: gtestSource ?? '' };
}

/**
 * Builds and runs the C++ tests of a preset.
 *
 * @param {string} preset
 * @param {Setup} setup
 * @returns {Promise<TestResult>}
 */
export async function runCppTests(preset, setup) {
  await buildTests(preset, setup);
  const [program, ...args] = testCommand(preset);
  const { result, report } = await step(`Running ${preset}`, (tell) =>
    withReportFile(/** @returns {ReturnType<typeof runCommand>} */ (file) =>
      runCommand(program, [...args, `--gtest_output=json:${file}`], {
        env: setup.env,
        timeoutMs: TIMEOUT_MS,
        onLine: (line) => {
          const [, name] = /^\[ RUN {6}\] (.+)/.exec(line) ?? [];
          if (name) tell(name);
        },
      })));
  const googleTest = /** @type {GoogleTestReport | null} */ (report);
  const counts = honest(googleTest ? count(googleTest) : noTests(), result.code === 0);
  if (counts.failed > 0) print(failureText(result, googleTest !== null));
  return counts;
}

/**
 * @param {string} preset
 * @returns {[string, ...string[]]}
 */
export function testCommand(preset) {
  const program = path.join(presetFolder(preset), 'tests/cpp/minitensor_tests');
  if (!preset.startsWith('wasm')) return [program];
  const script = ['.js', '.cjs', '.mjs'].map((ending) => program + ending).find((file) => existsSync(file));
  return [process.execPath, script ?? `${program}.js`];
}

/**
 * @param {GoogleTestReport} report
 * @returns {TestResult}
 */
function count({ testsuites }) {
  const result = noTests();
  for (const test of testsuites.flatMap((suite) => suite.testsuite)) {
    if (test.result !== 'COMPLETED') result.skipped++;
    else if (test.failures) result.failed++;
    else result.passed++;
  }
  return result;
}

/**
 * @param {import('../command.js').CommandResult} result
 * @param {boolean} finished
 */
function failureText({ code, output }, finished) {
  const lines = output.split('\n').filter((line, index, all) => line && !isOfPassedTest(line, all[index + 1]));
  // After a crash its cause is at the end; else the failures are what is left.
  const shown = finished ? lines : lines.slice(-CRASH_LINES);
  return [...shown, ...(code === 0 ? [] : [`The tests ended with ${code}.`])].join('\n');
}

/**
 * @param {string} line
 * @param {string | undefined} next
 */
function isOfPassedTest(line, next) {
  return /^\[ {7}OK \]|^\[-{10}\]/.test(line) || (/^\[ RUN/.test(line) && next !== undefined && /^\[ {7}OK \]/.test(next));
}
