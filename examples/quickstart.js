/*
 * MiniTensor in a minute: a compiled plugin, a plugin in JavaScript, a layer. Run by `npm start`.
 */
import { init, VersionInfo } from 'minitensor';

const mt = await init();
const { plugins, customOps, Tensor } = mt;

// A compiled plugin: a WebAssembly side module, built from examples/plugins/swish/swish.c.
const file = new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm'));
const inspection = await plugins.inspectPlugin(file);
console.log('The file says, before anything of it runs:');
console.log(`  ${inspection.info}: ${inspection.info.description}, by ${inspection.info.author}`);
console.log(`  ops: ${inspection.ops.join(', ')}; imports: ${inspection.imports.map(({ name }) => name).join(', ')}`);
await plugins.loadPlugin(file);

const x = new Tensor([-2, -1, 0, 1, 2]);
const y = customOps.execute('swish', [x], { beta: 1 });
console.log('\nswish(x) = x * sigmoid(x), by the plugin and by the formula:');
const results = y.toTypedArray();
for (const [i, value] of x.toTypedArray().entries()) {
  const formula = value / (1 + Math.exp(-value));
  console.log(`  x = ${String(value).padStart(2)}   plugin ${results[i]?.toFixed(6)}   formula ${formula.toFixed(6)}`);
}

// A plugin in JavaScript: its ops are the engine's for as long as it is registered.
const plugin = new plugins.PluginBuilder()
  .name('softsign')
  .version(new VersionInfo(1, 0, 0))
  .description('x / (1 + |x|)')
  .author('You')
  .minMinitensorVersion(new VersionInfo(0, 1, 0))
  .build();
plugin.setCustomOperationsFn(() => [
  {
    name: 'softsign',
    numInputs: 1,
    forward: ([input]) => input.div(mt.relu(input).add(mt.relu(input.neg())).add(1)),
  },
]);
const registry = new plugins.PluginRegistry();
registry.register(plugin);
const softsign = customOps.execute('softsign', [x]);
console.log(`\nThe JavaScript plugin ${plugin.info} gives\n  ${softsign}`);

// A layer with a parameter, that uses both.
const layer = new plugins.CustomLayer('scaled swish');
const weight = new Tensor([2]);
layer.addParameter('weight', weight);
layer.setForward(([input]) =>
  customOps.execute('softsign', [customOps.execute('swish', [input.mul(layer.getParameter('weight'))])]),
);
const output = layer.forward([x]);
console.log(`\nThe layer "${layer.name}" gives\n  ${output}`);

// Everything goes when it is told to.
for (const tensor of [x, y, softsign, weight, output]) tensor.dispose();
layer.dispose();
registry.unregister('softsign');
plugins.unloadPlugin('swish');
console.log('\nAlive at the end:', mt.memory());
