import { init } from 'minitensor';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */

/**
 * An instance, and what its core takes of the engine that a test can see in no other way: bytes of memory, slots of the
 * table of functions, and how many of those are used.
 * @param {Parameters<typeof init>[0]} [options]
 * @returns {Promise<{ mt: MiniTensor, measure: () => { bytes: number, slots: number, used: number } }>}
 */
export async function initMeasured(options) {
  const { instantiate } = WebAssembly;
  /** @type {unknown[]} */
  const found = [];
  /**
   * @param {WebAssembly.Module} source
   * @param {WebAssembly.Imports} imports
   */
  const spy = async (source, imports) => {
    const result = /** @type {WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource} */ (
      await instantiate(source, imports)
    );
    const { exports } = 'exports' in result ? result : result.instance;
    const values = [exports, ...Object.values(imports)].flatMap((namespace) => Object.values(namespace));
    found.push(...values);
    return result;
  };
  WebAssembly.instantiate = /** @type {typeof instantiate} */ (/** @type {unknown} */ (spy));
  try {
    const mt = await init(options);
    const memory = found.find((value) => value instanceof WebAssembly.Memory);
    const table = found.find((value) => value instanceof WebAssembly.Table);
    if (!memory || !table) throw new Error('the core has no memory, or no table');
    const measure = () => {
      let used = 0;
      for (let slot = 0; slot < table.length; slot++) if (table.get(slot) !== null) used++;
      return { bytes: memory.buffer.byteLength, slots: table.length, used };
    };
    return { mt, measure };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}
