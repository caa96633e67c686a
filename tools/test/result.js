/**
 * @typedef {object} TestResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/** @returns {TestResult} */
export function noTests() {
  return { passed: 0, failed: 0, skipped: 0 };
}

/**
 * @param {readonly TestResult[]} results
 * @returns {TestResult}
 */
export function sum(results) {
  return results.reduce((total, one) => ({
    passed: total.passed + one.passed,
    failed: total.failed + one.failed,
    skipped: total.skipped + one.skipped,
  }), noTests());
}

/**
 * A run that found no test, or ended badly though no test failed (as by a
 * crash at its end), must not look good.
 *
 * @param {TestResult} result
 * @param {boolean} endedWell
 * @returns {TestResult}
 */
export function honest(result, endedWell) {
  const ranNone = result.passed + result.failed + result.skipped === 0;
  const looksGood = result.failed === 0;
  return looksGood && (ranNone || !endedWell) ? { ...result, failed: 1 } : result;
}

/** @param {TestResult} result */
export function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
