import { spawn } from 'node:child_process';
import { accessSync, constants, createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';

import { cacheFolder } from './cache.js';
import { SetupError, errorCode } from './failure.js';

const TAIL_LINES = 60;

let logCount = 0;

/** @typedef {NodeJS.ProcessEnv} Env */

/**
 * @typedef {object} RunOptions
 * @property {Env} env
 * @property {string} [cwd]
 * @property {(line: string) => void} [onLine] sees each line of output as it comes
 * @property {string} [advice] what to do when the command fails
 */

/**
 * Runs a command silently. Its output is kept in a log, of which the end is
 * shown if the command fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<string>} what the command wrote to standard output
 */
export async function run(command, args, options) {
  const log = logFile(command, options.env);
  const output = await spawnAndCollect(command, args, options, log);
  if (output.code !== 0) throw commandFailed(command, args, output, log, options.advice);
  rmSync(log, { force: true });
  return output.stdout;
}

/**
 * @typedef {object} Output
 * @property {string} stdout
 * @property {string[]} tail the last lines of both streams
 * @property {number | string} code exit status, or the signal or error name
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @param {string} log
 * @returns {Promise<Output>}
 */
async function spawnAndCollect(command, args, options, log) {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logStream = createWriteStream(log);
  logStream.write(`$ ${commandLine(command, args)}\n`);
  /** @type {Output} */
  const output = { stdout: '', tail: [], code: 0 };
  const keep = (/** @type {string} */ line) => {
    options.onLine?.(line);
    output.tail.push(line);
    if (output.tail.length > TAIL_LINES) output.tail.shift();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      logStream.write(text);
      if (stream === child.stdout) output.stdout += text;
    });
    eachLine(stream, keep);
  }
  output.code = await exitOf(child);
  logStream.end();
  await once(logStream, 'close');
  return output;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number | string>}
 */
function exitOf(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(errorCode(error) ?? error.message));
    child.on('close', (status, signal) => resolve(status ?? signal ?? 'unknown'));
  });
}

/**
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} callback
 */
function eachLine(stream, callback) {
  let rest = '';
  stream.on('data', (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(callback);
  });
  stream.on('end', () => {
    if (rest) callback(rest);
  });
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Output} output
 * @param {string} log
 * @param {string} [advice]
 */
function commandFailed(command, args, output, log, advice) {
  const how = typeof output.code === 'number' ? `exit status ${output.code}` : output.code;
  const lines = output.tail.map((line) => `  ${line}`);
  return new SetupError([
    ...lines,
    `Failed (${how}): ${commandLine(command, args)}`,
    `The full output is in ${log}`,
    ...(advice ? [advice] : []),
  ].join('\n'));
}

/**
 * The command as one could paste it into a shell, cut where it gets too long.
 *
 * @param {string} command
 * @param {string[]} args
 */
function commandLine(command, args) {
  const words = [command, ...args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  const line = words.join(' ');
  return line.length > 400 ? `${line.slice(0, 400)} ...` : line;
}

/**
 * @param {string} command
 * @param {Env} env
 * @returns {string}
 */
function logFile(command, env) {
  const folder = path.join(cacheFolder(env), 'logs');
  mkdirSync(folder, { recursive: true });
  logCount += 1;
  return path.join(folder, `${path.basename(command)}-${process.pid}-${logCount}.log`);
}

/**
 * The program of that name on PATH, or null.
 *
 * @param {string} name
 * @param {Env} env
 * @returns {string | null}
 */
export function which(name, env) {
  for (const folder of (env.PATH ?? '').split(path.delimiter)) {
    if (!folder) continue;
    const file = path.join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    if (isExecutable(file)) return file;
  }
  return null;
}

/**
 * @param {string} file
 * @returns {boolean}
 */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * A copy of the environment with folders put in front of PATH.
 *
 * @param {Env} env
 * @param {string[]} folders
 * @returns {Env}
 */
export function withPath(env, folders) {
  return { ...env, PATH: [...folders, env.PATH ?? ''].join(path.delimiter) };
}

/** Whether we may install into the system. */
export function isRoot() {
  return process.getuid?.() === 0;
}
