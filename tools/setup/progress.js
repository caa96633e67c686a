import process from 'node:process';

const INTERVAL_TERMINAL_MS = 250;
const INTERVAL_LOG_MS = 15_000;

/**
 * Everything the set-up says goes through here.
 *
 * @param {string} [line]
 */
export function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a long step and keeps the user informed: one updating line on a
 * terminal; in a log a line at the start, one every 15 s and one at the end.
 *
 * @template T
 * @param {string} title
 * @param {(report: (detail: string) => void) => Promise<T>} work is handed a
 *   function that takes how far it is ("45 %", "12 of 35 libraries")
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const line = process.stdout.isTTY ? terminalLine(title) : logLine(title);
  try {
    const result = await work(line.report);
    line.end('done');
    return result;
  } catch (error) {
    line.end('failed');
    throw error;
  }
}

/**
 * @typedef {object} Line
 * @property {(detail: string) => void} report
 * @property {(outcome: string) => void} end
 */

/**
 * @param {string} title
 * @returns {Line}
 */
function terminalLine(title) {
  const elapsed = stopwatch();
  let detail = '';
  const draw = () => {
    const text = [`${title} ...`, elapsed(), detail].filter(Boolean).join('  ');
    // A wrapped line could not be overwritten by the next one. Some terminals
    // say that they have 0 columns.
    process.stdout.write(`\r\x1b[K${text.slice(0, (process.stdout.columns || 80) - 1)}`);
  };
  draw();
  const timer = setInterval(draw, INTERVAL_TERMINAL_MS);
  return {
    report: (text) => { detail = text; },
    end: (outcome) => {
      clearInterval(timer);
      process.stdout.write('\r\x1b[K');
      print(`${title}: ${outcome} (${elapsed()})`);
    },
  };
}

/**
 * @param {string} title
 * @returns {Line}
 */
function logLine(title) {
  const elapsed = stopwatch();
  let detail = '';
  print(`${title} ...`);
  const timer = setInterval(() => {
    print(`  ${[title, elapsed(), detail].filter(Boolean).join(', ')}`);
  }, INTERVAL_LOG_MS);
  return {
    report: (text) => { detail = text; },
    end: (outcome) => {
      clearInterval(timer);
      print(`${title}: ${outcome} (${elapsed()})`);
    },
  };
}

/** @returns {() => string} the time since the call, in seconds */
function stopwatch() {
  const start = performance.now();
  return () => {
    const seconds = (performance.now() - start) / 1000;
    return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  };
}
