import { PluginError } from './errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core_module.js').PluginNeeds} PluginNeeds */
/** @typedef {import('./core_module.js').PreparedPlugin} PreparedPlugin */
/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */

/** What is larger may be too large for a browser's main thread, which does nothing that takes long without waiting. */
const LARGE = 1024 * 1024;

/** What is no larger is compiled sooner than a thread in the background gets to it. */
const SMALL = 128 * 1024;

const MEMORY_INFO = 1;

/**
 * @typedef {object} CompiledPlugin
 * @property {WebAssembly.Module | PreparedPlugin} compiled
 * @property {PluginNeeds} needs
 */

/**
 * Compiles a plugin, and if it is large instantiates it, in the background. Nothing of it runs.
 * @param {Core} core
 * @param {PluginFile} file that was checked
 * @param {string} name of the plugin
 * @returns {Promise<CompiledPlugin>}
 */
export async function compilePlugin(core, file, name) {
  const module = file.module ?? (await compile(file, name));
  const needs = needsOf(module);
  // How large a module is, it does not tell.
  const isLarge = file.module || file.bytes.length > LARGE;
  return { compiled: isLarge ? await prepare(core, module, needs, file, name) : module, needs };
}

/**
 * @param {PluginFile} file
 * @param {string} name
 */
async function compile(file, name) {
  try {
    return await compiledModule(file.bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new PluginError(`loadPlugin: plugin "${name}" (${file.origin}): does not compile: ${reason}`, {
      phase: 'compile',
      plugin: name,
      hint: 'the file is damaged, or needs WebAssembly features that this engine lacks',
      cause,
    });
  }
}

/**
 * A small module without waiting: V8 lets what is to be compiled in the background wait until it has optimised other
 * code, 17 ms for one of 40 KB that takes less than 1 ms.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {WebAssembly.Module | Promise<WebAssembly.Module>}
 */
function compiledModule(bytes) {
  if (bytes.length > SMALL) return WebAssembly.compile(bytes);
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    // A browser whose main thread may compile even less at once.
    if (error instanceof RangeError) return WebAssembly.compile(bytes);
    throw error;
  }
}

/**
 * @param {Core} core
 * @param {WebAssembly.Module} module
 * @param {PluginNeeds} needs
 * @param {PluginFile} file
 * @param {string} name
 */
async function prepare(core, module, needs, file, name) {
  try {
    return await core.module.preparePlugin?.(module, needs) ?? module;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new PluginError(`loadPlugin: plugin "${name}" (${file.origin}): cannot be linked: ${reason}`, {
      phase: 'link',
      plugin: name,
      hint: 'build the plugin with minitensor_add_plugin of this MiniTensor\'s SDK',
      cause,
    });
  }
}

/**
 * Reads the section dylink.0, which has been checked.
 * @param {WebAssembly.Module} module
 * @returns {PluginNeeds}
 */
function needsOf(module) {
  const [section = new ArrayBuffer()] = WebAssembly.Module.customSections(module, 'dylink.0');
  const bytes = new Uint8Array(section);
  let at = 0;
  const leb128 = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const type = leb128();
    const end = leb128() + at;
    if (type === MEMORY_INFO) return { memorySize: leb128(), memoryAlignment: 2 ** leb128(), tableSize: leb128() };
    at = end;
  }
  return { memorySize: 0, memoryAlignment: 1, tableSize: 0 };
}
