/*
 * What WebAssembly links while a plugin is checked: the core, and the plugin itself, without the engine's knowing.
 */

/**
 * @typedef {object} Watchers what is told of the instances that are made
 * @property {(table: WebAssembly.Table) => void} core of the core, which has the functions of plugins in this table
 * @property {(imports: WebAssembly.Imports) => WebAssembly.Imports} imports what a plugin is given in their place
 * @property {(exports: WebAssembly.Exports) => WebAssembly.Exports} exports what the core is given in their place
 */

/**
 * From now on, what is linked is shown to the watchers.
 * @param {Watchers} watchers
 */
export function watchLinks(watchers) {
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (target, [module, imports]) =>
      seen(Reflect.construct(target, [module, given(imports, watchers)]), imports, watchers),
  });
  WebAssembly.instantiate = new Proxy(WebAssembly.instantiate, {
    apply: async (target, self, [source, imports]) => {
      const made = await Reflect.apply(target, self, [source, given(imports, watchers)]);
      return made.instance
        ? { ...made, instance: seen(made.instance, imports, watchers) }
        : seen(made, imports, watchers);
    },
  });
}

/**
 * A plugin is told from the core by having a base of its memory.
 * @param {WebAssembly.Imports | undefined} imports
 */
function isPlugin(imports) {
  const { env } = imports ?? {};
  return env !== undefined && '__memory_base' in env;
}

/**
 * @param {WebAssembly.Imports | undefined} imports
 * @param {Watchers} watchers
 */
function given(imports, watchers) {
  return imports && isPlugin(imports) ? watchers.imports(imports) : imports;
}

/**
 * @param {WebAssembly.Instance} instance
 * @param {WebAssembly.Imports | undefined} imports
 * @param {Watchers} watchers
 * @returns {Pick<WebAssembly.Instance, 'exports'>}
 */
function seen(instance, imports, watchers) {
  if (isPlugin(imports)) return { exports: watchers.exports(instance.exports) };
  const table = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Table);
  if (table) watchers.core(table);
  return instance;
}
