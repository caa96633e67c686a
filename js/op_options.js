import { isPlainObject } from './check.js';

/**
 * The attributes of an op that takes its first ones as arguments and the rest as options. Options may stand in the
 * place of arguments that are left out. What is none becomes an attribute "options", which no op has, so that it is
 * refused.
 *
 * @param {readonly string[]} names
 * @param {readonly unknown[]} values of as many
 * @param {unknown} options
 * @returns {object}
 */
export function withOptions(names, values, options) {
  const last = values.findLastIndex((value) => value !== undefined);
  const isEarly = options === undefined && isPlainObject(values[last]);
  const given = isEarly ? values[last] : options;
  /** @type {Record<string, unknown>} */
  const attributes = isPlainObject(given) ? { ...given } : { options: given };
  for (const [i, name] of names.entries()) {
    if (values[i] !== undefined && !(isEarly && i === last)) attributes[name] = values[i];
  }
  return attributes;
}
