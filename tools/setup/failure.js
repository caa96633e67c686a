/**
 * A set-up failure the user can act on: the message says what went wrong and
 * what to do, so it is printed without a stack trace.
 */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
  }
}

/**
 * What to print for a failure. A stack trace is shown only for what nobody
 * foresaw, because there it is the one clue.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function describeFailure(error) {
  if (error instanceof SetupError) return error.message;
  if (error instanceof Error) return error.stack ?? error.message;
  return String(error);
}

/**
 * The `code` of a system error (`ENOENT`, `EEXIST`, ...), if it has one.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function errorCode(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
