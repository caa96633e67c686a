/*
 * How a WebAssembly file is made up. The format: https://webassembly.github.io/spec/core/binary/modules.html.
 */

const HEADER_SIZE = 8;
const SECTIONS = [
  'custom', 'type', 'import', 'function', 'table', 'memory', 'global', 'export', 'start', 'element', 'code', 'data',
  'data count', 'tag',
];
const CODE = SECTIONS.indexOf('code');
const FUNCTION_KIND = 'function';

/**
 * @typedef {object} Section
 * @property {string} name
 * @property {Uint8Array} bytes with its own header
 *
 * @typedef {object} WasmFile
 * @property {Section[]} sections
 * @property {Uint8Array[]} functions the code of each function that the file defines, in order
 * @property {number} importedFunctions how many functions come before these
 */

/**
 * @param {Uint8Array<ArrayBuffer>} bytes of a valid module
 * @returns {WasmFile}
 */
export function readWasm(bytes) {
  /** @type {Section[]} */
  const sections = [];
  /** @type {Uint8Array[]} */
  const functions = [];
  for (let at = HEADER_SIZE; at < bytes.length;) {
    const id = Number(bytes[at]);
    const size = readNumber(bytes, at + 1);
    const end = size.next + size.value;
    sections.push({ name: SECTIONS[id] ?? `section ${id}`, bytes: bytes.subarray(at, end) });
    if (id === CODE) functions.push(...codeEntries(bytes, size.next));
    at = end;
  }
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  return { sections, functions, importedFunctions: imports.filter(({ kind }) => kind === FUNCTION_KIND).length };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start of the section's content
 */
function* codeEntries(bytes, start) {
  const count = readNumber(bytes, start);
  let at = count.next;
  for (let i = 0; i < count.value; i++) {
    const size = readNumber(bytes, at);
    const end = size.next + size.value;
    yield bytes.subarray(size.next, end);
    at = end;
  }
}

/**
 * An unsigned number in LEB128.
 *
 * @param {Uint8Array} bytes
 * @param {number} start
 * @returns {{ value: number, next: number }}
 */
function readNumber(bytes, start) {
  let value = 0;
  let next = start;
  for (let scale = 1; ; scale *= 128) {
    const byte = Number(bytes[next++]);
    value += (byte % 128) * scale;
    if (byte < 128) return { value, next };
  }
}
