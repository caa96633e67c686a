import { init } from 'minitensor';

const { plugins } = await init();

const plugin = new plugins.PluginBuilder()
  .name('my_custom_plugin')
  .version(new plugins.VersionInfo(1, 0, 0))
  .description('A custom plugin for project-specific extensions')
  .author('Your Name')
  .minMinitensorVersion(new plugins.VersionInfo(0, 1, 0))
  .build();

const { info } = plugin;
console.log(info.name, String(info.version), info.author); // my_custom_plugin 1.0.0 Your Name
