/** The answer is no, or something that was asked for cannot be done: exit code 1. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {string} [hint] what to do about it
   */
  constructor(message, hint = '') {
    super(message);
    this.hint = hint;
  }
}

/** The command was not given as it must be: exit code 2. */
export class UsageError extends Error {}
