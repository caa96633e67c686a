import { fork } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { sizeOf } from './check/inputs.js';
import { reportLines, problemsOf } from './check/report.js';
import { Failure, UsageError } from './failure.js';
import { pathOf, requireRegularFile } from './files.js';
import { plain } from './text.js';

/** @typedef {import('./check/child.js').Message} Message */
/** @typedef {import('./check/plugin.js').CheckOptions} CheckOptions */
/** @typedef {import('./check/plugin.js').PluginReport} PluginReport */
/** @typedef {import('./terminal.js').Terminal} Terminal */

const CHILD = fileURLToPath(new URL('./check/child.js', import.meta.url));
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'load a plugin and test all that it registers',
  details: [
    'Runs each op with inputs of many shapes, in each dtype that it takes: results must be the same each time, for',
    'inputs that are not contiguous and, nearly, for float32 and float64; inputs must stay as they are, and all memory',
    'that is not the plugin\'s; gradients must be those of finite differences; nothing may be leaked; errors must be',
    'errors of MiniTensor. Makes and runs each type of layer. Loads and unloads the plugin again and again. Ends with',
    '1 when anything is wrong. This runs the code of the plugin.',
  ].join('\n'),
  positionals: ['FILE'],
  options: {
    shapes: {
      type: 'string', multiple: true, value: 'NAME=SHAPES',
      description: 'inputs for an op or a type of layer that takes none of those that are tried: conv=1x3x8x8,4x3x3x3',
    },
    attributes: {
      type: 'string', multiple: true, value: 'NAME=JSON',
      description: 'attributes of an op, or the configuration of a type of layer: \'Linear={"size": 4}\'',
    },
    stateful: {
      type: 'string', multiple: true, value: 'NAME,NAME',
      description: 'ops and types of layers with a state or random numbers, which need not give the same twice: what '
        + 'compares two results of them is left out',
    },
    timeout: { type: 'string', value: 'SECONDS', description: 'how long it may take (default: 60)' },
    json: { type: 'boolean', description: 'as JSON' },
  },
  async run({ values, positionals: [given = ''], terminal }) {
    const seconds = Number(values.timeout ?? 60);
    if (!(seconds > 0 && seconds <= 86400)) {
      throw new UsageError(`--timeout must be a number of seconds from 0 to 86400, not "${values.timeout}"`);
    }
    const file = pathOf(given);
    requireRegularFile(file);
    const shapes = named(values.shapes, '--shapes', parseShapes);
    const attributes = named(values.attributes, '--attributes', parseAttributes);
    const stateful = /** @type {string[]} */ (values.stateful ?? []).flatMap((names) => names.split(','));
    const report = await runChild({ file, shapes, attributes, stateful }, seconds, terminal);
    const problems = problemsOf(report);
    if (values.json) terminal.printJson({ file, ok: problems.length === 0, ...report });
    else for (const line of reportLines(report, terminal)) terminal.print(line);
    return problems.length === 0 ? 0 : 1;
  },
};

/**
 * @template T
 * @param {unknown} given
 * @param {string} option
 * @param {(text: string) => T | null} parse
 * @returns {Map<string, T>}
 */
function named(given, option, parse) {
  return new Map(/** @type {string[]} */ (given ?? []).map((text) => {
    const [, name = '', rest = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const value = name ? parse(rest) : null;
    if (value === null) throw new UsageError(`${option} cannot be read: "${plain(text)}"`);
    return [name, value];
  }));
}

/** Of an input: what is tried with one takes several times as much memory, and is done again and again. */
const MOST_ELEMENTS = 2 ** 24;

/** @param {string} text */
function parseShapes(text) {
  if (!/^\d*(x\d+)*(,\d*(x\d+)*)*$/.test(text)) return null;
  const shapes = text.split(',').map((shape) => (shape === '' ? [] : shape.split('x').map(Number)));
  const large = shapes.find((shape) => sizeOf(shape) > MOST_ELEMENTS);
  if (large) {
    const size = `${large.join('x')} has ${sizeOf(large)} elements`;
    throw new UsageError(`--shapes: ${size}, and an input has at most ${MOST_ELEMENTS} here`);
  }
  return shapes;
}

/**
 * @param {string} text
 * @returns {import('./check/op.js').Attributes | null}
 */
function parseAttributes(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * @param {CheckOptions} options
 * @param {number} seconds
 * @param {Terminal} terminal
 * @returns {Promise<PluginReport>}
 */
function runChild(options, seconds, terminal) {
  // Not with the options of this Node, among which may be those of a debugger.
  const child = fork(CHILD, { execArgv: [], serialization: 'advanced' });
  let doing = 'starting';
  return new Promise((/** @type {(report: PluginReport) => void} */ resolve, reject) => {
    const stop = (/** @type {Failure} */ failure) => {
      child.kill('SIGKILL');
      reject(failure);
    };
    const timer = setTimeout(() => {
      stop(new Failure(`the check did not end within ${seconds} s; it was at: ${doing}`, 'give it longer: --timeout'));
    }, seconds * 1000);
    const end = endWith(child);
    child.on('message', (/** @type {Message} */ message) => {
      if ('doing' in message) terminal.progress((doing = message.doing));
      else if ('report' in message) resolve(message.report);
      else if ('unknown' in message) reject(new UsageError(plain(message.unknown)));
      else if ('refused' in message) stop(new Failure(message.refused, message.hint));
      else reject(new Error(message.broken));
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      end();
      reject(new Failure(`the process of the check ended with ${signal ?? code}; it was at: ${doing}`));
    });
    child.send(options);
  }).finally(() => terminal.clearProgress());
}

/**
 * Has a process end when this one is ended: one that hangs would not notice.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} undoes it
 */
function endWith(child) {
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      child.kill('SIGKILL');
      process.kill(process.pid, signal);
    };
    process.once(signal, listener);
    return { signal, listener };
  });
  return () => listeners.forEach(({ signal, listener }) => process.off(signal, listener));
}
