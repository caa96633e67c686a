/*
 * A WebAssembly.Module does not give its bytes. It tells its imports, its exports and its custom sections, and that is
 * all that is checked before a plugin runs. So a file is made that has these and nothing else, for the same checks to
 * read. The format: https://webassembly.github.io/spec/core/binary/modules.html.
 */
import { concatenate } from './bytes.js';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const Section = /** @type {const} */ ({ custom: 0, type: 1, import: 2, export: 7 });

/** What the checks read, in the order in which it stands in a file. */
const FIRST_SECTION = 'dylink.0';
const LAST_SECTIONS = ['minitensor.plugin', 'minitensor.core'];

const I32 = 0x7f;
const FUNCREF = 0x70;

/**
 * The number and a type for each kind of import; types are not told, so these are the simplest.
 * @type {Record<WebAssembly.ImportExportKind | 'tag', readonly number[]>}
 */
const kinds = {
  function: [0, 0],
  table: [1, FUNCREF, 0, 0],
  memory: [2, 0, 0],
  global: [3, I32, 0],
  tag: [4, 0, 0],
};

const encoder = new TextEncoder();

/**
 * An unsigned LEB128.
 * @param {number} value
 * @returns {number[]}
 */
function leb128(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(Math.floor(value / 0x80))];
}

/**
 * @param {Iterable<number>} content
 * @returns {number[]} it, after its length
 */
function sized(content) {
  const bytes = [...content];
  return [...leb128(bytes.length), ...bytes];
}

/** @param {string} text */
function name(text) {
  return sized(encoder.encode(text));
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => number[]} encode
 */
function list(items, encode) {
  return [...leb128(items.length), ...items.flatMap(encode)];
}

/**
 * @param {number} id
 * @param {number[]} content
 */
function section(id, content) {
  return Uint8Array.from([id, ...sized(content)]);
}

/**
 * Without spreading the content, of which there may be megabytes.
 * @param {WebAssembly.Module} module
 * @param {string} title
 * @returns {Uint8Array[]}
 */
function customSections(module, title) {
  const head = name(title);
  return WebAssembly.Module.customSections(module, title).flatMap((content) => [
    Uint8Array.of(Section.custom, ...leb128(head.length + content.byteLength), ...head),
    new Uint8Array(content),
  ]);
}

/**
 * @param {WebAssembly.Module} module
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function skeletonOf(module) {
  const imports = WebAssembly.Module.imports(module);
  const exports = WebAssembly.Module.exports(module);
  return concatenate([
    Uint8Array.from(HEADER),
    ...customSections(module, FIRST_SECTION),
    section(Section.type, [1, 0x60, 0, 0]),
    section(Section.import, list(imports, (one) => [...name(one.module), ...name(one.name), ...kinds[one.kind]])),
    section(Section.export, list(exports, (one) => [...name(one.name), kinds[one.kind][0] ?? 0, 0])),
    ...LAST_SECTIONS.flatMap((title) => customSections(module, title)),
  ]);
}
