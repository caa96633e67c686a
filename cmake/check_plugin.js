/*
 * Says of the file that minitensor_add_plugin has built whether this package would load it. If not, it removes the file
 * and ends with 1. A .wasm is loaded into an instance of its own, which is the surest check. A .so is read; that
 * nothing is missing in it, its linker has seen to.
 */
import { rmSync } from 'node:fs';
import process from 'node:process';

// The SDK is a part of the package.
import { PluginError, VersionInfo, init } from '../../../../index.js';

async function requireLoadable(file) {
  const { plugins } = await init();
  const { format, info } = await plugins.inspectPlugin(file);
  if (format === 'wasm') {
    await plugins.loadPlugin(file);
    return;
  }
  const current = VersionInfo.current();
  const { minMinitensorVersion: minimum, maxMinitensorVersion: maximum } = info;
  if (current.isCompatibleWith(minimum) && !(maximum && current.compareTo(maximum) > 0)) return;
  const range = `${minimum} or newer${maximum ? `, at most ${maximum}` : ''}`;
  throw new PluginError(
    `plugin "${info.name}" is for MiniTensor ${range}, not for ${current}`,
    { hint: 'change the versions in MT_PLUGIN_METADATA, or use the SDK of one of them' },
  );
}

const [file = ''] = process.argv.slice(2);
try {
  await requireLoadable(file);
} catch (error) {
  const hint = error instanceof PluginError && error.hint ? `  What to do: ${error.hint}\n` : '';
  const message = error instanceof Error ? error.message : error;
  process.stderr.write(`MiniTensor would not load ${file}:\n  ${message}\n${hint}`);
  // Not every build tool takes away what a step that failed has made.
  rmSync(file, { force: true });
  process.exitCode = 1;
}
