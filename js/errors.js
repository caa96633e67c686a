/** Every error that MiniTensor throws, apart from TypeError for arguments of a wrong type. */
export class MiniTensorError extends Error {
  /**
   * @param {string} message
   * @param {{ code?: string, cause?: unknown }} [options] `code` is stable text such as `MT_VALUE`
   */
  constructor(message, options = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = new.target.name;
    /** A stable text for programs: `MT_VALUE`, `MT_SHAPE`, … */
    this.code = options.code ?? 'MT_INTERNAL';
  }
}

/** A value is outside what an operation takes. */
export class ValueError extends MiniTensorError {
  /** @param {string} message */
  constructor(message) {
    super(message, { code: 'MT_VALUE' });
  }
}

/** Nothing has this name. */
export class KeyError extends MiniTensorError {
  /** @param {string} message */
  constructor(message) {
    super(message, { code: 'MT_KEY' });
  }
}

/** This build, op or layer does not do that. */
export class NotImplementedError extends MiniTensorError {
  /** @param {string} message */
  constructor(message) {
    super(message, { code: 'MT_NOT_IMPLEMENTED' });
  }
}

/** Shapes or axes do not fit. */
export class ShapeError extends MiniTensorError {
  /** @param {string} message */
  constructor(message) {
    super(message, { code: 'MT_SHAPE' });
  }
}

/** An element type does not fit. */
export class DTypeError extends MiniTensorError {
  /** @param {string} message */
  constructor(message) {
    super(message, { code: 'MT_DTYPE' });
  }
}

/**
 * @typedef {object} PluginErrorDetails
 * @property {string} [phase] the step that failed: `fetch`, `integrity`, `signature`, `read`, `metadata`, `version`,
 *   `imports`, `isolate`, `compile`, `link`, `create`, `initialize`, `call`, `cleanup`, `unload`, `lookup`
 * @property {string} [plugin] the plugin's name, empty while it is not known
 * @property {readonly string[]} [symbols] the symbols the error is about
 * @property {string} [hint] what to do about it
 * @property {unknown} [cause]
 */

/** A plugin cannot be loaded, used or unloaded. */
export class PluginError extends MiniTensorError {
  /**
   * @param {string} message
   * @param {PluginErrorDetails} [details]
   */
  constructor(message, details = {}) {
    super(message, { code: 'MT_PLUGIN', ...('cause' in details ? { cause: details.cause } : {}) });
    /** The step that failed. */
    this.phase = details.phase ?? '';
    /** The plugin's name, empty while it is not known. */
    this.plugin = details.plugin ?? '';
    /** The symbols the error is about. @type {readonly string[]} */
    this.symbols = details.symbols ?? [];
    /** What to do about it. */
    this.hint = details.hint ?? '';
  }
}

/** The class for each code of the core; MiniTensorError for the others. A test compares this with the core's list. */
export const errorClasses = {
  MT_VALUE: ValueError,
  MT_KEY: KeyError,
  MT_NOT_IMPLEMENTED: NotImplementedError,
  MT_SHAPE: ShapeError,
  MT_DTYPE: DTypeError,
  MT_PLUGIN: PluginError,
};

// Names in the core's own messages. Elsewhere, such a name is a plugin's, a file's or a symbol's.
const OWN_NAMES = new RegExp([
  '^(?:(?:un)?load_plugin|get_plugin(?:_info)?|register_plugin)(?=:)',
  '(?<=^PluginBuilder: .*)m(?:in|ax)_minitensor_version',
  '(?<=^layer ".*": )add_parameter(?=:)',
].join('|'), 'g');

/**
 * Has a message of the core give names as JavaScript has them.
 * @param {string} message
 */
function respell(message) {
  return message.replace(OWN_NAMES, (name) =>
    (name === 'register_plugin' ? 'register' : name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())));
}

/**
 * The error that the core noted, as one of these classes.
 * @param {import('./core_module.js').CoreError} noted
 * @returns {MiniTensorError}
 */
export function errorFromCore(noted) {
  const message = respell(noted.message);
  if (noted.code === 'MT_PLUGIN') {
    const { cause, ...details } = noted;
    return new PluginError(message, cause ? { ...details, cause: errorFromCore(cause) } : details);
  }
  const known = /** @type {Record<string, new (message: string) => MiniTensorError>} */ (errorClasses);
  const Class = known[noted.code];
  return Class ? new Class(message) : new MiniTensorError(message, { code: noted.code });
}
