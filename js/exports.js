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
