/*
 * The one place that knows Node from a browser.
 */

/** @typedef {string | URL | BufferSource | WebAssembly.Module} WasmSource */

/** @type {typeof process | undefined} */
const node = globalThis.process?.versions?.node ? globalThis.process : undefined;

/** @param {string} address */
function isWebAddress(address) {
  return /^(https?|data|blob):/i.test(address);
}

/**
 * Reads a file or a URL. In Node, what is not a URL is a path, relative to the working folder; elsewhere it is relative
 * to the page.
 * @template T
 * @param {string | URL} address
 * @param {(response: Response) => Promise<T>} fromResponse what to make of a server's answer
 * @returns {Promise<T | { bytes: Uint8Array<ArrayBuffer>, origin: string }>}
 */
export async function readUrl(address, fromResponse) {
  const text = String(address);
  if (!node || isWebAddress(text)) return fromResponse(await fetch(address));
  // Without an import where possible, since bundlers for browsers stumble over it; Node before 20.16 needs one.
  const { readFile } =
    node.getBuiltinModule?.('node:fs/promises') ??
    (await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises'));
  return { bytes: new Uint8Array(await readFile(text.startsWith('file:') ? new URL(text) : text)), origin: text };
}

/**
 * Compiles the core's WebAssembly.
 * @param {WasmSource} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileWasm(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== 'string' && !(source instanceof URL)) return WebAssembly.compile(source);
  const { bytes } = await readUrl(source, async (response) => {
    if (!response.ok) throw new Error(`${response.url}: the server answered ${response.status}`);
    return { bytes: new Uint8Array(await response.arrayBuffer()) };
  });
  if (bytes[0] === 0x3c) throw new Error(`${source}: the server answered with a page, not with WebAssembly`);
  return WebAssembly.compile(bytes);
}
