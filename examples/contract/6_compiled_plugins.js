import { init } from 'minitensor';

const { plugins } = await init();

await plugins.loadPlugin(new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm')));
console.log(plugins.listPlugins().map(String)); // ['swish 1.0.0']
console.log(plugins.getPluginInfo('swish').author); // The MiniTensor authors
console.log(plugins.isPluginLoaded('swish')); // true
plugins.unloadPlugin('swish');
console.log(plugins.isPluginLoaded('swish')); // false
