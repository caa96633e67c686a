/*
 * Run by memory.test.js in a process of its own, with --expose-gc: drops things without dispose, and prints what is
 * alive before and after JavaScript has collected them.
 */
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { init } from 'minitensor';

const mt = await init();
const { Tensor, plugins } = mt;

function dropTensors() {
  for (let i = 0; i < 1000; i++) new Tensor([i]).add(1);
}

/** Layers whose functions refer to them. */
function dropLayers() {
  for (let i = 0; i < 100; i++) {
    const layer = new plugins.CustomLayer('l');
    layer.setForward(([x]) => x.mul(layer.getParameter('w')));
    layer.addParameter('w', new Tensor([i]));
  }
}

function dropRegistries() {
  for (let i = 0; i < 100; i++) new plugins.PluginRegistry();
}

/** A registry that has a plugin stays, with the plugin's ops. */
function dropRegistryInUse() {
  const version = new plugins.VersionInfo(0, 1, 0);
  const builder = new plugins.PluginBuilder().name('p').version(version).description('').author('');
  const plugin = builder.minMinitensorVersion(version).build();
  plugin.setCustomOperationsFn(() => [{ name: 'op', numInputs: 1, forward: ([x]) => x.add(1) }]);
  new plugins.PluginRegistry().register(plugin);
}

dropTensors();
dropLayers();
dropRegistries();
dropRegistryInUse();
const before = mt.memory();
for (let i = 0; i < 20; i++) {
  globalThis.gc?.();
  await nextTurn();
}
const result = mt.tidy(() => mt.customOps.execute('op', [1]).item());
process.stdout.write(JSON.stringify({ before, after: mt.memory(), result }));
