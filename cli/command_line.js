import { parseArgs } from 'node:util';

import { MiniTensorError, PluginError, VERSION } from 'minitensor';

import { Failure, UsageError } from './failure.js';
import { columns, plain } from './text.js';

/** @typedef {import('./terminal.js').Terminal} Terminal */

/**
 * An option of a command.
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {string} [value] what its value is called
 * @property {boolean} [multiple] whether it may be given more than once
 * @property {string} description
 */

/**
 * What a command was given.
 * @typedef {object} Given
 * @property {Record<string, string | boolean | (string | boolean)[] | undefined>} values of options
 * @property {string[]} positionals
 * @property {Terminal} terminal
 */

/**
 * @typedef {object} Command
 * @property {string} summary one line
 * @property {string} [details] for its help
 * @property {readonly string[]} positionals names of those it must be given: `FILE`; in brackets when it need not be
 * @property {Record<string, Option>} options
 * @property {(given: Given) => Promise<number>} run gives the exit code
 */

/**
 * Loaded when they are run, so that each starts quickly.
 * @type {Record<string, { summary: string, load: () => Promise<{ command: Command }> }>}
 */
const COMMANDS = {
  new: { summary: 'make a project of a plugin, in C or C++', load: () => import('./new.js') },
  build: { summary: 'compile the plugin of the project here', load: () => import('./build.js') },
  inspect: { summary: 'say what a plugin file is and needs, without running it', load: () => import('./inspect.js') },
  check: { summary: 'load a plugin and test all that it registers', load: () => import('./check.js') },
  keygen: { summary: 'make a pair of keys to sign with', load: () => import('./keygen.js') },
  sign: { summary: 'sign a plugin file', load: () => import('./sign.js') },
  verify: { summary: 'check who has signed a plugin file', load: () => import('./verify.js') },
};

const HELP = { type: /** @type {const} */ ('boolean'), description: 'show this' };

/**
 * @param {readonly string[]} args
 * @param {Terminal} terminal
 * @returns {Promise<number>} the exit code: 0 done, 1 the answer is no or something failed, 2 wrong usage
 */
export async function runCommandLine(args, terminal) {
  const [name = '', ...rest] = args;
  try {
    if (name === '--version' || name === '-v') {
      terminal.print(VERSION);
      return 0;
    }
    if (name === '--help' || name === '-h' || name === 'help') {
      terminal.print(name === 'help' && rest[0] ? await helpOf(rest[0]) : overview());
      return 0;
    }
    return await runCommand(name, rest, terminal);
  } catch (error) {
    return reportFailure(error, name, terminal);
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 * @param {Terminal} terminal
 */
async function runCommand(name, args, terminal) {
  const command = await commandOf(name);
  const { values, positionals } = parse(command, args);
  if (values.help) {
    terminal.print(await helpOf(name));
    return 0;
  }
  requirePositionals(command, positionals);
  return command.run({ values, positionals, terminal });
}

/** @param {string} name */
async function commandOf(name) {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!entry) throw new UsageError(name ? `there is no command "${plain(name)}"` : 'a command is missing');
  return (await entry.load()).command;
}

/**
 * @param {Command} command
 * @param {readonly string[]} args
 */
function parse(command, args) {
  try {
    const options = { ...command.options, help: { ...HELP, short: 'h' } };
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const known = /** @type {NodeJS.ErrnoException} */ (error);
    if (!known.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UsageError(known.message.replace(/\. .*/s, '').replace(/^./, (first) => first.toLowerCase()));
  }
}

/**
 * @param {Command} command
 * @param {readonly string[]} positionals
 */
function requirePositionals(command, positionals) {
  const missing = command.positionals.slice(positionals.length).find((name) => !name.startsWith('['));
  if (missing) throw new UsageError(`${missing} is missing`);
  const extra = positionals[command.positionals.length];
  if (extra !== undefined) throw new UsageError(`"${plain(extra)}" is one argument too many`);
}

function overview() {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => [`  ${name}`, summary]);
  return [
    'Usage: minitensor COMMAND …',
    '',
    ...columns(rows),
    '',
    'minitensor COMMAND --help says more. Exit codes: 0 done, 1 the answer is no or something failed, 2 wrong usage.',
  ].join('\n');
}

/** @param {string} name of a command */
async function helpOf(name) {
  const command = await commandOf(name);
  const options = { ...command.options, help: HELP };
  const rows = Object.entries(options).map(([option, { description, ...rest }]) => {
    const value = 'value' in rest ? ` ${rest.value}` : '';
    return [`  --${option}${value}`, description];
  });
  const usage = ['minitensor', name, ...command.positionals, '[options]'].join(' ');
  const details = command.details ? ['', command.details] : [];
  return [`Usage: ${usage}`, '', `${sentence(command.summary)}`, ...details, '', ...columns(rows)].join('\n');
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * @param {unknown} error
 * @param {string} name of the command
 * @param {Terminal} terminal
 */
function reportFailure(error, name, terminal) {
  const who = Object.hasOwn(COMMANDS, name) ? `minitensor ${name}` : 'minitensor';
  const say = (/** @type {string} */ message) => terminal.complain(`${terminal.paintError('red', who)}: ${message}`);
  if (error instanceof UsageError) {
    say(error.message);
    terminal.complain(`${who} --help says how it is used.`);
    return 2;
  }
  if (!(error instanceof Error)) throw error;
  if (!isExpected(error)) {
    say('an error that should not be; please report it:');
    terminal.complain(error.stack ?? error.message);
    return 1;
  }
  say(error.message);
  const hint = error instanceof Failure || error instanceof PluginError ? error.hint : '';
  if (hint) terminal.complain(`${terminal.paintError('dim', 'hint:')} ${hint}`);
  return 1;
}

/** @param {Error} error */
function isExpected(error) {
  // What the system says of files has a syscall.
  return error instanceof Failure || error instanceof MiniTensorError || 'syscall' in error;
}
