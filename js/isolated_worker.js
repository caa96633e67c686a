/*
 * What runs in the worker of an isolated plugin: an instance that has loaded this one plugin.
 */
import create from './core/minitensor.js';
import { createInstance } from './instance.js';
import { buffersOf, packError } from './isolated_messages.js';
import { serve } from './load.js';

/** @typedef {import('./exports.js').MiniTensor} MiniTensor */
/** @typedef {import('./isolated_messages.js').LoadRequest} LoadRequest */
/** @typedef {import('./isolated_messages.js').RunRequest} RunRequest */
/** @typedef {import('./isolated_messages.js').Reply} Reply */

/*
 * A plugin that overwrites the engine's data may have the engine ask its JavaScript for other properties of arrays and
 * objects than it means to. From any of them, `x.constructor.constructor` would be the way to make code of text.
 */
for (const kind of [() => {}, async () => {}, function* () {}, async function* () {}]) {
  Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: undefined, configurable: false });
}

/** @type {MiniTensor | undefined} */
let mt;

/**
 * @param {LoadRequest} request
 * @returns {Promise<import('./isolated_messages.js').LoadedReply>}
 */
async function load({ core, inspector, initialPages, maximumPages, file, origin, name }) {
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages });
  mt = await createInstance({ create, wasm: core, parts: () => ({ inspector }), memory,
    memoryLimit: maximumPages * 65536 });
  // A file's name is what messages call it.
  const source = file instanceof Uint8Array ? new File([file], origin) : file;
  const options = { maxBytes: Number.MAX_SAFE_INTEGER, ...(name === undefined ? {} : { name }) };
  const info = await mt.plugins.loadPlugin(source, options);
  const { customOps } = mt;
  const ops = customOps.list().map((op) => customOps.describe(op));
  return { info: fieldsOf(info), ops };
}

/**
 * As plain data.
 * @param {import('./plugin_info.js').PluginInfo} info
 * @returns {import('./core_module.js').PluginInfoFields}
 */
function fieldsOf({ name, version, description, author, minMinitensorVersion, maxMinitensorVersion }) {
  return {
    name,
    version: numbersOf(version),
    description,
    author,
    minMinitensorVersion: numbersOf(minMinitensorVersion),
    ...(maxMinitensorVersion ? { maxMinitensorVersion: numbersOf(maxMinitensorVersion) } : {}),
  };
}

/** @param {import('./version_info.js').VersionInfo} version */
function numbersOf({ major, minor, patch }) {
  return { major, minor, patch };
}

/**
 * @param {RunRequest} request
 * @returns {import('./isolated_messages.js').PackedTensor[]}
 */
function run({ kind, op, inputs, attributes }) {
  const instance = /** @type {MiniTensor} */ (mt);
  const { Tensor, customOps } = instance;
  return instance.tidy(() => {
    const tensors = inputs.map(({ data, shape, dtype }) => new Tensor(data, { shape, dtype }));
    const results = kind === 'execute'
      ? [customOps.execute(op, tensors, attributes)]
      : customOps.gradients(op, tensors.slice(0, -1), /** @type {typeof tensors[0]} */ (tensors.at(-1)), attributes);
    return results.map((result) => ({ data: result.toTypedArray(), shape: [...result.shape], dtype: result.dtype }));
  });
}

serve(async (/** @type {LoadRequest | RunRequest} */ request) => {
  try {
    if (request.kind === 'load') return { reply: { value: await load(request) }, transfer: [] };
    const value = run(request);
    return { reply: { value }, transfer: buffersOf(value) };
  } catch (error) {
    return { reply: { error: packError(error) }, transfer: [] };
  }
});
