import { checkedCopy, requireObject, show } from './check.js';
import { dtypeFromNumber } from './dtype.js';
import { ValueError } from './errors.js';
import { decodeValues, encodeValues } from './wire.js';

/** @typedef {import('./core_module.js').AttributeSpec} AttributeSpec */
/** @typedef {import('./core_module.js').AttributeType} AttributeType */
/** @typedef {import('./core_module.js').AttributeValue} AttributeValue */
/** @typedef {Record<string, AttributeValue | undefined>} AttributesInput */

/**
 * The types that values have; others are given as one of these.
 * @typedef {'number' | 'string' | 'boolean' | 'integers'} ValueType
 */

/** No attributes. */
export const noAttributes = new Uint8Array();

/**
 * The type of a value that is given for an attribute, and the value; of an array a copy.
 * @param {unknown} value
 * @param {string} what for the message, of an op or a layer type
 * @param {string} [name] of the attribute, for the message
 * @returns {{ type: ValueType, value: AttributeValue }}
 */
export function attributeValue(value, what, name) {
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'string') return { type: 'string', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  const full = name === undefined ? what : `${what}: attribute ${show(name)}`;
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(54, value) !== value) throw new ValueError(`${full}: ${show(value)} is no safe integer`);
    return { type: 'number', value: Number(value) };
  }
  if (!Array.isArray(value)) {
    throw new TypeError(`${full} must be a number, a string, a boolean or an array of integers, not ${show(value)}`);
  }
  const integers = checkedCopy(value, (item, index) => {
    if (!Number.isSafeInteger(item)) throw new TypeError(`${full}[${index}] must be an integer, not ${show(item)}`);
  });
  return { type: 'integers', value: /** @type {number[]} */ (integers) };
}

/**
 * The names and values of attributes, encoded. One that is undefined is not given.
 * @param {AttributesInput | undefined} attributes
 * @param {string} what names the op or layer type in messages
 */
export function encodeAttributes(attributes, what) {
  if (attributes === undefined) return noAttributes;
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    const shown = show(attributes);
    throw new TypeError(`${what}: attributes must be an object of names and values, as { axis: 0 }, not ${shown}`);
  }
  /** @type {AttributeValue[]} */
  const items = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) items.push(name, attributeValue(value, what, name).value);
  }
  if (items.length === 0) return noAttributes;
  return encodeValues([items]);
}

/**
 * The values of named attributes, checked and copied. One that is undefined is not given.
 * @param {unknown} attributes
 * @param {string} what names the op in messages
 * @returns {Record<string, AttributeValue>}
 */
export function copyAttributes(attributes, what) {
  if (attributes === undefined) return {};
  requireObject(attributes, `${what}: attributes`);
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, given]) => [name, attributeValue(given, what, name).value]),
  );
}

/**
 * The values of all declared attributes, by name.
 * @param {Uint8Array} bytes in the order of declaration
 * @param {readonly AttributeSpec[]} specs
 * @returns {Record<string, AttributeValue>}
 */
export function decodeAttributes(bytes, specs) {
  if (specs.length === 0) return {};
  const values = decodeValues(bytes);
  // Not by assignment, which does something else for a name like __proto__.
  return Object.fromEntries(specs.map(({ name, type }, index) => {
    const value = /** @type {AttributeValue} */ (values[index]);
    return [name, type === 'dtype' ? dtypeFromNumber(/** @type {number} */ (value)) : value];
  }));
}
