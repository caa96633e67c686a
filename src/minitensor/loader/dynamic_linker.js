/*
 * The dynamic linker for WebAssembly plugins, behind dlfcn_wasm.c, in place of Emscripten's. What it does otherwise:
 *  - data and table slots of a plugin are given back when it is closed, and when opening it fails;
 *  - a plugin sees the host's functions that exported_symbols.txt lists, and of other plugins nothing;
 *  - nothing is evaluated, fetched or read from a file system.
 * The format is described in https://github.com/WebAssembly/tool-conventions/blob/main/DynamicLinking.md.
 */
addToLibrary({
  // What plugins may import of the core, under their names for it. Each is spelled for Emscripten, which shortens it.
  $pluginFunctions: `{${[...EXPORTED_FUNCTIONS].filter((name) => name.startsWith('_mt_plugin_')).map((name) =>
    `get ${name.slice('_mt_plugin_'.length)}() { return wasmExports['${name.slice(1)}']; }`).join()}}`,

  // Modules that JavaScript has compiled ahead of the call that opens them, by name; or what preparePlugin gave.
  $compiledPlugins: 'new Map()',

  // Instantiates a module ahead of the call that opens it: a browser's main thread may not wait for a large one.
  $preparePlugin__deps: ['$pluginLinker'],
  $preparePlugin: (module, needs) => pluginLinker.prepare(module, needs),

  // Gives back what preparePlugin gave, unless it was opened.
  $discardPlugin__deps: ['$pluginLinker'],
  $discardPlugin: (library) => {
    if (!library.isOpened) pluginLinker.release(library);
  },

  $pluginLinker__deps: ['$pluginFunctions', '$wasmTable', '$UTF8ToString', '$lengthBytesUTF8', '$stringToUTF8',
    '$stackSave', '$stackRestore', 'malloc', 'free'],
  $pluginLinker: {
    staged: new Map(), // by path: a module, or bytes, and what its dylink.0 section asks for
    libraries: new Map(), // by handle
    lastHandle: 0,
    isConstructing: false, // global objects
    kept: 0, // the number of the error that the last guarded call was stopped by
    freeSlots: [], // ranges of the table that closed plugins left behind: { start, size }

    /** A plugin may let memory grow by itself, of which Emscripten's views are not told. */
    refreshViews() {
      if (HEAPU8.buffer !== wasmMemory.buffer) updateMemoryViews();
    },

    /** Text of the core's. */
    read(address) {
      this.refreshViews();
      return UTF8ToString(address);
    },

    /** Text in memory from malloc, for the caller to free. */
    text(message) {
      const size = lengthBytesUTF8(message) + 1;
      const address = _malloc(size);
      this.refreshViews();
      if (address) stringToUTF8(message, address, size);
      return address;
    },

    /** What stopped a plugin's code, as text in memory. An exception of C++ has no message here. */
    reason(cause) {
      const reason = cause instanceof WebAssembly.Exception ? 'an exception escaped' : cause?.message;
      return this.text(String(reason ?? cause));
    },

    /** Tells the core where a text is. Not in one expression with what makes it: that may let memory grow. */
    tell(address, text) {
      this.refreshViews();
      HEAPU32[address >> 2] = text;
    },

    reserveSlots(size) {
      const index = this.freeSlots.findIndex((range) => range.size >= size);
      if (index < 0) return wasmTable.grow(size);
      const range = this.freeSlots[index];
      const { start } = range;
      range.start += size;
      range.size -= size;
      if (range.size === 0) this.freeSlots.splice(index, 1);
      return start;
    },

    releaseSlots(start, size) {
      for (let slot = start; slot < start + size; slot++) wasmTable.set(slot, null);
      const ranges = this.freeSlots;
      ranges.push({ start, size });
      ranges.sort((a, b) => a.start - b.start);
      for (let i = ranges.length - 1; i > 0; i--) {
        if (ranges[i - 1].start + ranges[i - 1].size === ranges[i].start) {
          ranges[i - 1].size += ranges[i].size;
          ranges.splice(i, 1);
        }
      }
    },

    /** The address of an export: a place in memory, or a slot of the table, made when it is first asked for. */
    addressOf(library, name) {
      const value = library.exports[name];
      if (value instanceof WebAssembly.Global) return value.value + library.memoryBase;
      if (typeof value !== 'function') return 0;
      let slot = library.slots.get(name);
      if (slot === undefined) {
        slot = this.reserveSlots(1);
        wasmTable.set(slot, value);
        const { table } = library;
        if (table && table.length <= slot) table.grow(slot + 1 - table.length);
        table?.set(slot, value);
        library.slots.set(name, slot);
      }
      return slot;
    },

    imports(library) {
      const env = {
        __proto__: pluginFunctions,
        memory: wasmMemory,
        __stack_pointer: wasmExports['__stack_pointer'], // spelled so that Emscripten sees the use
        __memory_base: library.memoryBase,
        __table_base: library.tableBase,
        _abort_js: () => {
          throw new Error('the plugin called abort()');
        },
        exit: (code) => {
          throw new Error(`the plugin called exit(${code})`);
        },
      };
      const getTable = () => (library.table ??= this.ownTable(library));
      Object.defineProperty(env, '__indirect_function_table', { get: getTable });
      // Made only when asked for: not every engine that runs plugins without exceptions has tags.
      Object.defineProperty(env, '__cpp_exception', {
        get: () => (library.exceptionTag ??= new WebAssembly.Tag({ parameters: ['i32'] })),
      });
      const globalOffsets = new Proxy(library.globalOffsets, {
        get: (entries, name) => (entries[name] ??= new WebAssembly.Global({ value: 'i32', mutable: true }, 0)),
      });
      return { env, 'GOT.mem': globalOffsets, 'GOT.func': globalOffsets };
    },

    /**
     * A table for one library, with the functions of the host's table for plugins: a wrong pointer to a function finds
     * nothing else of the core. V8 keeps an instance that imports a table as long as the table, and looks at all of
     * them at every change of it, so that no library may import that of the core.
     */
    ownTable({ tableBase, tableSize }) {
      this.refreshViews();
      // mt_host has six numbers, of which the first is its size, and then the functions.
      const host = wasmExports['mt_linker_host']() / 4;
      const slots = HEAPU32.subarray(host + 6, host + HEAPU32[host] / 4);
      const initial = Math.max(tableBase + tableSize, 1 + Math.max(...slots));
      const table = new WebAssembly.Table({ element: 'anyfunc', initial });
      for (const slot of slots) table.set(slot, wasmTable.get(slot));
      return table;
    },

    /** Takes over what an instance exports, and the functions that it has put into its table. */
    adopt(library, { exports }) {
      library.exports = exports;
      if (!library.table) return;
      const end = library.tableBase + library.tableSize;
      for (let slot = library.tableBase; slot < end; slot++) wasmTable.set(slot, library.table.get(slot));
    },

    /** Gives a library its places in memory and table. */
    place({ memorySize, memoryAlignment, tableSize }) {
      const library = { exports: {}, slots: new Map(), globalOffsets: { __proto__: null }, memory: 0, memoryBase: 0,
        tableBase: 0, tableSize, isOpened: false };
      if (memorySize > 0) {
        const size = memorySize + memoryAlignment;
        // Above 2^32 - 1 the argument would wrap around.
        if (size <= 0xffffffff) library.memory = _malloc(size);
        if (!library.memory) throw new Error(`out of memory: ${size} bytes for its data`);
        this.refreshViews();
        HEAPU8.fill(0, library.memory, library.memory + size);
        library.memoryBase = Math.ceil(library.memory / memoryAlignment) * memoryAlignment;
      }
      if (tableSize > 0) library.tableBase = this.reserveSlots(tableSize);
      return library;
    },

    /** All but the library's own code, for one that is too large to be instantiated without waiting. */
    async prepare(module, needs) {
      const library = this.place(needs);
      const stack = stackSave();
      try {
        this.adopt(library, await WebAssembly.instantiate(module, this.imports(library)));
        return library;
      } catch (error) {
        this.release(library);
        throw error;
      } finally {
        stackRestore(stack); // which its start function may have left elsewhere
      }
    },

    open(path) {
      const { module, library: prepared, ...needs } = this.staged.get(path);
      const library = prepared ?? this.place(needs);
      library.isOpened = true;
      try {
        if (!prepared) {
          // Not asked the other way round, since a module may be of another realm.
          const compiled = module instanceof Uint8Array ? new WebAssembly.Module(module) : module;
          this.adopt(library, new WebAssembly.Instance(compiled, this.imports(library)));
        }
        for (const [name, entry] of Object.entries(library.globalOffsets)) entry.value = this.addressOf(library, name);
        this.isConstructing = true;
        library.exports.__wasm_apply_data_relocs?.();
        library.exports.__wasm_call_ctors?.();
      } catch (error) {
        _free(this.destruct(library)); // of what was constructed before
        this.release(library);
        throw error;
      }
      const handle = ++this.lastHandle;
      this.libraries.set(handle, library);
      return handle;
    },

    /** Text in memory that says what stopped a destructor, 0 when nothing did. */
    close(handle) {
      const library = this.libraries.get(handle);
      this.libraries.delete(handle);
      const reason = this.destruct(library);
      this.release(library);
      return reason;
    },

    destruct(library) {
      const stack = stackSave();
      try {
        library.exports.__wasm_call_dtors?.();
        return 0;
      } catch (cause) {
        stackRestore(stack);
        return this.reason(cause);
      }
    },

    release(library) {
      for (const slot of library.slots.values()) this.releaseSlots(slot, 1);
      if (library.tableBase) this.releaseSlots(library.tableBase, library.tableSize);
      if (library.memory) _free(library.memory);
    },
  },

  mt_linker_stage__deps: ['$pluginLinker', '$compiledPlugins'],
  mt_linker_stage: (path, compiled, bytes, size, memorySize, memoryAlignment, tableSize) => {
    const found = compiledPlugins.get(pluginLinker.read(compiled)) ?? HEAPU8.slice(bytes, bytes + size);
    const given = found.globalOffsets ? { library: found } : { module: found };
    // Numbers of 32 bits arrive as signed ones.
    pluginLinker.staged.set(pluginLinker.read(path), { ...given, memorySize: memorySize >>> 0,
      memoryAlignment: memoryAlignment >>> 0, tableSize: tableSize >>> 0 });
  },

  mt_linker_unstage__deps: ['$pluginLinker'],
  mt_linker_unstage: (path) => {
    pluginLinker.staged.delete(pluginLinker.read(path));
  },

  mt_linker_open__deps: ['$pluginLinker', '$stackSave', '$stackRestore'],
  mt_linker_open: (path, error) => {
    const stack = stackSave();
    try {
      return pluginLinker.open(pluginLinker.read(path));
    } catch (cause) {
      if (pluginLinker.isConstructing) throw cause; // for the guarded call that dlopen is part of
      stackRestore(stack);
      pluginLinker.tell(error, pluginLinker.reason(cause));
      return 0;
    } finally {
      pluginLinker.isConstructing = false;
    }
  },

  mt_linker_symbol__deps: ['$pluginLinker'],
  mt_linker_symbol: (library, name) =>
    pluginLinker.addressOf(pluginLinker.libraries.get(library), pluginLinker.read(name)),

  mt_linker_close__deps: ['$pluginLinker'],
  mt_linker_close: (library, error) => {
    const reason = pluginLinker.close(library);
    pluginLinker.tell(error, reason);
    return reason ? 1 : 0;
  },

  mt_linker_kept__deps: ['$pluginLinker'],
  mt_linker_kept: () => pluginLinker.kept,

  mt_linker_stack_ended: () => {
    throw new RangeError('the stack has run out');
  },

  mt_linker_guard__deps: ['$pluginLinker', '$stackSave', '$stackRestore', 'mt_linker_run'],
  mt_linker_guard: (callback, argument, stack) => {
    try {
      _mt_linker_run(callback, argument);
      return 0;
    } catch (cause) {
      // The stack grows down to address 0. Whoever goes further reads or writes beyond the memory.
      const hasEnded = stackSave() >>> 0 > stack >>> 0;
      stackRestore(stack); // a trap unwinds without restoring the stack pointer
      pluginLinker.kept = Module['callbacks']?.keep(cause);
      return (hasEnded ? pluginLinker.text('the stack has run out') : pluginLinker.reason(cause)) || 1;
    }
  },
});
