/*
 * The types of the compiled core, as bindings/ registers it. Handles and addresses are numbers; a handle is never 0.
 */

/**
 * @typedef {object} CoreError
 * @property {string} code
 * @property {string} message
 * @property {string} phase
 * @property {string} plugin
 * @property {readonly string[]} symbols
 * @property {string} hint
 * @property {number} callbackError
 * @property {CoreError} [cause]
 */

/** @typedef {{ major: number, minor: number, patch: number }} VersionFields */

/**
 * @typedef {object} PluginInfoFields
 * @property {string} name
 * @property {VersionFields} version
 * @property {string} description
 * @property {string} author
 * @property {VersionFields} minMinitensorVersion
 * @property {VersionFields} [maxMinitensorVersion]
 */

/**
 * @typedef {PluginInfoFields & { origin: string, ops: string[], layerTypes: string[], fault: string }}
 *   LoadedPluginFields
 */

/** @typedef {'number' | 'string' | 'boolean' | 'integers' | 'integer' | 'dtype'} AttributeType */

/** @typedef {number | string | boolean | readonly number[]} AttributeValue */

/** @typedef {{ name: string, type: AttributeType, default?: AttributeValue, optional?: true }} AttributeSpec */

/**
 * An op made of callbacks: name, number of inputs, summary, each attribute's name, type and default, and whether it has
 * backward, validate, outputShape and outputDtype.
 * @typedef {[name: string, numInputs: number, summary: string,
 *   attributes: [string, AttributeType, AttributeValue | undefined][], ...roles: boolean[]]} CoreOpDefinition
 */

/**
 * @typedef {object} OpDescription
 * @property {string} name
 * @property {string} owner `minitensor` for the engine's own, empty for the application's, else the plugin's name
 * @property {string} summary empty for the engine's own, which the API reference describes
 * @property {readonly string[]} inputs
 * @property {readonly AttributeSpec[]} attributes
 * @property {boolean} hasGradient
 */

/**
 * @typedef {'function' | 'table' | 'memory' | 'global' | 'tag' | 'unknown'} SymbolKind `unknown` in ELF: anything but a
 *   function
 */

/**
 * What a plugin's file takes.
 * @typedef {object} PluginSizes
 * @property {number} file bytes of the file
 * @property {number} code bytes of its code section; for ELF, of what is loaded as executable
 * @property {number} data bytes of initial values of variables in the file
 * @property {number} memory bytes of memory for all variables, those that begin as zero included; for ELF, for all
 *   that is loaded, code included
 * @property {number} table slots of the host's function table; 0 for ELF
 */

/**
 * @typedef {object} PluginImport
 * @property {string} module empty for ELF
 * @property {string} name
 * @property {SymbolKind} kind
 * @property {boolean} provided whether this host has it; none of an ELF library's in WebAssembly
 * @property {string} [demangled] of a mangled C++ name: what it is the name of, without arguments
 * @property {string} [cause] of one that is not provided: why a plugin has it, and what to do about it
 */

/** @typedef {{ name: string, kind: SymbolKind }} PluginExport */

/**
 * @typedef {object} LayerTypeDescription
 * @property {string} name
 * @property {string} plugin the plugin that provides it
 * @property {string} summary
 * @property {readonly AttributeSpec[]} attributes what a layer's configuration may contain
 */

/**
 * @typedef {object} CoreInspection
 * @property {'wasm' | 'elf'} format
 * @property {PluginInfoFields} info
 * @property {number} abiVersion
 * @property {readonly string[]} features
 * @property {readonly string[]} ops
 * @property {readonly string[]} layers
 * @property {PluginSizes} sizes
 * @property {readonly PluginImport[]} imports
 * @property {readonly PluginExport[]} exports
 * @property {readonly string[]} missingImports the names of the imports that are not provided, each once
 * @property {boolean} loadable whether this host would take the file, but for names that are taken already
 * @property {readonly string[]} problems each reason why it would not, and what to do about it
 */

/**
 * @typedef {object} LiveCounts
 * @property {number} tensors
 * @property {number} bytes
 * @property {number} layers
 * @property {number} registries
 * @property {number} ops
 * @property {number} plugins
 */

/**
 * What a module's section dylink.0 asks for.
 * @typedef {{ memorySize: number, memoryAlignment: number, tableSize: number }} PluginNeeds
 */

/**
 * The linker's own.
 * @typedef {{ readonly isOpened: boolean }} PreparedPlugin
 */

/**
 * What the core has beside what calls.js needs. From takeError on, the functions are made by calls.js.
 * @typedef {object} CoreFunctions
 * @property {Map<string, WebAssembly.Module | PreparedPlugin>} [compiledPlugins] absent in a build without dynamic
 *   loading, as the next two
 * @property {(module: WebAssembly.Module, needs: PluginNeeds) => Promise<PreparedPlugin>} [preparePlugin]
 * @property {(prepared: PreparedPlugin) => void} [discardPlugin]
 * @property {() => number} stackSave
 * @property {(stack: number) => void} stackRestore
 * @property {() => number} _mt_error_pending
 * @property {(dtype: number, rank: number, sizes: number) => number} _mt_tensor_create
 * @property {(handle: number) => number} _mt_tensor_data
 * @property {(handle: number) => number} _mt_tensor_contiguous
 * @property {(handle: number, dtype: number) => number} _mt_tensor_cast
 * @property {(handle: number, out: number) => number} _mt_tensor_describe
 * @property {(handle: number) => void} _mt_tensor_release
 * @property {(handle: number) => number} _mt_tensor_requires_grad
 * @property {(handle: number, required: number) => number} _mt_tensor_set_requires_grad
 * @property {(handle: number) => number} _mt_tensor_grad
 * @property {(handle: number, gradient: number) => number} _mt_tensor_set_grad
 * @property {(handle: number) => number} _mt_tensor_detach
 * @property {(handle: number, source: number) => number} _mt_tensor_assign
 * @property {(handle: number, gradient: number, retainGraph: number) => number} _mt_backward
 * @property {() => number} _mt_is_recording
 * @property {(on: number) => number} _mt_set_recording
 * @property {(name: number, length: number) => number} _mt_op_find
 * @property {() => void} _mt_require_engine_stack
 * @property {(id: number, inputs: number, count: number, attributes: number, size: number) => number} _mt_op_execute
 * @property {(id: number, input: number) => number} _mt_op_execute1
 * @property {(id: number, a: number, b: number) => number} _mt_op_execute2
 * @property {(id: number, input: number, value: number, isFirst: boolean) => number} _mt_op_execute_number
 * @property {(id: number, inputs: number, count: number, attributes: number, size: number) =>
 *   number} _mt_op_execute_many
 * @property {() => number} _mt_results
 * @property {(layer: number, inputs: number, count: number) => number} _mt_layer_forward
 * @property {() => CoreError} takeError
 * @property {() => LiveCounts} countLive
 * @property {(callback: number, ...definition: CoreOpDefinition) => void} registerOp
 * @property {(callback: number, ...definition: CoreOpDefinition) => void} stageOp
 * @property {(name: string) => void} unregisterOp
 * @property {(name: string) => void} requireOp
 * @property {(seed: number) => void} manualSeed
 * @property {() => string[]} listOps
 * @property {(name: string) => boolean} isOpRegistered
 * @property {(name: string, handles: readonly number[], attributes: Uint8Array) => number[]} opGradients
 * @property {() => OpDescription[]} describeOps
 * @property {(name: string) => OpDescription} describeOp
 * @property {(name: string) => number} createLayer
 * @property {(type: string, attributes: Uint8Array) => number} createLayerOfType
 * @property {() => string[]} listLayerTypes
 * @property {(type: string) => LayerTypeDescription} describeLayerType
 * @property {(layer: number) => void} releaseLayer
 * @property {(layer: number) => string} layerName
 * @property {(callback: number, layer: number) => void} setLayerForward
 * @property {(layer: number, name: string, tensor: number) => void} addLayerParameter
 * @property {(layer: number, name: string) => number} getLayerParameter
 * @property {(layer: number) => string[]} listLayerParameters
 * @property {(...fields: unknown[]) => PluginInfoFields} checkPluginInfo
 * @property {() => number} createRegistry
 * @property {(registry: number) => void} releaseRegistry
 * @property {(callback: number, registry: number, ...fields: unknown[]) => void} registerPlugin
 * @property {(registry: number, name: string) => void} unregisterPlugin
 * @property {(registry: number) => PluginInfoFields[]} listRegisteredPlugins
 * @property {(registry: number, name: string) => number} getRegisteredPlugin
 * @property {(registry: number, name: string) => boolean} isPluginRegistered
 * @property {(origin: string, ...metadata: unknown[]) => void} requireFreeNames
 * @property {(origin: string, ...plugin: unknown[]) => PluginInfoFields} loadChecked
 * @property {(name: string, force: boolean) => void} unloadPlugin
 * @property {() => void} unloadAllPlugins
 * @property {() => LoadedPluginFields[]} listLoadedPlugins
 * @property {(name: string) => LoadedPluginFields} getLoadedPluginInfo
 * @property {(name: string) => boolean} isPluginLoaded
 */

/** @typedef {CoreFunctions & import('./calls.js').CallExports} CoreModule */

/**
 * What the core calls to reach JavaScript; it must not throw.
 * @typedef {object} CoreCallbacks
 * @property {(id: number, role: number, tensors: number, tensorCount: number, attributes: number,
 *   attributesSize: number, results: number, capacity: number) => number} call
 * @property {(id: number) => void} release
 * @property {(error: unknown) => number} keep
 * @property {(plugin: number, pluginSize: number, message: number, messageSize: number) => void} log
 */

export {};
