/*
 * What knows Node from a browser: this, and thread.js.
 */

/** @typedef {string | URL | BufferSource | WebAssembly.Module} WasmSource */

/** @type {typeof process | undefined} */
const node = globalThis.process?.versions?.node ? globalThis.process : undefined;

// One letter before the colon is a drive of Windows.
const SCHEME = /^[a-z][a-z\d+.-]+:/i;

/** Whether addresses may be paths of files. */
export const hasFiles = node !== undefined;

/** @param {string} address absolute */
export function isFile(address) {
  return hasFiles && (!SCHEME.test(address) || /^file:/i.test(address));
}

/**
 * Makes an address absolute: a URL, or in Node a path. A relative one starts at `base`: the page, module or file of
 * that URL, or in Node the folder of that path. Without, it starts at the page, or in Node at the working folder.
 * @param {string} address
 * @param {string} [base]
 * @returns {string} it throws a TypeError when that is impossible
 */
export function resolveAddress(address, base) {
  if (SCHEME.test(address)) return new URL(address).href;
  if (node && (base === undefined || !SCHEME.test(base))) return joinPaths(joinPaths(node.cwd(), base ?? '.'), address);
  const place = globalThis.document?.baseURI ?? globalThis.location?.href;
  return new URL(address, base === undefined ? place : new URL(base, place)).href;
}

/**
 * @param {string} folder
 * @param {string} path
 */
function joinPaths(folder, path) {
  if (/^([/\\]|[a-z]:)/i.test(path)) return path;
  const steps = path.replace(/^(\.(?:[/\\]+|$))+/, '');
  return steps === '' ? folder : `${folder.replace(/[/\\]$/, '')}/${steps}`;
}

/**
 * @typedef {object} FileContent
 * @property {Uint8Array<ArrayBuffer>} bytes
 * @property {number} size that the file has, as the system says; 0 of some that are no ordinary files
 */

/**
 * Reads a file, but not more than `maxBytes` and one.
 * @param {string} address a path or a file: URL
 * @param {number} maxBytes
 * @param {AbortSignal} [signal]
 * @returns {Promise<FileContent>}
 */
export async function readFile(address, maxBytes, signal) {
  // Without an import where possible, since bundlers for browsers stumble over it; Node before 20.16 needs one.
  const { constants, open } =
    node?.getBuiltinModule?.('node:fs/promises') ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises'));
  // A pipe to which nobody writes would be waited for.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  const file = await open(SCHEME.test(address) ? new URL(address) : address, flags);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file');
    // The size is a guess: of some files it is 0, and a file may grow.
    let bytes = new Uint8Array(Math.min(stat.size, maxBytes) + 1);
    let size = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, size, bytes.length - size);
      size += bytesRead;
      if (bytesRead === 0 || size > maxBytes) return { bytes: bytes.slice(0, size), size: stat.size };
      if (size === bytes.length) {
        const larger = new Uint8Array(Math.min(size * 2, maxBytes + 1));
        larger.set(bytes);
        bytes = larger;
      }
    }
  } finally {
    await file.close();
  }
}

/**
 * Compiles the core's WebAssembly.
 * @param {WasmSource} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileWasm(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const address = resolveAddress(String(source));
  if (isFile(address)) return WebAssembly.compile((await readFile(address, Infinity)).bytes);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.url}: the server answered ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] === 0x3c) throw new Error(`${source}: the server answered with a page, not with WebAssembly`);
  return WebAssembly.compile(bytes);
}
