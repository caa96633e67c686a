export {
  DTypeError,
  KeyError,
  MiniTensorError,
  NotImplementedError,
  PluginError,
  ShapeError,
  ValueError,
} from './errors.js';
export { VersionInfo } from './version_info.js';
export { PluginInfo } from './plugin_info.js';
export { VERSION } from './generated/version.js';

/** @typedef {import('./instance.js').MiniTensor & import('./generated/ops.js').Ops} MiniTensor */
/** @typedef {import('./instance.js').InitOptions} InitOptions */
/** @typedef {import('./instance.js').MemoryReport} MemoryReport */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */
/** @typedef {import('./tensor.js').TensorOptions} TensorOptions */
/** @typedef {import('./dtype.js').DType} DType */
/** @typedef {import('./custom_ops.js').OpDefinition} OpDefinition */
/** @typedef {import('./core_module.js').OpDescription} OpDescription */
/** @typedef {import('./custom_layer.js').CustomLayer} CustomLayer */
/** @typedef {import('./custom_plugin.js').CustomPlugin} CustomPlugin */
/** @typedef {import('./plugin_registry.js').PluginRegistry} PluginRegistry */
/** @typedef {import('./plugin_builder.js').PluginBuilder} PluginBuilder */
/** @typedef {import('./plugins.js').PluginInspection} PluginInspection */
/** @typedef {import('./plugins.js').UnloadOptions} UnloadOptions */
/** @typedef {import('./loaded_plugin_info.js').LoadedPluginInfo} LoadedPluginInfo */
/** @typedef {import('./core_module.js').LayerTypeDescription} LayerTypeDescription */
/** @typedef {import('./plugin_address.js').PluginSource} PluginSource */
/** @typedef {import('./load_options.js').InspectOptions} InspectOptions */
/** @typedef {import('./load_options.js').LoadOptions} LoadOptions */
/** @typedef {import('./load_options.js').IsolatedLoadOptions} IsolatedLoadOptions */
/** @typedef {import('./isolated_plugin.js').IsolatedPlugin} IsolatedPlugin */
