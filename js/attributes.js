import { checkedCopy, requireObject, show } from './check.js';
import { dtypeFromNumber } from './dtype.js';

/** @typedef {import('./core_module.js').AttributeSpec} AttributeSpec */
/** @typedef {import('./core_module.js').AttributeType} AttributeType */
/** @typedef {import('./core_module.js').AttributeValue} AttributeValue */
/** @typedef {Record<string, AttributeValue | undefined>} AttributesInput */

// The form in which attributes cross to the core is described in bindings/attribute_codec.h.

/** Of the types that values have; others are given as one of these. */
const typeNumbers = /** @type {const} */ ({ number: 1, string: 2, boolean: 3, integers: 4 });

/** @typedef {keyof typeof typeNumbers} ValueType */

const encoder = new TextEncoder();
// A byte order mark is a character like any other here.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** No attributes. */
export const noAttributes = new Uint8Array();

/** Writes into one buffer, again and again. No code of the caller's may run meanwhile. */
class Writer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  /**
   * @param {number} size
   * @returns {number} where to write
   */
  #reserve(size) {
    const offset = this.#size;
    this.#size += size;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(this.#size * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return offset;
  }

  /** @param {number} value */
  uint8(value) {
    const offset = this.#reserve(1);
    this.#view.setUint8(offset, value);
  }

  /** @param {number} value */
  uint32(value) {
    const offset = this.#reserve(4);
    this.#view.setUint32(offset, value, true);
  }

  /** @param {number} value */
  float64(value) {
    const offset = this.#reserve(8);
    this.#view.setFloat64(offset, value, true);
  }

  /** @param {string} value */
  text(value) {
    // The encoder takes longer to start than a name takes to write.
    const bytes = /^[\0-\x7f]{0,32}$/.test(value) ? undefined : encoder.encode(value);
    const length = bytes?.length ?? value.length;
    this.uint32(length);
    const offset = this.#reserve(length);
    if (bytes) this.#bytes.set(bytes, offset);
    else for (let i = 0; i < length; i++) this.#bytes[offset + i] = value.charCodeAt(i);
  }

  /** Forgets what was written before. */
  start() {
    this.#size = 0;
  }

  /** A copy of what was written since. */
  finish() {
    return this.#bytes.slice(0, this.#size);
  }
}

const writer = new Writer();

/**
 * The type of a value that is given for an attribute, and the value; of an array a copy.
 * @param {unknown} value
 * @param {string} what for the message
 * @returns {{ type: ValueType, value: AttributeValue }}
 */
export function attributeValue(value, what) {
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'string') return { type: 'string', value };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  if (!Array.isArray(value)) {
    throw new TypeError(`${what} must be a number, a string, a boolean or an array of integers, not ${show(value)}`);
  }
  const integers = checkedCopy(value, (item, index) => {
    if (!Number.isSafeInteger(item)) throw new TypeError(`${what}[${index}] must be an integer, not ${show(item)}`);
  });
  return { type: 'integers', value: /** @type {number[]} */ (integers) };
}

/**
 * @param {ValueType} type
 * @param {AttributeValue} value of that type
 */
function writeValue(type, value) {
  writer.uint32(typeNumbers[type]);
  if (type === 'number') writer.float64(/** @type {number} */ (value));
  else if (type === 'string') writer.text(/** @type {string} */ (value));
  else if (type === 'boolean') writer.uint8(value ? 1 : 0);
  else {
    const integers = /** @type {readonly number[]} */ (value);
    writer.uint32(integers.length);
    for (const integer of integers) writer.float64(integer);
  }
}

/**
 * The bytes of named attributes. One that is undefined is not given.
 * @param {AttributesInput | undefined} attributes
 * @param {string} what names the op or layer type in messages
 */
export function encodeAttributes(attributes, what) {
  if (attributes === undefined) return noAttributes;
  requireObject(attributes, `${what}: attributes`);
  /** @type {{ name: string, type: ValueType, value: AttributeValue }[]} */
  const given = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) given.push({ name, ...attributeValue(value, `${what}: attribute ${show(name)}`) });
  }
  if (given.length === 0) return noAttributes;
  writer.start();
  writer.uint32(given.length);
  for (const { name, type, value } of given) {
    writer.text(name);
    writeValue(type, value);
  }
  return writer.finish();
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
      .map(([name, given]) => [name, attributeValue(given, `${what}: attribute ${show(name)}`).value]),
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  const uint32 = () => view.getUint32((offset += 4) - 4, true);
  const float64 = () => view.getFloat64((offset += 8) - 8, true);
  const text = () => {
    const length = uint32();
    return decoder.decode(bytes.subarray(offset, (offset += length)));
  };
  // Not by assignment, which does something else for a name like __proto__.
  return Object.fromEntries(
    specs.map(({ name, type }) => {
      offset += 4; // the type, which is as declared
      if (type === 'number' || type === 'integer') return [name, float64()];
      if (type === 'dtype') return [name, dtypeFromNumber(float64())];
      if (type === 'boolean') return [name, view.getUint8(offset++) !== 0];
      if (type === 'string') return [name, text()];
      return [name, Array.from({ length: uint32() }, float64)];
    }),
  );
}
