/*
 * The types of the public API, as its users see them: this file is compiled under strict and never run. Each line after
 * a @ts-expect-error must not compile, or compiling the file fails.
 */
import { MiniTensorError, PluginError, ValueError, VersionInfo, init } from 'minitensor';
import { decodeSafetensors, encodeNpy, encodeSafetensors, readNpy } from 'minitensor/files';
import { AdamW, SGD } from 'minitensor/optim';
import { init as initStatic } from 'minitensor/static';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').Tensor} Tensor */
/** @typedef {import('minitensor').OpDefinition} OpDefinition */
/** @typedef {import('minitensor').PluginInspection} PluginInspection */
/** @typedef {import('minitensor').LoadOptions} LoadOptions */

/**
 * @param {MiniTensor} mt
 * @returns {Tensor}
 */
export function tensors(mt) {
  const x = new mt.Tensor([[1, 2], [3, 4]], { dtype: 'float64' });
  new mt.Tensor(new Float32Array(4), { shape: [2, 2] });
  new mt.Tensor(5);
  // @ts-expect-error text is no number
  new mt.Tensor(['1']);
  // @ts-expect-error unknown dtype
  new mt.Tensor([1], { dtype: 'float16' });
  /** @type {readonly number[]} */
  const shape = x.shape;
  // @ts-expect-error a shape is read-only
  x.shape[0] = shape.length;
  // @ts-expect-error the dtype is read-only
  x.dtype = 'float32';
  /** @type {Float32Array | Float64Array} */
  const data = x.toTypedArray();
  return x.add(1).matmul([[1, 2], [3, 4]]).sum({ axis: [0], keepDims: true }).add(data);
}

/** @param {MiniTensor} mt */
export async function files(mt) {
  const x = await readNpy(mt, fetch('x.npy'));
  new Blob([encodeNpy(x), encodeSafetensors({ x }, { metadata: { epochs: '3' } })]);
  // @ts-expect-error metadata are texts
  encodeSafetensors({ x }, { metadata: { epochs: 3 } });
  // @ts-expect-error text is no file
  decodeSafetensors(mt, '{}');
  const file = decodeSafetensors(mt, await new Response().arrayBuffer());
  new mt.plugins.CustomLayer(file.metadata['name'] ?? '').loadStateDict(file.tensors);
}

/**
 * @param {MiniTensor} mt
 * @param {Tensor} x
 */
export function optimizers(mt, x) {
  const optimizer = new SGD(mt, [x], { lr: 0.1, momentum: 0.9, nesterov: true });
  optimizer.lr /= 2;
  optimizer.step();
  new AdamW(mt, new Set([x]), { betas: [0.9, 0.99] }).loadStateDict(optimizer.stateDict());
  // @ts-expect-error an option of AdamW
  new SGD(mt, [x], { betas: [0.9, 0.99] });
  // @ts-expect-error numbers are no parameters
  new AdamW(mt, [1]);
}

/** @param {MiniTensor} mt */
export function functions(mt) {
  const y = mt.add([1, 2], 3);
  mt.reshape(y, { shape: [2, 1] });
  // @ts-expect-error an attribute is missing
  mt.reshape(y);
  // @ts-expect-error an input is missing
  mt.add(y);
  // @ts-expect-error no such op
  mt.addd(y, y);
  // @ts-expect-error not a boolean
  mt.sum(y, { keepDims: 'yes' });
  /** @type {Tensor[]} */
  const parts = mt.concat([y, 1]).split({ sections: 2 });
  const { values, indices } = mt.stack(parts, { axis: 1 }).topk({ k: 1 });
  values.take(indices, { axis: 0 });
  // @ts-expect-error a list is wanted
  mt.concat(y, y);
  // @ts-expect-error no such output
  mt.unique(y).keys;
  /** @type {number} */
  const count = mt.memory().tensors;
  const { pair } = mt.tidy(() => ({ pair: /** @type {const} */ ([mt.exp(y), mt.neg(y)]) }));
  pair[1].dispose();
  // @ts-expect-error there are two
  pair[2].dispose();
  return count;
}

/**
 * @param {MiniTensor} mt
 * @returns {OpDefinition}
 */
export function customOps(mt) {
  mt.customOps.register({
    name: 'hypot',
    numInputs: 2,
    attributes: { scale: 1, axes: { type: 'integers' }, mode: 'fast', exact: true },
    forward: ([a, b], { scale, axes, mode, exact }) => {
      /** @type {[string, boolean]} */
      const others = [mode, exact];
      return a.mul(a).add(b.mul(b)).mul(scale).sum({ axis: axes, keepDims: others[1] });
    },
    backward: ({ inputs: [a, b], gradOutput }) => [gradOutput.mul(a), gradOutput.mul(b)],
    outputShape: ([a]) => a.shape,
    outputDtype: ([a]) => a.dtype,
  });
  // @ts-expect-error the attribute is a text
  mt.customOps.register({ name: 'x', numInputs: 1, attributes: { a: '' }, forward: ([x], { a }) => x.sum({ axis: a }) });
  // @ts-expect-error forward is missing
  mt.customOps.register({ name: 'x', numInputs: 1 });
  // @ts-expect-error forward gives a tensor
  mt.customOps.register({ name: 'x', numInputs: 1, forward: () => 3 });
  // @ts-expect-error a promise is no tensor
  mt.customOps.register({ name: 'x', numInputs: 1, forward: async ([a]) => a });
  // @ts-expect-error unknown type of an attribute
  mt.customOps.register({ name: 'x', numInputs: 1, attributes: { a: { type: 'float' } }, forward: ([a]) => a });
  // @ts-expect-error inputs are a list
  mt.customOps.execute('hypot', 3);
  const name = ['hypot'].join('');
  const { values } = mt.customOps.execute('topk', [mt.customOps.execute(name, [3, 4])], { k: 1 });
  mt.customOps.execute('split', [values.add(mt.customOps.execute('hypot', [3, 4]))], { sections: 2 })[0]?.item();
  // @ts-expect-error no such output
  mt.customOps.execute('topk', [values]).keys;
  // @ts-expect-error one tensor
  mt.customOps.execute('add', [1, 2])[0];
  return { name: 'y', numInputs: 1, forward: ([a]) => a };
}

/** @param {MiniTensor} mt */
export async function plugins(mt) {
  const { PluginBuilder, PluginRegistry, CustomLayer } = mt.plugins;
  const plugin = new PluginBuilder().name('a').version(new VersionInfo(1, 0, 0)).description('').author('').build();
  // @ts-expect-error a version is three numbers
  new VersionInfo(1, 0);
  // @ts-expect-error a version is no text
  new PluginBuilder().version('1.0.0');
  // @ts-expect-error information is read-only
  plugin.info.name = 'b';
  plugin.setInitializeFn((registry) => registry.listPlugins());
  plugin.setCustomOperationsFn(() => [customOps(mt)]);
  // @ts-expect-error ops are definitions, not names
  plugin.setCustomOperationsFn(() => ['y']);
  const registry = new PluginRegistry();
  registry.register(plugin);
  // @ts-expect-error plugins are objects
  registry.register('a');
  /** @type {import('minitensor').CustomPlugin} */
  const found = registry.getPlugin('a');
  /** @type {import('minitensor').PluginInfo} */
  const info = await mt.plugins.loadPlugin(new URL('file:///a.wasm'));
  /** @type {PluginInspection} */
  const inspection = await mt.plugins.inspectPlugin('a.wasm', { base: import.meta.url, maxBytes: 9, timeoutMs: 5 });
  await mt.plugins.loadPlugin(fetch('a.wasm'), { integrity: 'sha256-', name: 'a', maxBytes: 9, timeoutMs: 5 });
  await mt.plugins.loadPlugin('a.wasm', { base: import.meta.url, signal: new AbortController().signal });
  await mt.plugins.loadPlugin('a.wasm', { trustedKeys: ['key', new Uint8Array(32)] });
  /** @type {LoadOptions} */
  const loadOptions = { base: new URL(import.meta.url) };
  await mt.plugins.loadPlugin(await WebAssembly.compile(new Uint8Array()), loadOptions);
  /** @type {import('minitensor').IsolatedPlugin} */
  const isolated = await mt.plugins.loadPlugin('a.wasm', { isolated: true, callTimeoutMs: 9, maxMemoryBytes: 2 ** 26 });
  /** @type {Tensor} */
  const result = await isolated.execute('swish', [[1, 2]], { beta: 1 });
  /** @type {Tensor[]} */
  const gradients = await isolated.gradients('swish', [result], 1);
  /** @type {[boolean, readonly string[], number]} */
  const about = [isolated.closed, isolated.ops, gradients.length];
  isolated.close();
  // @ts-expect-error only of an isolated plugin
  await mt.plugins.loadPlugin('a.wasm', { callTimeoutMs: 9 });
  // @ts-expect-error an isolated plugin is not in the instance
  isolated.version = about;
  // @ts-expect-error no such option
  await mt.plugins.loadPlugin('a.wasm', { integrty: 'sha256-' });
  // @ts-expect-error a size is a number
  await mt.plugins.loadPlugin('a.wasm', { maxBytes: '9' });
  // @ts-expect-error not a source
  await mt.plugins.loadPlugin(3);

  class Scale extends CustomLayer {
    /** @override @type {InstanceType<typeof CustomLayer>['forward']} */
    forward([x = 0]) {
      return this.getParameter('weight').mul(x);
    }
  }
  const layer = new Scale('scale');
  for (const [name, value] of layer.namedParameters()) layer.addParameter(name, value);
  layer.loadStateDict(layer.stateDict());
  // @ts-expect-error parameters are tensors
  layer.addParameter('weight', [1]);
  return { found, info, inspection, layer: layer.forward([1]) };
}

/** @param {unknown} error */
export function errors(error) {
  if (error instanceof PluginError) {
    /** @type {[string, string, readonly string[], string]} */
    const details = [error.phase, error.plugin, error.symbols, error.hint];
    return details;
  }
  if (error instanceof ValueError) return error.code;
  return error instanceof MiniTensorError ? error.message : undefined;
}

/** @returns {Promise<MiniTensor[]>} */
export async function instances() {
  const options = { wasm: new URL('file:///minitensor.wasm'), debug: true };
  // @ts-expect-error not a source of WebAssembly
  await init({ wasm: null });
  const mt = await init(options);
  await mt.asyncTidy(async (use) => use(new mt.Tensor([1])));
  return [mt, await initStatic()];
}
