import { show } from './check.js';
import { PluginError } from './errors.js';
import { Inspector } from './inspector.js';
import { requireIntegrity } from './integrity.js';
import { isFile } from './load.js';
import { loadPart } from './load_part.js';
import { PluginInfo, valuesOf } from './plugin_info.js';
import { compilePlugin } from './plugin_link.js';
import { isChangeable, nameOf } from './plugin_address.js';
import { readPlugin, requireBytes } from './plugin_source.js';
import { SharedLoad } from './shared_load.js';
import { withAnswer } from './source_errors.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./isolated_plugin.js').IsolatedPlugin} IsolatedPlugin */
/** @typedef {import('./load_options.js').CheckedInspectOptions} CheckedInspectOptions */
/** @typedef {import('./load_options.js').CheckedLoadOptions} CheckedLoadOptions */
/** @typedef {import('./core_module.js').CoreInspection} CoreInspection */
/** @typedef {import('./plugin_link.js').CompiledPlugin} CompiledPlugin */
/** @typedef {import('./plugin_source.js').PluginFile} PluginFile */

/** @typedef {Omit<CheckedLoadOptions, 'trustedKeys'> & { keys?: readonly Uint8Array<ArrayBuffer>[] }} Requirements */

/**
 * A load under way, and what it is of.
 * @typedef {{ source: unknown, options: string, load: SharedLoad<PluginInfo> }} Entry
 */

/** The loads of compiled plugins into an instance. */
export class PluginLoads {
  #core;
  #inspector;
  /** What follows once a file is there is done for one after the other. @type {Promise<unknown>} */
  #queue = Promise.resolve();
  /** @type {Set<Entry>} */
  #entries = new Set();
  #commits = 0;

  /** @param {Core} core */
  constructor(core) {
    this.#core = core;
    this.#inspector = new Inspector(core.findInspector);
  }

  /**
   * @param {unknown} source
   * @param {CheckedInspectOptions} options
   * @returns {Promise<CoreInspection>}
   */
  inspect(source, options) {
    /** @type {SharedLoad<CoreInspection>} */
    const load = new SharedLoad(nameOf(source), async (self) => {
      const file = await read(self, source, options);
      this.#core.requireOpen();
      self.note('it was not inspected yet', 'read');
      return this.#inspector.inspect(file, 'inspectFile');
    }, 'inspectPlugin');
    return load.join(options);
  }

  /**
   * Who asks for the same again, in the same way, while it is under way, gets the same.
   * @param {unknown} source an absolute address, or what nobody changes
   * @param {CheckedLoadOptions} options
   * @returns {Promise<PluginInfo>}
   */
  load(source, options) {
    return withKeys(options, (requirements) => {
      const key = { source: identityOfSource(source), options: identityOf(requirements) };
      const entry = isChangeable(source) ? undefined : this.#find(key);
      return (entry ?? this.#begin(key, source, requirements)).load.join(options);
    });
  }

  /**
   * Each is one of its own, and none waits for others.
   * @param {unknown} source
   * @param {CheckedLoadOptions} options
   * @returns {Promise<IsolatedPlugin>}
   */
  loadIsolated(source, options) {
    return withKeys(options, (requirements) => {
      /** @type {SharedLoad<IsolatedPlugin>} */
      const load = new SharedLoad(nameOf(source), async (self) => {
        const file = await read(self, source, requirements);
        self.note('it was not yet there in its worker', 'isolate');
        const { startIsolated } = await loadPart(() => import('./isolated_start.js'));
        return startIsolated(this.#core, await this.#inspector.module(), self, file, requirements);
      });
      return load.join(options);
    });
  }

  /** @param {Omit<Entry, 'load'>} key */
  #find({ source, options }) {
    return [...this.#entries].find((entry) =>
      entry.source === source && entry.options === options && !entry.load.signal.aborted);
  }

  /**
   * @param {Omit<Entry, 'load'>} key
   * @param {unknown} source
   * @param {Requirements} options
   * @returns {Entry}
   */
  #begin(key, source, options) {
    /** @type {SharedLoad<PluginInfo>} */
    const load = new SharedLoad(nameOf(source), (self) => this.#run(self, source, options));
    const entry = { ...key, load };
    this.#entries.add(entry);
    load.result.catch(() => {}).finally(() => this.#entries.delete(entry));
    return entry;
  }

  /**
   * @param {SharedLoad<PluginInfo>} load
   * @param {unknown} source
   * @param {Requirements} options
   */
  async #run(load, source, options) {
    const { signal } = load;
    const file = await read(load, source, options);
    load.note('other loads were before it', 'compile');
    const result = this.#queue.then(async () => {
      signal.throwIfAborted();
      load.note('it was not compiled yet');
      const inspection = await this.#inspector.inspect(file, 'checkFile');
      const { info, ops, layers } = inspection;
      const metadata = [...valuesOf(info), ops, layers];
      this.#core.invoke((module) => module.requireFreeNames(file.origin, ...metadata));
      requireName(file, info.name, options.name);
      const plugin = await compilePlugin(this.#core, file, info.name);
      try {
        load.finish();
        return this.#commit(file, metadata, plugin);
      } finally {
        if ('isOpened' in plugin.compiled) this.#core.module.discardPlugin?.(plugin.compiled);
      }
    });
    this.#queue = result.catch(() => {});
    return result;
  }

  /**
   * @param {PluginFile} file
   * @param {readonly unknown[]} metadata
   * @param {CompiledPlugin} plugin
   */
  #commit({ origin }, metadata, { compiled, needs }) {
    const { memorySize, memoryAlignment, tableSize } = needs;
    const modules = /** @type {Map<string, typeof compiled>} */ (this.#core.module.compiledPlugins);
    const key = `load ${++this.#commits}`;
    modules.set(key, compiled);
    try {
      return new PluginInfo(this.#core.changeOps((module) =>
        module.loadChecked(origin, ...metadata, key, memorySize, memoryAlignment, tableSize)));
    } finally {
      modules.delete(key);
    }
  }
}

/**
 * Begins once it is known which keys are trusted.
 * @template T
 * @param {CheckedLoadOptions} options
 * @param {(requirements: Requirements) => Promise<T>} begin
 * @returns {Promise<T>}
 */
async function withKeys({ trustedKeys, ...options }, begin) {
  if (!trustedKeys) return begin(options);
  const { readTrustedKeys } = await loadPart(() => import('./signature.js'));
  const keys = await readTrustedKeys(trustedKeys, 'loadPlugin: option trustedKeys');
  options.signal?.throwIfAborted();
  return begin({ ...options, keys });
}

/**
 * @param {SharedLoad<unknown>} load
 * @param {unknown} source
 * @param {CheckedInspectOptions & Pick<Requirements, 'integrity' | 'keys'>} options
 */
async function read(load, source, options) {
  const { signal } = load;
  const { base, maxBytes } = options;
  const file = await readPlugin(source, { base, maxBytes, signal, note: (state) => load.note(state) });
  await verify(file, options);
  return file;
}

/**
 * The same text for two spellings of one file's address: a path, and the file: URL of it. What stands before `..` may
 * be a link, so that it is left alone.
 * @param {unknown} source
 */
function identityOfSource(source) {
  if (typeof source !== 'string' || !isFile(source)) return source;
  try {
    const path = /^file:/i.test(source) ? decodeURIComponent(new URL(source).pathname) : source;
    return path.replace(/\/(\.?\/)+/g, '/');
  } catch {
    return source; // with a % that is none, as whoever reads it will say
  }
}

/**
 * Two loads with the same of this have the same result.
 * @param {Requirements} options
 */
function identityOf({ integrity, maxBytes, name, keys }) {
  return JSON.stringify([integrity, maxBytes, name, keys?.map(String)]);
}

/**
 * @param {PluginFile} file
 * @param {Pick<Requirements, 'integrity' | 'keys'>} options
 */
async function verify(file, { integrity, keys }) {
  try {
    if (integrity) {
      requireBytes(file, 'integrity');
      await requireIntegrity(file, integrity);
    }
    if (keys) {
      requireBytes(file, 'signature');
      const { verifyFile } = await loadPart(() => import('./signature.js'));
      await verifyFile(file, keys);
    }
  } catch (error) {
    throw error instanceof PluginError ? withAnswer(error, file.answer) : error;
  }
}

/**
 * @param {PluginFile} file
 * @param {string} found
 * @param {string | undefined} wanted
 */
function requireName({ origin }, found, wanted) {
  if (wanted === undefined || found === wanted) return;
  throw new PluginError(`loadPlugin: ${origin} is plugin ${show(found)}, not ${show(wanted)} (option name)`, {
    phase: 'metadata',
    plugin: found,
    hint: 'check the address and the name',
  });
}
