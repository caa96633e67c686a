/*
 * The header of safetensors files. JSON.parse would take the last of two members of one name, round numbers and nest as
 * deep as the file likes; this reads exactly what the format has, which needs no recursion.
 */
import { requireString, show } from './check.js';
import { DTypeError, ValueError } from './errors.js';
import { HeaderReader } from './file_header.js';

/** @typedef {import('./file_elements.js').ElementName} ElementName */

/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {ElementName} element
 * @property {readonly number[]} shape
 * @property {number} begin
 * @property {number} end
 */

export const METADATA = '__metadata__';
/** No names of tensors: the format has one for itself, and objects the other. */
export const RESERVED = [METADATA, '__proto__'];

/** @satisfies {Record<string, ElementName>} */
export const safetensorsTypes = /** @type {const} */ ({
  BOOL: 'b1',
  I8: 'i1',
  I16: 'i2',
  I32: 'i4',
  I64: 'i8',
  U8: 'u1',
  U16: 'u2',
  U32: 'u4',
  U64: 'u8',
  F16: 'f2',
  BF16: 'bf2',
  F32: 'f4',
  F64: 'f8',
});

/**
 * @param {string} text
 * @param {string} what for messages
 * @returns {{ entries: readonly Entry[], metadata: Record<string, string> }}
 */
export function parseSafetensorsHeader(text, what) {
  const reader = new HeaderReader(text, what);
  /** @type {Entry[]} */
  const entries = [];
  /** @type {Record<string, string>} */
  let metadata = {};
  if (!text.startsWith('{')) reader.fail('\'{\'');
  readMembers(reader, what, (name) => {
    if (name === METADATA) metadata = readMetadata(reader, `${what}: ${METADATA}`);
    else entries.push(readEntry(reader, name, `${what}: ${show(name)}`));
  });
  reader.expectEnd();
  return { entries, metadata };
}

/**
 * Reads a JSON object.
 * @param {HeaderReader} reader
 * @param {string} what
 * @param {(name: string) => void} readMember reads the value
 */
function readMembers(reader, what, readMember) {
  /** @type {Set<string>} */
  const seen = new Set();
  reader.expect('{');
  if (reader.take('}')) return;
  do {
    const name = readText(reader, what);
    if (name === '__proto__') throw new ValueError(`${what}: the name "__proto__" is refused`);
    if (seen.has(name)) throw new ValueError(`${what}: the header has ${show(name)} twice`);
    seen.add(name);
    reader.expect(':');
    readMember(name);
  } while (reader.take(','));
  reader.expect('}');
}

/**
 * @param {HeaderReader} reader
 * @param {string} what
 * @returns {string}
 */
function readText(reader, what) {
  const quoted = reader.quoted('"');
  try {
    const text = JSON.parse(quoted);
    requireString(text, what);
    return text;
  } catch {
    throw new ValueError(`${what}: the header has text that is not valid in JSON: ${show(quoted)}`);
  }
}

/**
 * @param {HeaderReader} reader
 * @param {string} what
 */
function readMetadata(reader, what) {
  /** @type {[string, string][]} */
  const texts = [];
  readMembers(reader, what, (name) => texts.push([name, readText(reader, what)]));
  return Object.fromEntries(texts);
}

/**
 * @param {HeaderReader} reader
 * @param {string} name
 * @param {string} what
 * @returns {Entry}
 */
function readEntry(reader, name, what) {
  /** @type {{ dtype?: ElementName, shape?: readonly number[], data_offsets?: readonly number[] }} */
  const fields = {};
  readMembers(reader, what, (field) => {
    if (field === 'dtype') fields.dtype = readType(reader, what);
    else if (field === 'shape' || field === 'data_offsets') fields[field] = readSizes(reader);
    else throw new ValueError(`${what}: ${show(field)} is not known; dtype, shape and data_offsets are`);
  });
  const { dtype: element, shape, data_offsets: offsets } = fields;
  if (element === undefined || shape === undefined || offsets === undefined) {
    throw new ValueError(`${what}: must have dtype, shape and data_offsets`);
  }
  const [begin = 0, end = 0] = offsets;
  if (offsets.length !== 2 || begin > end) {
    throw new ValueError(`${what}: data_offsets must be [begin, end], not [${offsets.slice(0, 8)}]`);
  }
  return { name, element, shape, begin, end };
}

/**
 * @param {HeaderReader} reader
 * @param {string} what
 * @returns {ElementName}
 */
function readType(reader, what) {
  const name = readText(reader, what);
  if (Object.hasOwn(safetensorsTypes, name)) return safetensorsTypes[/** @type {keyof safetensorsTypes} */ (name)];
  const known = Object.keys(safetensorsTypes).join(', ');
  throw new DTypeError(`${what}: elements of dtype ${show(name)} are not read; those of ${known} are`);
}

/** @param {HeaderReader} reader */
function readSizes(reader) {
  /** @type {number[]} */
  const sizes = [];
  reader.expect('[');
  if (reader.take(']')) return sizes;
  do sizes.push(reader.size());
  while (reader.take(','));
  reader.expect(']');
  return sizes;
}
