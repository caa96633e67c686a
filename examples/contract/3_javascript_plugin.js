import { init } from 'minitensor';

const { plugins, customOps } = await init();

const plugin = new plugins.PluginBuilder()
  .name('example_plugin')
  .version(new plugins.VersionInfo(1, 0, 0))
  .description('Demonstrates plugin metadata and callbacks')
  .author('Plugin Developer')
  .minMinitensorVersion(new plugins.VersionInfo(0, 1, 0))
  .build();

plugin.setInitializeFn(() => console.log('Plugin initialized')); // Plugin initialized
plugin.setCleanupFn(() => console.log('Plugin cleaned up')); // Plugin cleaned up
plugin.setCustomOperationsFn(() => [{ name: 'cube', numInputs: 1, forward: ([x]) => x.mul(x).mul(x) }]);

const registry = new plugins.PluginRegistry();
registry.register(plugin);
console.log(registry.isRegistered('example_plugin')); // true
console.log(String(registry.getPlugin('example_plugin').info)); // example_plugin 1.0.0
console.log(registry.listPlugins().length); // 1

// Its ops are the engine's for as long as it is registered.
console.log(customOps.execute('cube', [[1, 2, 3]]).toArray()); // [1, 8, 27]
registry.unregister('example_plugin');
console.log(customOps.isRegistered('cube')); // false
