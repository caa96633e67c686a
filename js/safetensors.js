/*
 * The format safetensors, for tensors by name (the section "Format" of its documentation, and what its reference
 * implementation refuses):
 *
 *   8 bytes       the length of the header, little-endian, at most 100 MB
 *   the header    JSON in UTF-8: { dtype, shape, data_offsets: [begin, end] } by name, and optionally `__metadata__`,
 *                 texts by name; then spaces
 *   the elements  in row-major order, little-endian; they fill the file without gaps
 */
import { isPlainObject, requireObject, requireOptions, requireString, show } from './check.js';
import { ValueError } from './errors.js';
import { bytesOf, readBytes } from './file_bytes.js';
import { byteSize, bytesOfTensor, elementOf, elementSize, tensorOf } from './file_elements.js';
import { requireAnyTensor, requireInstance } from './instance_arguments.js';
import { METADATA, RESERVED, parseSafetensorsHeader, safetensorsTypes } from './safetensors_header.js';

/** @typedef {import('./file_bytes.js').Bytes} Bytes */
/** @typedef {import('./file_bytes.js').FileSource} FileSource */
/** @typedef {import('./instance.js').MiniTensor} MiniTensor */
/** @typedef {import('./safetensors_header.js').Entry} Entry */
/** @typedef {import('./tensor.js').Tensor} Tensor */

/**
 * What a file holds.
 * @typedef {object} Safetensors
 * @property {Record<string, Tensor>} tensors what `loadStateDict` takes
 * @property {Record<string, string>} metadata
 */

/**
 * @typedef {object} SafetensorsOptions
 * @property {Readonly<Record<string, string>>} [metadata]
 */

const MAX_HEADER = 100_000_000;
const PREFIX = 8;

/**
 * The tensors of a safetensors file. Elements keep their values exactly: I8, I16 and U16 become int32, U32 and U64
 * int64 (a ValueError for a value beyond it), F16 and BF16 float32. Others are a DTypeError.
 * @param {MiniTensor} mt
 * @param {Bytes} bytes
 * @returns {Safetensors}
 */
export function decodeSafetensors(mt, bytes) {
  return decode(mt, bytes, 'decodeSafetensors');
}

/**
 * The same of what has to be waited for.
 * @param {MiniTensor} mt
 * @param {FileSource} source
 * @returns {Promise<Safetensors>}
 */
export async function readSafetensors(mt, source) {
  requireInstance(mt, 'readSafetensors');
  return decode(mt, await readBytes(source, 'readSafetensors'), 'readSafetensors');
}

/**
 * A safetensors file of tensors by name, such as `stateDict` gives.
 * @param {Readonly<Record<string, Tensor>>} tensors
 * @param {SafetensorsOptions} [options]
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeSafetensors(tensors, options = {}) {
  const what = 'encodeSafetensors';
  requireObject(tensors, `${what}: tensors`);
  // A Map, a tensor or a layer has no properties, and would be a file without tensors.
  if (!isPlainObject(tensors)) {
    throw new TypeError(`${what}: tensors must be a plain object of tensors by name, such as layer.stateDict() gives`);
  }
  requireOptions(options, what, ['metadata']);
  const metadata = checkMetadata(options.metadata, what);
  const named = Object.entries(tensors).map(([name, tensor]) => {
    checkName(name, what);
    requireAnyTensor(tensor, `${what}: ${show(name)}`);
    const { dtype, shape } = tensor;
    const element = elementOf[dtype];
    return { name, tensor, shape, element, dtype: nameOfElement(element), size: byteSize(shape, element, what) };
  });
  /** @type {Record<string, object>} */
  const header = metadata ? { [METADATA]: metadata } : {};
  let end = 0;
  // The largest elements first: then each lies at a multiple of its size.
  const ordered = named.toSorted((a, b) => elementSize(b.element) - elementSize(a.element)).map((entry) => {
    const begin = end;
    end += entry.size;
    header[entry.name] = { dtype: entry.dtype, shape: entry.shape, data_offsets: [begin, end] };
    return { ...entry, begin };
  });
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = PREFIX + Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(start + end).fill(0x20, PREFIX, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(start - PREFIX), true);
  file.set(text, PREFIX);
  for (const { tensor, begin } of ordered) file.set(bytesOfTensor(tensor), start + begin);
  return file;
}

/** @param {import('./file_elements.js').ElementName} element */
function nameOfElement(element) {
  return Object.entries(safetensorsTypes).find(([, own]) => own === element)?.[0];
}

/**
 * @param {string} name
 * @param {string} what
 */
function checkName(name, what) {
  requireString(name, `${what}: a name`);
  if (RESERVED.includes(name)) throw new ValueError(`${what}: a tensor cannot have the name ${show(name)}`);
}

/**
 * @param {unknown} metadata
 * @param {string} what
 */
function checkMetadata(metadata, what) {
  if (metadata === undefined) return undefined;
  requireObject(metadata, `${what}: metadata`);
  const entries = Object.entries(metadata);
  for (const [name, text] of entries) {
    checkName(name, `${what}: metadata`);
    requireString(text, `${what}: metadata: ${show(name)}`);
  }
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/**
 * @param {unknown} mt
 * @param {unknown} source
 * @param {string} what
 * @returns {Safetensors}
 */
function decode(mt, source, what) {
  requireInstance(mt, what);
  const bytes = bytesOf(source, `${what}: bytes`);
  const { text, start } = splitHeader(bytes, what);
  const { entries, metadata } = parseSafetensorsHeader(text, what);
  const elements = bytes.subarray(start);
  requireTiling(entries, elements.length, what);
  /** @type {[string, Tensor][]} */
  const tensors = [];
  try {
    for (const { name, element, shape, begin, end } of entries) {
      tensors.push([name, tensorOf(mt, elements.subarray(begin, end), shape, element)]);
    }
  } catch (error) {
    for (const [, tensor] of tensors) tensor.dispose();
    throw error;
  }
  return { tensors: Object.fromEntries(tensors), metadata };
}

/**
 * @param {Uint8Array} bytes
 * @param {string} what
 * @returns {{ text: string, start: number }} the header, and where the elements begin
 */
function splitHeader(bytes, what) {
  if (bytes.length < PREFIX) {
    throw new ValueError(`${what}: this is no safetensors file: it has ${bytes.length} bytes, fewer than ${PREFIX}`);
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  if (length > MAX_HEADER) {
    throw new ValueError(`${what}: this is no safetensors file: a header of ${length} bytes is over ${MAX_HEADER}`);
  }
  const start = PREFIX + Number(length);
  if (bytes.length < start) {
    throw new ValueError(`${what}: the header ends at byte ${start}, and the file has only ${bytes.length}`);
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(bytes.subarray(PREFIX, start)), start };
  } catch {
    throw new ValueError(`${what}: the header is no UTF-8 text`);
  }
}

/**
 * Checks that the tensors lie one after the other, from the first byte to the last.
 * @param {readonly Entry[]} entries
 * @param {number} length
 * @param {string} what
 */
function requireTiling(entries, length, what) {
  const ordered = entries.toSorted((a, b) => a.begin - b.begin || a.end - b.end);
  let end = 0;
  let before = 'the beginning';
  for (const entry of ordered) {
    const name = show(entry.name);
    const expected = byteSize(entry.shape, entry.element, `${what}: ${name}`);
    if (entry.end - entry.begin !== expected) {
      throw new ValueError(`${what}: ${name}: shape [${entry.shape}] takes ${expected} bytes, and data_offsets are `
        + `[${entry.begin}, ${entry.end}]`);
    }
    if (entry.begin !== end) {
      const wrong = entry.begin < end ? 'overlaps' : 'leaves a gap after';
      throw new ValueError(`${what}: ${name} begins at ${entry.begin} and ${wrong} ${before}, which ends at ${end}`);
    }
    ({ end } = entry);
    before = name;
  }
  if (end !== length) {
    throw new ValueError(`${what}: the tensors have ${end} bytes; after the header are ${length}`);
  }
}
