/*
 * What runs in the worker of an isolated plugin: an instance that has loaded this one plugin.
 */
import create from './core/minitensor.js';
import { createInstance } from './instance.js';
import { buffersOf, packError } from './isolated_messages.js';
import { serve } from './thread.js';

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

/** How many lines of its log a plugin can have told in one call. */
const MAX_LINES = 1000;

/** @type {MiniTensor | undefined} */
let mt;
let lines = 0;

/**
 * @param {LoadRequest} request
 * @param {(reply: Reply) => void} post
 * @returns {Promise<import('./isolated_messages.js').LoadedReply>}
 */
async function load({ core, inspector, initialPages, maximumPages, file, origin, name, logs }, post) {
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: maximumPages });
  const onLog = (/** @type {string} */ plugin, /** @type {string} */ line) => {
    // A plugin may write without end, faster than anybody reads.
    if (++lines < MAX_LINES) post({ log: [plugin, line] });
    else if (lines === MAX_LINES) post({ log: [plugin, `${line} (the last line of this call)`] });
  };
  mt = await createInstance({ create, wasm: core, parts: () => ({ inspector }), memory,
    memoryLimit: maximumPages * 65536 }, logs ? { onLog } : {});
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

/** What has stopped the plugin. */
function faultOf() {
  try {
    return mt?.plugins.listPlugins()[0]?.fault ?? '';
  } catch {
    return 'its engine does not answer';
  }
}

serve(async (/** @type {LoadRequest | RunRequest} */ request, post) => {
  /** @type {(reply: Reply, transfer?: readonly ArrayBufferLike[]) => void} */
  const answer = post;
  lines = 0;
  try {
    if (request.kind === 'load') {
      answer({ value: await load(request, answer), fault: faultOf() });
    } else {
      const value = run(request);
      answer({ value, fault: faultOf() }, buffersOf(value));
    }
  } catch (error) {
    answer({ error: packError(error), fault: faultOf() });
  }
});
